"""Time limits of the phases after the search, which share one allowance: as long as the search has taken.

Each phase has to end by a share of the allowance. What a phase leaves of it is there for the phases after it.
"""

from __future__ import annotations

import math
import time
from copy import copy
from typing import Final

from wimble.engine.session.budget import Budget
from wimble.engine.session.stop import AFTER_STOP_S, StopRequest

DESCRIBED_BY: Final = 0.1
MINIMISED_BY: Final = 0.45
MINIMISED_IF_SHARED_BY: Final = 0.25
"""The same where tests share starts, since there is too little time: each of them runs four times in verification, and
long tests are better than none. Once it is known how long a run takes, it may be later."""
VERIFIED_BY: Final = 0.75
VERIFIED_IN_ONE_FILE_BY: Final = 0.8
"""The same where starts are so slow that all tests share one: there is no time for races then."""
FAULTS_ALONE_BY: Final = 0.9
"""The same for tests of faults on starts of their own, where the others share one (verify/faults_alone.py): a fault
without a test is a greater loss than a race."""
RACES_BY: Final = 0.97
"""The ends of the phases, as shares of the allowance. The rest is for writing, and for the step that a phase is in when
its time is over."""
POLLUTION_BY: Final = 0.15
ROUND_TRIPS_BY: Final = 0.8
CALLED_TWICE_BY: Final = 0.87
"""The same for the phases that only libraries have."""
GROWTH_BY: Final = 1.2
"""The last phase of libraries ends after the allowance: otherwise a long verification would leave no time for it."""
NO_STARTS_LEFT: Final = "out of starts of the SUT, whose number depends on --max-calls"
NO_TIME_LEFT: Final = "out of time, since what follows a search takes no longer than the search (--max-time)"
STOPPED: Final = f"the run was stopped, which leaves {AFTER_STOP_S:g} s for all that follows"
SECOND_RUNS_AFTER_STOP_SHARE: Final = 0.8
"""Share of the time after a stop for second runs of tests: without them the first runs would be for nothing."""
LEAST_SHARE: Final = 0.05
"""Share of the allowance that a phase gets even if the phases before it have used up its time."""
LEAST_SHARE_OF_RACES: Final = 0.1
"""The same for races: a closer look at one takes some fifty calls."""


class OutOfTime(Exception):
    """A test case was not run to its end, since its time, or that of its phase, was over."""


class PhaseLimit:
    """The limit of one phase, from now on: in seconds, or, if the budget is in calls, in starts of the SUT.

    Starts are most of what these phases take, and to count them lets runs be repeated. A stop request ends a phase as
    well, and those after it have a share of the time that is left after a stop.
    """

    def __init__(
        self,
        budget: Budget,
        stop: StopRequest,
        *,
        until: float,
        share: float = 1.0,
        share_after_stop: float | None = None,
        least: float = LEAST_SHARE,
    ) -> None:
        """until: the end, as a share of the allowance. share: of what is left until then. least: share of the allowance
        that the phase gets in any case.

        share_after_stop: if given, a stop request does not end the phase, but leaves it that share of the time after a
        stop, whatever it has used before.
        """
        self._stop = stop
        self._budget = budget
        allowance = budget.allowed_starts if budget.is_repeatable else budget.allowance_s
        used = budget.starts_after_search if budget.is_repeatable else budget.after_search_s
        self._until_s = until * budget.allowance_s
        self._length = max(least * allowance, share * (until * allowance - used))
        self._end = self._now + self._length
        self._share_after_stop = share_after_stop
        left_s = stop.left_s
        self._ends_after_stop_s = math.inf if left_s is None else time.monotonic() + share * left_s

    def part(self, share: float) -> PhaseLimit:
        """Returns the limit of a part of the phase: that share of what is left of it now."""
        limit = copy(self)
        limit._length = share * max(0.0, self._end - self._now)
        limit._end = self._now + limit._length
        return limit

    def end_by(self, until: float) -> None:
        """Ends the phase by that share of the allowance, if this is sooner. Not for a limit in starts."""
        left_s = max(0.0, until * self._budget.allowance_s - self._budget.after_search_s)
        self._length = min(self._length, left_s)
        self._end = min(self._end, time.monotonic() + left_s)

    def end_later(self, until: float) -> None:
        """Ends the phase by that share of the allowance, if this is later. Not for a limit in starts."""
        left_s = until * self._budget.allowance_s - self._budget.after_search_s
        longer_s = max(0.0, time.monotonic() + left_s - self._end)
        self._length += longer_s
        self._end += longer_s

    @property
    def _now(self) -> float:
        return self._budget.starts_after_search if self._budget.is_repeatable else time.monotonic()

    @property
    def is_reached(self) -> bool:
        """Whether the phase has used up what it may take, or a stop was requested."""
        left_s = self._stop.left_s
        if self._share_after_stop is not None and left_s is not None:
            return left_s <= (1.0 - self._share_after_stop) * AFTER_STOP_S
        return self._stop.is_requested or self._now >= self._end or time.monotonic() >= self._ends_after_stop_s

    @property
    def ends_s(self) -> float | None:
        """When the phase has used up its time, on the clock `time.monotonic`; None if the limit is in starts."""
        return None if self._budget.is_repeatable else self._end

    @property
    def left_s(self) -> float:
        """Seconds until the phase has used up what it may take; infinite if the limit is in starts."""
        stop_left_s = self._stop.left_s
        if self._share_after_stop is not None and stop_left_s is not None:
            return max(0.0, stop_left_s - (1.0 - self._share_after_stop) * AFTER_STOP_S)
        if self.is_reached:
            return 0.0
        ends_s = math.inf if self._budget.is_repeatable else self._end
        return min(ends_s, self._ends_after_stop_s) - time.monotonic()

    @property
    def reason(self) -> str:
        """Why something was left out, in a warning."""
        if self._stop.was_ever_requested:
            return STOPPED
        return NO_STARTS_LEFT if self._budget.is_repeatable else NO_TIME_LEFT

    def is_spent(self, share: float) -> bool:
        """Whether the phase has used up that share of what it may take."""
        return self._now >= self._end - (1.0 - share) * self._length

    def has_left(self, duration_s: float) -> bool:
        """Whether a duration fits into the time up to the phase's end, without the share that it gets in any case;
        always if the limit is in starts.
        """
        return self._budget.is_repeatable or self._budget.after_search_s + duration_s <= self._until_s

    def share_of(self, duration_s: float) -> float:
        """Returns the share of the time that a duration takes; none if the limit is in starts."""
        return 0.0 if self._budget.is_repeatable else duration_s / max(self._length, 1e-3)

    def allows(self, duration_s: float, share: float) -> bool:
        """Whether a duration fits into that share of the time; always if the limit is in starts."""
        return self._budget.is_repeatable or duration_s <= share * self._length


def limit_of_second_runs(budget: Budget, stop: StopRequest, *, until: float = VERIFIED_BY) -> PhaseLimit:
    """Returns the limit of the part of verification in which each test runs again."""
    return PhaseLimit(budget, stop, until=until, share_after_stop=SECOND_RUNS_AFTER_STOP_SHARE)


def limit_of_last_rounds(budget: Budget, stop: StopRequest) -> PhaseLimit:
    """Returns the limit for files of tests that have to run once more, without a test that was left out of them."""
    return PhaseLimit(budget, stop, until=RACES_BY, share_after_stop=SECOND_RUNS_AFTER_STOP_SHARE)
