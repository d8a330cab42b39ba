"""Command-line arguments to settings, and events to exit codes."""
