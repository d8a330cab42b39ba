"""Notices a SUT that has become slower since its start: what calls have made piles up in it, and each further call takes longer.

LoopBack's to-dos, which go into a file as a whole at each change, answered 125 calls/s at first and 70 after 3,000 of them.

By the clock, so for searches that the clock ends only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.types import OperationId

N_FIRST: Final = 20
"""Answers of an operation by which it is known how long they take at first."""
WEIGHT: Final = 0.05
"""Of an answer in the moving mean of the later ones."""
FACTOR: Final = 1.5
"""How much longer operations have to take, all in all."""
PERIOD_IN_STARTS: Final = 10.0
"""A fresh start has to be so many times shorter than what it ends: a SUT that is slow for other reasons loses a tenth of its time at most."""
ASSUMED_START_S: Final = 2.0
"""How long a start takes, before there was one to measure."""


class _Pace(msgspec.Struct):
    """Of one operation, in seconds per answer."""

    n: int = 0
    first: float = 0.0
    latest: float = 0.0


class Slowdown:
    """Of one start of the SUT. All operations count alike, however often the search turns to them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started_s = clock()
        self._paces: dict[OperationId, _Pace] = {}
        self._first_s = self._latest_s = 0.0
        """Sums over the operations that are known."""

    def note(self, evaluation: Evaluation) -> None:
        """Takes in how long the answers of a test case took."""
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=True):
            if not observation.is_answered:
                continue
            pace = self._paces.get(call.operation.id)
            if pace is None:
                pace = self._paces[call.operation.id] = _Pace()
            pace.n += 1
            if pace.n < N_FIRST:
                pace.first += (observation.elapsed_s - pace.first) / pace.n
            elif pace.n == N_FIRST:
                pace.latest = pace.first = pace.first + (observation.elapsed_s - pace.first) / pace.n
                self._first_s += pace.first
                self._latest_s += pace.latest
            else:
                step_s = WEIGHT * (observation.elapsed_s - pace.latest)
                pace.latest += step_s
                self._latest_s += step_s

    def is_worth_a_start(self, start_s: float) -> bool:
        """start_s: how long one takes, as far as that is known; 0: nobody knows."""
        period_s = PERIOD_IN_STARTS * (start_s or ASSUMED_START_S)
        return self._latest_s > FACTOR * self._first_s and self._clock() - self._started_s >= period_s

    def forget(self) -> None:
        """The SUT was started afresh."""
        self._started_s = self._clock()
        self._paces.clear()
        self._first_s = self._latest_s = 0.0
