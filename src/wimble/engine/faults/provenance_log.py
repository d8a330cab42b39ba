"""A log of what was made in the SUT since its last start: which test case made which resource.

If a fault needs a customer without an e-mail address, the log finds the earlier test case that made that customer.
Names that clients choose themselves (`padID`) stand in no answer; for these the log finds the test cases that sent the
name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from wimble.model.evaluation import Evaluation
from wimble.model.observation import PLACE, Exchange
from wimble.model.resource_names import plain_name
from wimble.model.scalar_fields import iter_scalar_fields
from wimble.model.testcase import TestCase
from wimble.search.sampling.sent_names import iter_sent

MAX_ENTRIES = 20_000
"""Maximum number of test cases in a log. It is only a safeguard, since the SUT is started afresh every 10,000 calls."""
MAX_BODY_BYTES = 4_000
"""Longer answers are not kept: an answer to a creation names the resource near its start and is short."""
MAX_IDENTITIES = 64
"""Maximum number per test case; each of its calls may answer with the names of several resources."""
_IDENTITY_ENDS = ("id", "uuid", "key", "slug", "code", "name", "token", "number")


class Identity(NamedTuple):
    """A value in an answer by which later calls may refer to what the call made."""

    call: int
    pointer: str
    name: str
    value: str


class Use(NamedTuple):
    """A resource that a call that asks for a change names."""

    noun: str
    value: str
    is_direct: bool
    """Whether the call is one on that resource; False if it only mentions it."""


class _Answer(NamedTuple):
    """An answer that may name what its call has made."""

    call: int
    exchange: Exchange


class Entry:
    """A test case that was not refused, and what it made.

    The identities are read from the answers on first access, which is rare.
    """

    __slots__ = ("_answers", "_identities", "test_case")

    def __init__(self, evaluation: Evaluation) -> None:
        self.test_case = evaluation.test_case
        self._answers = tuple(_answers(evaluation))
        self._identities: tuple[Identity, ...] | None = None

    @property
    def identities(self) -> tuple[Identity, ...]:
        """The values in its answers that may name what it made; at most MAX_IDENTITIES."""
        if self._identities is None:
            found = (one for answer in self._answers for one in _identities_in(answer))
            self._identities = tuple(islice(found, MAX_IDENTITIES))
            self._answers = ()
        return self._identities


class ProvenanceLog:
    """Entries since one start of the SUT, oldest first.

    Witnesses of faults keep the log and its length at their time.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._makers: dict[str, list[tuple[int, Identity]]] = {}
        self._n_makers_read = 0
        self._senders: dict[tuple[str, str], list[int]] = {}
        self._n_senders_read = 0
        self._uses: dict[Use, list[int]] = {}
        self._n_uses_read = 0

    def __len__(self) -> int:
        return len(self.entries)

    def note(self, evaluation: Evaluation) -> None:
        """Adds an evaluation that may have changed the SUT's state."""
        if len(self.entries) < MAX_ENTRIES:
            self.entries.append(Entry(evaluation))

    def makers(self, value: str) -> list[tuple[int, Identity]]:
        """Returns the numbers of the entries whose answers name a resource by this value, with the identities.

        The oldest entry comes first.
        """
        for number in range(self._n_makers_read, len(self.entries)):
            for identity in self.entries[number].identities:
                self._makers.setdefault(identity.value, []).append((number, identity))
        self._n_makers_read = len(self.entries)
        return self._makers.get(value, [])

    def senders(self, name: str, value: str) -> list[int]:
        """Returns the numbers of the entries that sent the value under that name, oldest first."""
        for number in range(self._n_senders_read, len(self.entries)):
            for key in dict.fromkeys(iter_sent(self.entries[number].test_case)):
                self._senders.setdefault(key, []).append(number)
        self._n_senders_read = len(self.entries)
        return self._senders.get((name, value), [])

    def uses(self, use: Use, uses_in: Callable[[TestCase], Iterable[Use]]) -> list[int]:
        """Returns the numbers of the entries with that use, oldest first.

        uses_in: returns the uses in a test case; it has to be the same function in each call, since its results are
        kept.
        """
        for number in range(self._n_uses_read, len(self.entries)):
            for key in dict.fromkeys(uses_in(self.entries[number].test_case)):
                self._uses.setdefault(key, []).append(number)
        self._n_uses_read = len(self.entries)
        return self._uses.get(use, [])


class Provenance(NamedTuple):
    """The things that were there when a test case ran: the first `length` entries of the log."""

    log: ProvenanceLog
    length: int


class SolutionProvenances:
    """For each solution of the archive, by its serial number, what had been made before it.

    Each provenance keeps a whole log in memory. So the provenances of test cases that are no longer solutions are
    dropped whenever another log begins, which is after a start of the SUT.
    """

    def __init__(self, solution_serials: Callable[[], Collection[int]]) -> None:
        """solution_serials: returns the serial numbers of the solutions that the archive holds now."""
        self._solution_serials = solution_serials
        self._by_serial: dict[int, Provenance] = {}
        self._logs: set[ProvenanceLog] = set()

    def note(self, serial: int, provenance: Provenance) -> None:
        """Notes what had been made before the test case that entered the archive with this serial number."""
        if provenance.log not in self._logs:
            serials = self._solution_serials()
            self._by_serial = {number: one for number, one in self._by_serial.items() if number in serials}
            self._logs = {one.log for one in self._by_serial.values()} | {provenance.log}
        self._by_serial[serial] = provenance

    def get(self, serial: int) -> Provenance | None:
        """Returns the provenance of a solution, or None if there is none."""
        return self._by_serial.get(serial)


def _answers(evaluation: Evaluation) -> Iterator[_Answer]:
    """Yields the answers that may name what was made."""
    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
        if call.operation.effect not in ("create", "replace", "change"):
            continue
        if observation.outcome in ("ok", "partial") and observation.exchange.n_bytes <= MAX_BODY_BYTES:
            yield _Answer(observation.call_index, observation.exchange.kept())


def _identities_in(answer: _Answer) -> Iterator[Identity]:
    place = answer.exchange.place()
    if place:
        yield Identity(answer.call, PLACE, "id", place.rstrip("/").rsplit("/", 1)[-1])
    content = answer.exchange.value()
    if isinstance(content, (dict, list)):
        for pointer, name, value in iter_scalar_fields(content):
            if (
                isinstance(value, (str, int))
                and not isinstance(value, bool)
                and plain_name(name).endswith(_IDENTITY_ENDS)
            ):
                yield Identity(answer.call, pointer, name, str(value))
