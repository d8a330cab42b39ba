"""Deciding which test case to run next, without I/O and clock, and with no randomness but the generator passed in."""
