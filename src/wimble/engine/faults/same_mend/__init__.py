"""Findings of different kinds that one change of the program mends: a file for each group of rules."""
