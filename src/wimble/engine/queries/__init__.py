"""Targets of database commands, and the hints that lead to inserted rows."""
