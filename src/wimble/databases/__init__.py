"""Database languages, without I/O.

For a command and the rows of its tables, this package computes how far the command was from finding rows, and which
rows it would find.
"""
