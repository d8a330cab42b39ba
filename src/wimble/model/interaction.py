"""What the SUT does to the outside during a call, such as database commands; each kind is a subclass."""

from __future__ import annotations

import msgspec


class Interaction(msgspec.Struct, frozen=True, kw_only=True):
    """One effect of a call outside of the SUT's own process."""

    call: int
    """Index of the call that caused it."""
    site: str
    """The place in the code, `file:line:column` with an absolute path; empty if it is not known."""
