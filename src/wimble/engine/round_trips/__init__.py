"""Looks for libraries that do not read again what they have written themselves."""
