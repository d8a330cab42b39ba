"""Computes values that meet constraints: path conditions of traced calls, and matches of regular expressions."""
