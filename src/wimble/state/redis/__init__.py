"""Resetting and filling Redis."""
