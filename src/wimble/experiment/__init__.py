"""Experiments (SUTs x settings x repetitions): executes the runs, keeps results on disk, writes tables and plots."""
