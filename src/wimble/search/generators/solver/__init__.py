"""Test cases that the solver has computed."""
