"""What a generated test may assert, and whether it needs a start of its own: nondeterminism, state, polluters."""
