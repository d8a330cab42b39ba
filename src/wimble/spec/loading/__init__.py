"""Finds documents, reads their text, and resolves their references."""
