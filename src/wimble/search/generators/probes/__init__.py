"""Test cases that show whether an input is read, runs in a command, or decides on a host."""
