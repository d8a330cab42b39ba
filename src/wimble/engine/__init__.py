"""The phases of a run, in order: boot, search, minimise, verify, write. They yield events and print nothing."""
