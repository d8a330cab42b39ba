"""Hints of database commands to edits: rows, documents, and inputs that match those that are there."""
