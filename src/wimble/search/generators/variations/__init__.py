"""Variations of test cases that have covered something or succeeded."""
