"""Detects a SUT that has become slower since its start.

The cause is what calls have made: it accumulates, and each further call takes longer. Example: LoopBack's to-dos, which
are written into a file as a whole at each change, answered 125 calls/s at first and 70 after 3,000 calls. Slowness is
measured by the clock, so it is used only in searches with a time limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.types import OperationId

N_FIRST: Final = 20
"""Number of answers of an operation from which its initial duration is computed."""
WEIGHT: Final = 0.05
"""Weight of an answer in the moving mean of the later ones."""
FACTOR: Final = 1.5
"""How many times longer operations have to take, in sum."""
PERIOD_IN_STARTS: Final = 10.0
"""How many times longer than a start the SUT has to run before the next start. So a SUT that is slow for other reasons
loses at most a tenth of its time.
"""
ASSUMED_START_S: Final = 2.0
"""Duration of a start before one was measured."""


class _Pace(msgspec.Struct):
    """Durations of one operation, in seconds per answer."""

    n: int = 0
    first: float = 0.0
    latest: float = 0.0


class Slowdown:
    """The slow-down since one start of the SUT. All operations count alike, however often the search calls them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started_s = clock()
        self._paces: dict[OperationId, _Pace] = {}
        self._first_s = self._latest_s = 0.0
        """Sums over the operations with at least `N_FIRST` answers."""

    def note(self, evaluation: Evaluation) -> None:
        """Adds the durations of a test case's answers."""
        for call, observation in evaluation.sent_calls():
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
        """Whether the SUT is so slow that a fresh start pays.

        start_s: how long a start takes; 0 if unknown.
        """
        period_s = PERIOD_IN_STARTS * (start_s or ASSUMED_START_S)
        return self._latest_s > FACTOR * self._first_s and self._clock() - self._started_s >= period_s

    def forget(self) -> None:
        """Adapts to a fresh start of the SUT."""
        self._started_s = self._clock()
        self._paces.clear()
        self._first_s = self._latest_s = 0.0
