"""Looks for calls of libraries whose time grows faster than their texts."""
