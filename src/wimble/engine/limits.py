"""How long the phases after the search may take."""

from __future__ import annotations

import time

from wimble.engine.context import RunContext


class PhaseLimit:
    """A time limit as a share of the search's budget; none where the budget is in calls, so that runs can be repeated.

    Ctrl-C ends a phase as well.
    """

    def __init__(self, context: RunContext, *, share: float, at_least_s: float) -> None:
        self._stop = context.stop
        budget_s = context.settings.max_time_s
        is_timed = budget_s is not None and not context.budget.is_repeatable
        self._length_s = max(at_least_s, share * (budget_s or 0.0))
        self._end = time.monotonic() + self._length_s if is_timed else None

    @property
    def is_reached(self) -> bool:
        return self._stop.is_requested or (self._end is not None and time.monotonic() >= self._end)

    def is_spent(self, share: float) -> bool:
        """Whether that share of the time is over."""
        return self._end is not None and time.monotonic() >= self._end - (1.0 - share) * self._length_s

    def allows(self, duration_s: float, share: float) -> bool:
        """Whether so long fits into that share of the time."""
        return self._end is None or duration_s <= share * self._length_s
