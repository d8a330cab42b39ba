"""Sends two calls at once, and compares what comes of it with the calls one after the other."""
