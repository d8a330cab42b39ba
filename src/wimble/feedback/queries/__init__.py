"""Turns hints of database commands into edits: rows, documents, and inputs that match existing ones."""
