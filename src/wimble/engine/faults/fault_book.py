"""The faults of a run: for each fault the test cases that showed it, and what ran before them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Iterator, Sequence

import msgspec

from wimble.engine.faults.history import History
from wimble.engine.faults.provenance_log import Provenance, ProvenanceLog
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.testcase import TestCase
from wimble.search.access.real_logins import signs_tokens


class Witness(msgspec.Struct, frozen=True):
    """An evaluation that showed a fault, and what ran before it since the SUT's start."""

    finding: Finding
    evaluation: Evaluation
    history: tuple[TestCase, ...]
    """Test cases that may have changed state, and the most recent ones of any kind; oldest first."""
    likely: tuple[TestCase, ...] = ()
    """Those of `history` whose change was not refused."""
    provenance: Provenance = msgspec.field(default_factory=lambda: Provenance(ProvenanceLog(), 0))
    """What was made since the SUT's start."""

    @property
    def length(self) -> int:
        """The number of calls."""
        return len(self.evaluation.test_case.calls)

    @property
    def rank(self) -> tuple[bool, int]:
        """Its place among the witnesses of a fault."""
        return _rank_of(self.evaluation)


class Fault(msgspec.Struct, kw_only=True):
    """One fault, as far as the run has seen it."""

    id: str
    witnesses: list[Witness]
    """One for each length of test case, shortest first, but those with tokens that wimble has signed come last.

    A longer test case may create the state that the shortest one took from earlier tests. Among witnesses of one
    length, one soon after a start of the SUT is better, since it may need fewer earlier test cases.
    """
    operations: dict[str, None]
    """The operations in which it showed, in order of first sight."""
    found_after_calls: int
    found_after_s: float
    times_seen: int = 1

    @property
    def finding(self) -> Finding:
        """The finding of the first witness."""
        return self.witnesses[0].finding

    @property
    def key(self) -> tuple[str, ...]:
        """Identifies the fault: the key that all its findings have in common."""
        return self.finding.key

    def wants(self, evaluation: Evaluation, n_before: int) -> bool:
        """Whether a witness of the evaluation's rank is needed.

        That is so if there is none yet, or if the present one has at least twice as many log entries before it.

        n_before: number of log entries before the evaluation.
        """
        rank = _rank_of(evaluation)
        return all(one.rank != rank or one.provenance.length >= 2 * max(n_before, 1) for one in self.witnesses)

    def add(self, witness: Witness) -> None:
        """Adds a witness. It replaces the witness of the same rank."""
        self.witnesses = [known for known in self.witnesses if known.rank != witness.rank]
        self.witnesses.insert(bisect([known.rank for known in self.witnesses], witness.rank), witness)


class FaultBook:
    """All faults of a run, in order of first sight."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, ...], Fault] = {}
        self._dropped: set[tuple[str, ...]] = set()
        self._n_seen = 0

    def __len__(self) -> int:
        return len(self._faults)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults.values())

    def drop(self, keys: Collection[tuple[str, ...]]) -> None:
        """Removes faults."""
        self._dropped.update(keys)
        self._faults = {key: fault for key, fault in self._faults.items() if key not in keys}

    def knows(self, key: tuple[str, ...]) -> bool:
        """Whether the fault was seen, also if it was removed since."""
        return key in self._faults or key in self._dropped

    def note(
        self, evaluation: Evaluation, findings: Sequence[Finding], history: History, *, calls: int, elapsed_s: float
    ) -> list[Fault]:
        """Adds the findings of an evaluation, and returns the faults seen for the first time.

        history: what ran before the evaluation since its SUT's start.
        """
        new = []
        for finding in findings:
            known = self._faults.get(finding.key)
            if known is not None:
                known.times_seen += 1
                known.operations.setdefault(finding.operation)
                if known.wants(evaluation, history.provenance.length):
                    known.add(_witness(finding, evaluation, history))
                continue
            self._n_seen += 1
            fault = Fault(
                id=f"F{self._n_seen}",
                witnesses=[_witness(finding, evaluation, history)],
                operations={finding.operation: None},
                found_after_calls=calls,
                found_after_s=elapsed_s,
            )
            self._faults[finding.key] = fault
            new.append(fault)
        return new


def _rank_of(evaluation: Evaluation) -> tuple[bool, int]:
    """Returns a sort key of evaluations that show one fault: those whose users log in first, then the shortest.

    Nobody but the SUT signs tokens, so the others are harder to believe, and to repeat.
    """
    return signs_tokens(evaluation.test_case), len(evaluation.test_case.calls)


def _witness(finding: Finding, evaluation: Evaluation, history: History) -> Witness:
    return Witness(finding, evaluation, history.test_cases, history.accepted, history.provenance)
