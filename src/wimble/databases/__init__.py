"""Database languages as plain data: how far a command was from finding rows, and the rows that it
would find. No I/O."""
