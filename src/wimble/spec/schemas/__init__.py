"""Normalises JSON Schemas, and builds genes from them."""
