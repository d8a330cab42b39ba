"""Declared parts of requests and answers, each of which may go one of several ways: bounds, and how those of one
message are gathered."""

from __future__ import annotations

from collections.abc import Iterable

MAX_PARTS = 300
"""Per operation's requests, and per schema of answers."""
MAX_OPTIONS = 32
"""Values of one enumeration, alternatives of one place; of more, none are looked at."""


def gather(parts: dict[str, bool], known: dict[str, None], ways: Iterable[tuple[str, bool]]) -> None:
    """Adds each (name of a part, whether the message goes that way) to `parts`, as far as `known`, which grows, has
    room for its name."""
    for name, is_taken in ways:
        if name in known or len(known) < MAX_PARTS:
            known[name] = None
            parts[name] = is_taken or parts.get(name, False)
