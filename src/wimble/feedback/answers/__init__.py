"""Edits of the answers of services: members that the program reads and no answer has yet."""
