"""Keeps book of faults during a run: one entry per key, the test cases that show it, and how to get there."""

from __future__ import annotations

from bisect import bisect
from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from wimble.engine.ledger import Background, Ledger
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.testcase import TestCase

HISTORY_LENGTH = 256
"""Test cases kept since the SUT's last start: enough to find out which earlier one a fault needs, small enough to keep."""

REFUSED_LENGTH = 64
"""Test cases kept that asked for a change and were refused (4xx): half-done work that is not undone is a fault, too."""

RECENT_LENGTH = 12
"""Test cases kept whatever they do: one that only reads may count, or start what goes wrong a moment later."""


class Witness(msgspec.Struct, frozen=True):
    """An evaluation that showed a fault, and what ran before it since the SUT's start."""

    finding: Finding
    evaluation: Evaluation
    history: tuple[TestCase, ...]
    """Test cases that may have changed state, and the most recent ones of any kind; oldest first."""
    likely: tuple[TestCase, ...] = ()
    """Those of them whose change was not refused."""
    background: Background = msgspec.field(default_factory=lambda: Background(Ledger(), 0))
    """What was made since the SUT's start."""

    @property
    def length(self) -> int:
        """In calls."""
        return len(self.evaluation.test_case.calls)


class Fault(msgspec.Struct, kw_only=True):
    """One fault, as seen so far."""

    id: str
    witnesses: list[Witness]
    """One for each length of test case, shortest first: a longer one may bring the state along that the shortest took from
    earlier tests. Of the same length, one soon after a start of the SUT is better: there is less that it may need."""
    operations: dict[str, None]
    """Where it showed, in order of first sight."""
    found_after_calls: int
    found_after_s: float
    times_seen: int = 1

    @property
    def finding(self) -> Finding:
        return self.witnesses[0].finding

    @property
    def key(self) -> tuple[str, ...]:
        return self.finding.key

    def wants(self, evaluation: Evaluation, n_before: int) -> bool:
        """Whether there is no witness of its length yet, or one with at least twice as much made before it."""
        length = len(evaluation.test_case.calls)
        return all(one.length != length or one.background.length >= 2 * max(n_before, 1) for one in self.witnesses)

    def add(self, witness: Witness) -> None:
        self.witnesses = [known for known in self.witnesses if known.length != witness.length]
        self.witnesses.insert(bisect([known.length for known in self.witnesses], witness.length), witness)


class FaultBook:
    """All faults of a run, in order of first sight."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, ...], Fault] = {}
        self._n_noted = 0
        self._history: deque[tuple[int, TestCase]] = deque(maxlen=HISTORY_LENGTH)
        self._refused: deque[tuple[int, TestCase]] = deque(maxlen=REFUSED_LENGTH)
        self._recent: deque[tuple[int, TestCase]] = deque(maxlen=RECENT_LENGTH)
        self._ledger = Ledger()

    def __len__(self) -> int:
        return len(self._faults)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults.values())

    def note(self, evaluation: Evaluation, findings: Sequence[Finding], *, calls: int, elapsed_s: float) -> list[Fault]:
        """Takes in one evaluation; answers the faults seen for the first time."""
        new = []
        for finding in findings:
            known = self._faults.get(finding.key)
            if known is not None:
                known.times_seen += 1
                known.operations.setdefault(finding.operation)
                if known.wants(evaluation, len(self._ledger)):
                    known.add(self._witness(finding, evaluation))
                continue
            fault = Fault(
                id=f"F{len(self._faults) + 1}",
                witnesses=[self._witness(finding, evaluation)],
                operations={finding.operation: None},
                found_after_calls=calls,
                found_after_s=elapsed_s,
            )
            self._faults[finding.key] = fault
            new.append(fault)
        self._n_noted += 1
        noted = (self._n_noted, evaluation.test_case)
        self._recent.append(noted)
        if not is_safe(evaluation.test_case):
            is_refused = _is_refused(evaluation)
            (self._refused if is_refused else self._history).append(noted)
            if not is_refused:
                self._ledger.note(evaluation)
        return new

    def _witness(self, finding: Finding, evaluation: Evaluation) -> Witness:
        noted = dict([*self._history, *self._refused, *self._recent])
        likely = tuple(test_case for _, test_case in self._history)
        history = tuple(noted[number] for number in sorted(noted))
        return Witness(finding, evaluation, history, likely, self.background())

    def background(self) -> Background:
        """What was made since the SUT's start until now."""
        return Background(self._ledger, len(self._ledger))

    def forget_history(self) -> None:
        """The SUT was started afresh."""
        self._history.clear()
        self._refused.clear()
        self._recent.clear()
        self._ledger = Ledger()


def is_safe(test_case: TestCase) -> bool:
    """Whether no call of the test case asks the SUT to change its state. A refused call (4xx) may have changed it all the
    same: half-done work that is not undone is a common fault."""
    return all(call.operation.is_safe for call in test_case.calls)


def _is_refused(evaluation: Evaluation) -> bool:
    """Whether each call that asked for a change was answered 4xx."""
    return all(
        observation.response is not None and 400 <= observation.response.status < 500
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True)
        if not call.operation.is_safe
    )
