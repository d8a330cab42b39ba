"""Computes values that meet constraints: at present, strings that match regular expressions."""
