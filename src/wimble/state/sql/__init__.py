"""Resetting and filling relational databases."""
