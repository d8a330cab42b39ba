"""What the search finds, on disk as it comes, and what can be made of it after the run was killed."""
