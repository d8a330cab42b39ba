"""Shared fixtures. Keep it small: a fixture that one folder needs lives in that folder's conftest."""
