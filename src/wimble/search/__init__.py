"""Deciding which test case to run next. No I/O, no clock, no randomness but the generator handed in."""
