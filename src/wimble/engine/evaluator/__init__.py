"""What the core adds to an evaluation of the SUT: targets of its own, and findings."""
