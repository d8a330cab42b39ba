"""Watching the SUT during the search: slow-downs, rate limits, lock-outs, queries in loops."""
