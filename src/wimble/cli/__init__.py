"""The command line: converts arguments to settings, and the outcome of a run to an exit code."""
