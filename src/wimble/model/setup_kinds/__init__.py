"""Kinds of setup actions: rows, documents and keys of databases; `kinds.py` is the table of them."""
