"""Which credentials have opened which operations."""

from __future__ import annotations

from typing import Final

import msgspec

from wimble.genes import CarriedGene
from wimble.model.operation import Operation
from wimble.search.access.ways import COOKIES_ONLY, Way
from wimble.types import OperationId

MAX_WAYS: Final = 3
"""Number of ways into one operation that are kept."""


class Entry(msgspec.Struct, frozen=True):
    """A way into an operation: whose credentials, how they are carried, and which of several."""

    giver: str
    way: Way
    preference: int = 0
    is_signed: bool = False
    """Whether the giver is a key, with which a token is signed; then no call gives anything."""


def entry_of_session(giver: str) -> Entry:
    """Returns the way into an operation with the cookies of a giver alone."""
    return Entry(giver, COOKIES_ONLY)


class Attempt(msgspec.Struct, frozen=True):
    """An entry that is tried on an operation; or credentials that are made up."""

    operation: Operation
    entry: Entry | None = None
    made_up: CarriedGene | None = None


class Openings:
    """The ways into the operations of an API, by operation."""

    def __init__(self) -> None:
        self.ways: dict[OperationId, list[Entry]] = {}
        self.n_changes = 0

    def note(self, operation: Operation, entry: Entry, *, is_first: bool = False) -> None:
        """Adds a way into an operation, if it is new."""
        entries = self.ways.setdefault(operation.id, [])
        if entry not in entries:
            entries.insert(0 if is_first else len(entries), entry)
            del entries[MAX_WAYS:]
            self.n_changes += 1

    def keep(self, operation: Operation, entries: list[Entry]) -> None:
        """Forgets the ways into an operation that are not among these."""
        self.ways[operation.id] = entries
        self.n_changes += 1

    def of_giver(self, giver: str) -> list[Entry]:
        """Returns the ways by which a giver has opened operations."""
        known = [entry for entries in self.ways.values() for entry in entries if entry.giver == giver]
        return list(dict.fromkeys(known))
