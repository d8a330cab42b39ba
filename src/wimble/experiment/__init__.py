"""Experiments: SUTs x settings x repetitions, each run on its own, their results on disk, and tables and plots of these."""
