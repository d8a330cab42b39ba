"""Path conditions as terms of Z3, an encoding per file."""
