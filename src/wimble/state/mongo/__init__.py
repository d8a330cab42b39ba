"""Resets and fills MongoDB databases."""
