"""Choosing test cases for the suite, and giving each the calls that its state needs."""
