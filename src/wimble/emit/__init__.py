"""Verified tests to source text; one file per format."""
