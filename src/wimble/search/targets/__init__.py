"""Targets that need no agent."""
