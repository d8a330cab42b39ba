"""OpenAPI documents to operations."""
