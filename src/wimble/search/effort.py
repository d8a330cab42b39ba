"""Keeps operations rare whose calls take far longer than those of the others.

An operation that never answers costs a time-out with each call. Called as often as the others, it takes most of the
search. So operations that take a hundred times as long as is usual share a tenth of the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import TestCase
from wimble.types import OperationId

FACTOR: Final = 100.0
"""How many times longer than usual calls of a slow operation take."""
LEAST_S: Final = 0.1
"""Shortest mean duration of a slow operation, in seconds."""
N_KNOWN: Final = 2
"""Number of calls after which the duration of an operation counts as known."""
SHARE: Final = 0.1
"""Largest share of the search that calls of slow operations may take together."""
LOST_S: Final = 0.5
"""Assumed duration of the start of the SUT after a call that has ended it."""
HUNG_S: Final = 2.0
"""In searches with a budget in calls: assumed duration of a call that was not answered in time."""
ANSWERED_S: Final = 0.005
"""In searches with a budget in calls: assumed duration of every other call."""


class _Spent(msgspec.Struct):
    n_calls: int = 0
    total_s: float = 0.0

    @property
    def mean_s(self) -> float:
        return self.total_s / self.n_calls if self.n_calls else 0.0


class Effort:
    """The time that the calls of each operation have taken.

    A search with a budget in calls is repeatable, so there the clock is not read: calls count as answered or hung.
    """

    def __init__(self, operations: Sequence[Operation], *, is_repeatable: bool) -> None:
        self._is_repeatable = is_repeatable
        self._spent = {operation.id: _Spent() for operation in operations}
        self._operations = {operation.id: operation for operation in operations}
        self._total_s = self._slow_s = 0.0
        self._slow: frozenset[OperationId] = frozenset()

    def note(self, evaluation: Evaluation) -> None:
        """Adds the durations of the calls of a test case."""
        is_suspect = False
        last = max((one.call_index for one in evaluation.observations if one.outcome != "not-run"), default=-1)
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            spent = self._spent.get(call.operation.id)
            if spent is None or observation.outcome == "not-run":
                continue
            is_hung = observation.outcome == "hung"
            elapsed_s = (HUNG_S if is_hung else ANSWERED_S) if self._is_repeatable else observation.elapsed_s
            if evaluation.is_sut_lost and observation.call_index == last:
                elapsed_s += LOST_S
            spent.n_calls += 1
            spent.total_s += elapsed_s
            self._total_s += elapsed_s
            if call.operation.id in self._slow:
                self._slow_s += elapsed_s
            is_suspect = is_suspect or elapsed_s >= LEAST_S
        if is_suspect:
            self._find_slow()

    def _find_slow(self) -> None:
        known = {name: spent for name, spent in self._spent.items() if spent.n_calls >= N_KNOWN}
        if len(known) < 2:
            return
        limit_s = max(LEAST_S, FACTOR * median(spent.mean_s for spent in known.values()))
        self._slow = frozenset(name for name, spent in known.items() if spent.mean_s >= limit_s)
        self._slow_s = sum(self._spent[name].total_s for name in self._slow)

    def admits(self, test_case: TestCase) -> bool:
        """Whether the test case calls no slow operation, or the slow ones have not used up their share."""
        if not self._slow or self._slow_s <= SHARE * self._total_s:
            return True
        return not any(call.operation.id in self._slow for call in test_case.calls)

    def least_called(self) -> Operation:
        """Returns the operation with the fewest calls among those that are not slow: at least half of all."""
        others = [name for name in self._operations if name not in self._slow]
        return self._operations[min(others, key=lambda name: self._spent[name].n_calls)]
