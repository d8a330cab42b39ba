"""The phases of a run, in order: boot, search, minimise, verify, write. Yields events and prints nothing."""
