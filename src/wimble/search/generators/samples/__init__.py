"""Test cases without a parent, and those for operations that have not succeeded yet."""
