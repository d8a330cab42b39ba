"""Constraints to values. Now: strings from regular expressions."""
