"""Kinds of setup actions: rows, documents, keys, answers of services; `kinds.py` is the table of them."""
