"""Experiments: SUTs x settings x repetitions, executed run by run, with results on disk, tables and plots."""
