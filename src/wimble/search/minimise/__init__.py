"""Smaller test cases, and small sets of them."""
