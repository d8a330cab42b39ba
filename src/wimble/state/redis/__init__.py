"""Resets and fills Redis databases."""
