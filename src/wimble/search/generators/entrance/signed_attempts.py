"""Attempts with tokens that are signed with keys of the SUT or of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.search.access.access import Access
from wimble.search.access.openings import Attempt, Entry
from wimble.search.access.ways import BEARER, Way
from wimble.types import OperationId

MAX_SIGNED: Final = 500
"""Number of attempts in a run."""
MAX_OTHER_WAYS: Final = 2
"""Ways in which such tokens are sent, besides the usual one."""


class SignedAttempts:
    """Tells which tokens are worth a try, each once.

    They are for operations that have not succeeded yet, and are tried again with each new claim that has let another
    operation in, that the SUT has looked for or that a library demands, and in ways that have let another operation in.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._tried: set[tuple[OperationId, Entry, int]] = set()
        self._state: tuple[int, ...] = ()

    def new_attempts(self) -> Iterator[Attempt]:
        """Yields the attempts that what was learned since the last call has added."""
        access = self._access
        state = (access.signed_tokens.n_facts(), len(access.denied), access.openings.n_changes)
        if state == self._state:
            return  # asked after each evaluation
        self._state = state
        ways = self._ways()
        for operation in access.denied.values():
            if operation.id not in access.succeeded:
                for key in access.signed_tokens.keys_to_try():
                    n_facts = access.signed_tokens.n_facts_for(key, operation.id)
                    for way in (Way((BEARER,)),) if access.signed_tokens.is_unasked(key) else ways:
                        entry = Entry(key, way, is_signed=True)
                        if self._is_new(operation.id, entry, n_facts):
                            yield Attempt(operation, entry)

    def _ways(self) -> tuple[Way, ...]:
        opened = self._access.openings.ways.values()
        known = [entry.way for entries in opened for entry in entries if len(entry.way.fields) == 1]
        return tuple(dict.fromkeys((*known, Way((BEARER,)))))[: MAX_OTHER_WAYS + 1]

    def _is_new(self, operation: OperationId, entry: Entry, n_facts: int) -> bool:
        attempt = (operation, entry, n_facts)
        if attempt in self._tried or len(self._tried) >= MAX_SIGNED:
            return False
        self._tried.add(attempt)
        return True
