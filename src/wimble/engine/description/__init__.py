"""Calls that are made for the inferred document: readable examples, and which inputs are required."""
