"""Runs test cases on a SUT with tracing, for the solver."""
