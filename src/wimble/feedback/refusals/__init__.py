"""Reading the words in which an answer refuses an input."""
