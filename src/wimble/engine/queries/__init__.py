"""Targets of database commands, and the hints that bring rows."""
