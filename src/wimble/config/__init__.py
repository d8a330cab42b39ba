"""Reads options and users from `wimble.toml` and authentication files."""
