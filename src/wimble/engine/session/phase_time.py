"""Time limits of the phases after the search."""

from __future__ import annotations

import time

from wimble.engine.session.budget import Budget
from wimble.engine.session.stop import StopRequest


class PhaseLimit:
    """A time limit as a share of the search's budget.

    If the budget is in calls, there is no time limit, so that runs can be repeated. A stop request ends a phase as
    well.
    """

    def __init__(self, budget: Budget, stop: StopRequest, *, share: float, at_least_s: float) -> None:
        self._stop = stop
        self._length_s = max(at_least_s, share * (budget.max_time_s or 0.0))
        self._end = None if budget.is_repeatable else time.monotonic() + self._length_s

    @property
    def is_reached(self) -> bool:
        """Whether the time is over, or a stop was requested."""
        return self._stop.is_requested or (self._end is not None and time.monotonic() >= self._end)

    def is_spent(self, share: float) -> bool:
        """Whether that share of the time is over."""
        return self._end is not None and time.monotonic() >= self._end - (1.0 - share) * self._length_s

    def allows(self, duration_s: float, share: float) -> bool:
        """Whether a duration fits into that share of the time."""
        return self._end is None or duration_s <= share * self._length_s
