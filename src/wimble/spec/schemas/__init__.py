"""JSON Schema: normalising it, and making genes of it."""
