"""Bounds for fresh starts in the search: those that cover nothing new make the next ones rarer, and have a share of the
time.
"""

from __future__ import annotations

from typing import Final

MAX_DOUBLINGS: Final = 6
SHARE_OF_STARTS: Final = 0.15
"""Share of the time that starts may take if they cover nothing new. With 0.08 and 2 free seconds, one of 35 guards
behind answers, which keeps what it gets, stayed closed in two of three runs of a minute; else in none.
"""
FREE_START_S: Final = 3.0
"""Seconds of such starts that a run may have in any case."""


class PoorStarts:
    """The starts for one purpose that covered nothing new; one that does takes as many back as double the wait."""

    def __init__(self, n_to_double: int) -> None:
        """n_to_double: after each so many of them, twice as much has to come before the next start."""
        self._n_to_double = n_to_double
        self._n_starts = 0
        self._spent_s = 0.0

    def note(self, start_s: float, *, is_success: bool) -> None:
        """Notes a start, how long it has taken, and whether something new was covered after it."""
        if is_success:
            self._n_starts = max(0, self._n_starts - self._n_to_double)
        else:
            self._n_starts += 1
            self._spent_s += start_s

    def leave_time(self, elapsed_s: float | None) -> bool:
        """Whether there is time for another one. elapsed_s: of the search; None: its budget is in calls."""
        return elapsed_s is None or self._spent_s <= FREE_START_S + SHARE_OF_STARTS * elapsed_s

    @property
    def factor(self) -> int:
        """How many times as much as at first has to come before the next start."""
        return 1 << min(self._n_starts // self._n_to_double, MAX_DOUBLINGS)
