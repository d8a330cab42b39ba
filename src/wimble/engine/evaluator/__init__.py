"""Additions of the core to an evaluation of the SUT: targets of its own, and findings."""
