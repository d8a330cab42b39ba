"""Detecting the SUT's API: its port, its description, its GraphQL endpoint, and routes that are served late."""
