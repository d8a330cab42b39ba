"""Findings of a search that are left out, or told as something else, when the search has ended."""
