"""Attributing failures: which line, which process, which earlier call."""
