"""Finding documents, reading their text, and resolving what they refer to."""
