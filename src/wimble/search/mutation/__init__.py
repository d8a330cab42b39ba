"""Changing test cases: their structure and their values."""
