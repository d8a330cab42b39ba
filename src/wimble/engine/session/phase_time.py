"""Time limits of the phases after the search, which share one allowance: as long as the search has taken.

Each phase has to end by a share of the allowance. What a phase leaves of it is there for the phases after it.
"""

from __future__ import annotations

import time
from typing import Final

from wimble.engine.session.budget import Budget
from wimble.engine.session.stop import StopRequest

DESCRIBED_BY: Final = 0.1
MINIMISED_BY: Final = 0.5
VERIFIED_BY: Final = 0.85
RACES_BY: Final = 0.97
"""The ends of the phases, as shares of the allowance. The rest is for writing, and for the step that a phase is in when
its time is over."""
NO_TIME_LEFT: Final = "out of time, since what follows a search takes no longer than the search (--max-time)"
LEAST_SHARE: Final = 0.05
"""Share of the allowance that a phase gets even if the phases before it have used up its time."""


class PhaseLimit:
    """The time limit of one phase, from now on.

    If the budget is in calls, there is no time limit, so that runs can be repeated. A stop request ends a phase as
    well.
    """

    def __init__(self, budget: Budget, stop: StopRequest, *, until: float, share: float = 1.0) -> None:
        """until: the end, as a share of the allowance. share: of the time that is left until then."""
        self._stop = stop
        allowance_s = budget.allowance_s
        self._length_s = max(LEAST_SHARE * allowance_s, share * (until * allowance_s - budget.after_search_s))
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
