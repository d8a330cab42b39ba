"""What calls do to databases: refused writes, data left behind, stale answers, races."""
