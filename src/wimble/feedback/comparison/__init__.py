"""Hints that agents send to edits, one file per kind of hint, and what these files share."""
