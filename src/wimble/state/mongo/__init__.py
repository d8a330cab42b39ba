"""Resetting and filling MongoDB."""
