"""What the SUT does to the outside while it answers a call: database commands now; each kind is a subclass."""

from __future__ import annotations

import msgspec


class Interaction(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a call made the SUT do outside of its own process."""

    call: int
    """Index of the call that caused it."""
    site: str
    """Where the SUT did it: `file:line:column` with an absolute path; empty where that could not be told."""
