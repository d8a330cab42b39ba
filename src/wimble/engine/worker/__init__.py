"""A worker evaluates test cases on one SUT: how fresh that is, what ran on it, and whether it is degraded."""
