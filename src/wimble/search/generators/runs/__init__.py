"""Work on one target at a time: steps of a run, and which target has the next turn."""
