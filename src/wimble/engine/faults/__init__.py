"""Faults found in a run, how they were reached, and which of them are the same fault."""
