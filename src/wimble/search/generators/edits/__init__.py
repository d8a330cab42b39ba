"""Edits of test cases by hints, and which of them are tried at once."""
