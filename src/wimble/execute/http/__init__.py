"""Talking HTTP to the SUT: the client, content codings, authentication."""
