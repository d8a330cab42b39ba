"""Runs of test cases on a fresh SUT, under the conditions of generated tests.

Such a run tells what a test case covers or shows, proves one that was made smaller, and is the first run of a test in
verification. Each is worth a start of the SUT, so none is made twice.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase

MAX_KEPT: Final = 300


class RunFreshness(NamedTuple):
    """How fresh the SUT was, and how long its late errors were waited for."""

    is_untouched: bool
    """Whether there was no call at all since its start; else there were some that ask for no change."""
    linger_s: float

    def suffices_for(self, other: RunFreshness) -> bool:
        return self.is_untouched >= other.is_untouched and self.linger_s >= other.linger_s


class Proofs:
    """The latest runs, by test case."""

    def __init__(self) -> None:
        self._runs: OrderedDict[int, tuple[RunFreshness, Evaluation]] = OrderedDict()
        self._by_shape: dict[tuple[str, ...], list[int]] = {}
        self._n_added = 0
        self._n_timed = 0
        self._timed_s = 0.0

    def note_duration(self, seconds: float) -> None:
        """Notes how long a run has taken, with the start that was made for it. For time limits only."""
        self._n_timed += 1
        self._timed_s += seconds

    @property
    def n_timed(self) -> int:
        """Number of starts that were made for a run."""
        return self._n_timed

    @property
    def mean_s(self) -> float:
        """How long a run takes, with the start that is made for it; 0 if that is not known."""
        return self._timed_s / self._n_timed if self._n_timed else 0.0

    def find(self, test_case: TestCase, needed: RunFreshness) -> Evaluation | None:
        """Returns the run of the test case on a SUT that was as fresh, or None."""
        for number in self._by_shape.get(_shape(test_case), ()):
            freshness, evaluation = self._runs[number]
            if freshness.suffices_for(needed) and evaluation.test_case == test_case:
                return evaluation
        return None

    def add(self, freshness: RunFreshness, evaluation: Evaluation) -> None:
        """Keeps a full evaluation."""
        self._runs[self._n_added] = freshness, evaluation
        self._by_shape.setdefault(_shape(evaluation.test_case), []).append(self._n_added)
        self._n_added += 1
        if len(self._runs) > MAX_KEPT:
            number, (_, oldest) = self._runs.popitem(last=False)
            self._by_shape[_shape(oldest.test_case)].remove(number)


def _shape(test_case: TestCase) -> tuple[str, ...]:
    return tuple(call.operation.id for call in test_case.calls)
