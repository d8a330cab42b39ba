"""Consumers of engine events: console, HTML, JSON, JUnit."""
