"""The journal of what the search finds, on disk as it comes, and its use after the run was killed."""
