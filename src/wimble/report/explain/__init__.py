"""`wimble explain`: from a session to what a user is told about a target. Reads no files and prints nothing itself."""
