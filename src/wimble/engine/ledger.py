"""What was made in the SUT since its last start: which test case made which resource.

Where a fault needs a customer without an e-mail address that some test case made five seconds ago, this is how that one is found.
What clients name themselves (`padID`) is in no answer; there the ledger tells who sent the name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wimble.model.evaluation import Evaluation, Observation
from wimble.model.testcase import TestCase
from wimble.search.bindings import LOCATION, iter_scalar_fields
from wimble.search.resources import plain_name
from wimble.search.sent import iter_sent

MAX_ENTRIES = 20_000
"""Test cases; the SUT is started afresh every 10,000 calls, so this is a guard against surprises only."""
MAX_BODY_BYTES = 20_000
MAX_IDENTITIES = 8
_IDENTITY_ENDS = ("id", "uuid", "key", "slug", "code", "name", "token", "number")


class Identity(NamedTuple):
    """A value in an answer by which later calls may mean what the call made."""

    call: int
    pointer: str
    name: str
    value: str


class Entry(NamedTuple):
    """A test case that was not refused, and what it made."""

    test_case: TestCase
    identities: tuple[Identity, ...]


class Ledger:
    """Entries since one start of the SUT, oldest first. Witnesses of faults keep the ledger and its length at their time."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._senders: dict[tuple[str, str], list[int]] = {}
        self._n_indexed = 0

    def __len__(self) -> int:
        return len(self.entries)

    def note(self, evaluation: Evaluation) -> None:
        """Takes in an evaluation that may have changed the SUT's state."""
        if len(self.entries) < MAX_ENTRIES:
            self.entries.append(Entry(evaluation.test_case, tuple(_identities(evaluation))[:MAX_IDENTITIES]))

    def senders(self, name: str, value: str) -> list[int]:
        """Numbers of the entries that sent the value under that name, oldest first."""
        for number in range(self._n_indexed, len(self.entries)):
            for key in dict.fromkeys(iter_sent(self.entries[number].test_case)):
                self._senders.setdefault(key, []).append(number)
        self._n_indexed = len(self.entries)
        return self._senders.get((name, value), [])


class Background(NamedTuple):
    """What was there when a test case ran: the ledger's first `length` entries."""

    ledger: Ledger
    length: int


def _identities(evaluation: Evaluation) -> Iterator[Identity]:
    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
        if call.operation.method in ("POST", "PUT", "PATCH"):
            yield from _identities_in(observation)


def _identities_in(observation: Observation) -> Iterator[Identity]:
    response = observation.response
    if response is None or not 200 <= response.status < 300:
        return
    location = response.header("location")
    if location:
        yield Identity(observation.call_index, LOCATION, "id", location.rstrip("/").rsplit("/", 1)[-1])
    if not response.body or len(response.body) > MAX_BODY_BYTES:
        return
    body = response.json()
    if isinstance(body, (dict, list)):
        for pointer, name, value in iter_scalar_fields(body):
            if (
                isinstance(value, (str, int))
                and not isinstance(value, bool)
                and plain_name(name).endswith(_IDENTITY_ENDS)
            ):
                yield Identity(observation.call_index, pointer, name, str(value))
