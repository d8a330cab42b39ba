"""State that outlives the SUT's process: databases are reset and filled, files are put back."""
