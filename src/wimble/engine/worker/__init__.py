"""A worker evaluates test cases on one SUT, and records its freshness, its history, and whether it is degraded."""
