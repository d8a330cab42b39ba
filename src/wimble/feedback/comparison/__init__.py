"""Turns the hints that agents send into edits: one file per kind of hint, and what these files share."""
