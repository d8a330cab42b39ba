"""The budget of the search: seconds, calls, or whichever of both ends first."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal


class Budget:
    """Progress in [0, 1]. With calls only, no clock takes part, so that a run can be repeated exactly."""

    def __init__(
        self, *, max_time_s: float | None, max_calls: int | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        assert max_time_s is not None or max_calls is not None
        self._max_time_s = max_time_s
        self._max_calls = max_calls
        self._clock = clock
        self._start = clock()
        self.calls = 0
        self.last_improvement = 0.0
        """Progress when something was covered last (the needed budget of seed 000 §4)."""

    def restart_clock(self) -> None:
        """The first call is about to be sent: time counts from here."""
        self._start = self._clock()

    @property
    def elapsed_s(self) -> float:
        return self._clock() - self._start

    def progress(self) -> float:
        by_calls = self.calls / self._max_calls if self._max_calls is not None else 0.0
        by_time = self.elapsed_s / self._max_time_s if self._max_time_s is not None else 0.0
        return min(1.0, max(by_calls, by_time))

    @property
    def is_spent(self) -> bool:
        return self.progress() >= 1.0

    @property
    def is_repeatable(self) -> bool:
        """Whether the budget is in calls alone."""
        return self._max_time_s is None

    @property
    def ended_by(self) -> Literal["time", "calls"]:
        return "calls" if self._max_calls is not None and self.calls >= self._max_calls else "time"
