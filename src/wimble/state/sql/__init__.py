"""Resets and fills relational databases."""
