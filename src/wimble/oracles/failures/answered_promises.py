"""Tells whether a promise in what a function returns is answered, or awaited by who gets it.

Frameworks answer what a handler returns (Fastify, hapi, Nest), so a promise in it is an object without members there.
But functions also return promises on purpose, for others to await. What shows the difference is all calls together: a
promise that is answered is never anything else, and one that is awaited is, unless its value has no members.
"""

from __future__ import annotations

from typing import Final

import msgspec

from wimble.model.observation import Mistake, Observation
from wimble.oracles.mistaken_places import is_something_in_answer, places_in_answer

LEAST_SHOWN: Final = 2
"""Number of answers with an object without members in its place."""

_Key = tuple[str, int, tuple[str, ...]]


class _Seen(msgspec.Struct):
    n_shown: int = 0
    is_awaited: bool = False


class AnsweredPromises:
    """The promises that calls have returned within objects, by place and path."""

    def __init__(self) -> None:
        self._seen: dict[_Key, _Seen] = {}
        self._awaited: set[tuple[str, int]] = set()
        """Places of promises that are awaited."""

    def is_answered(self, mistake: Mistake, observation: Observation) -> bool:
        """Notes an answer to a call that has returned the promise; returns whether it is answered as it is."""
        if mistake.members is None or observation.outcome not in ("ok", "partial"):
            return False
        seen = self._seen.setdefault((mistake.file, mistake.line, mistake.members), _Seen())
        if not seen.is_awaited and is_something_in_answer(mistake, observation):
            seen.is_awaited = True
            self._awaited.add((mistake.file, mistake.line))
        is_shown = bool(places_in_answer(mistake, observation))
        seen.n_shown += is_shown
        return is_shown and not seen.is_awaited and seen.n_shown >= LEAST_SHOWN

    def is_awaited(self, file: str, line: int) -> bool:
        """Whether an answer has shown that a promise of that place is awaited."""
        return (file, line) in self._awaited
