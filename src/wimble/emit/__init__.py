"""Converts verified tests to source text, with one module per format."""
