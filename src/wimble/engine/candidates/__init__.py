"""Choosing test cases for the suite, and adding the calls that create the state that each test case needs."""
