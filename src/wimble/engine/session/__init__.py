"""The state of one run: settings, budget, stop requests, the output folder."""
