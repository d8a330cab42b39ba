"""Reading the texts in which an answer refuses an input."""
