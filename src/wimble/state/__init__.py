"""State that outlives the SUT's process: resets and fills databases, and restores files."""
