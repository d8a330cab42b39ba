"""Declared parts of requests and answers, each with several options: limits, and the collection per message."""

from __future__ import annotations

from collections.abc import Iterable

MAX_PARTS = 300
"""Maximum for the requests of one operation, and for one schema of answers."""
MAX_OPTIONS = 32
"""Maximum number of values of an enumeration, or of alternatives at one place. Larger ones are ignored."""


def gather(parts: dict[str, bool], known: dict[str, None], ways: Iterable[tuple[str, bool]]) -> None:
    """Adds (name of an option, whether the message takes it) to `parts`.

    `known` collects all names. Once it has MAX_PARTS names, new names are ignored.
    """
    for name, is_taken in ways:
        if name in known or len(known) < MAX_PARTS:
            known[name] = None
            parts[name] = is_taken or parts.get(name, False)
