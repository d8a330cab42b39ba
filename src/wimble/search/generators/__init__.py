"""The ways of proposing a test case, and the choice among them."""
