"""Monitoring the SUT during the search: slow-downs, rate limits, lockouts, queries in loops."""
