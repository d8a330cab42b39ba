"""Translates OpenAPI documents to operations."""
