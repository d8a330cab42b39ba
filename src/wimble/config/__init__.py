"""`wimble.toml` and authentication files to options and users."""
