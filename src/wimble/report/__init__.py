"""Consumers of the engine's events: console, HTML, JSON, JUnit."""
