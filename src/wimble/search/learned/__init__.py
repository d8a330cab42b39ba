"""Inputs that no document declares: what the search has learnt of them, and how calls carry them."""
