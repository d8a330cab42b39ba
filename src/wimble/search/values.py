"""Values seen in answers, by the name of their field: good guesses for inputs of the same name.

Bounded in names and in values per name; deterministic. After the "data pool" of D. Corradini et al., "Automated black-box
testing of nominal and error scenarios in RESTful APIs" (STVR 2022).
"""

from __future__ import annotations

from random import Random

from wimble.search.resources import plain_name
from wimble.types import ABSENT, Absent, Json

MAX_NAMES = 2_000
MAX_VALUES_PER_NAME = 100
MAX_STRING_LENGTH = 200
"""Longer strings are texts, not keys."""


class ValuePool:
    """The latest distinct scalar values of each field name."""

    def __init__(self) -> None:
        self._values: dict[str, list[Json]] = {}
        self._known: dict[str, set[tuple[type, Json]]] = {}
        self._next_slot: dict[str, int] = {}

    def add(self, name: str, value: Json) -> None:
        """Remembers a scalar; the oldest value of a full name makes room."""
        if value is None or (isinstance(value, str) and len(value) > MAX_STRING_LENGTH):
            return
        key = plain_name(name)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MAX_NAMES:
                return
            known = self._known[key] = set()
            self._values[key] = []
        mark = (type(value), value)
        if mark in known:
            return
        known.add(mark)
        values = self._values[key]
        if len(values) < MAX_VALUES_PER_NAME:
            values.append(value)
            return
        slot = self._next_slot.get(key, 0)
        known.discard((type(values[slot]), values[slot]))
        values[slot] = value
        self._next_slot[key] = (slot + 1) % MAX_VALUES_PER_NAME

    def values(self, name: str) -> tuple[Json, ...]:
        return tuple(self._values.get(plain_name(name), ()))

    def choose(self, rng: Random, *names: str) -> Json | Absent:
        """A value seen under the first of the names that has any; ABSENT where none has."""
        for name in names:
            values = self._values.get(plain_name(name))
            if values:
                return values[int(rng.random() * len(values))]
        return ABSENT
