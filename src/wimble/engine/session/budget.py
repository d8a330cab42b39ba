"""The budget of the search: seconds, calls, or both; the one that is spent first ends the search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

LEAST_ALLOWANCE_S: Final = 30.0
"""How long what follows the search may take, however short the search was."""
LEAST_PATIENCE_S: Final = 1.0
COLD_CALL: Final = 3.0
"""How many times as long a call takes as in the search, whose process has run most code many times."""
MOST_LEFT_OUT: Final = 0.5
"""Share of the time of the search that may be left out of what follows it."""
LEAST_ALLOWED_STARTS: Final = 600
CALLS_PER_START: Final = 20
"""After a search with a budget in calls, what follows may start the SUT once for so many calls, and as often as that at
least. It takes no account of the clock."""


class Budget:
    """Measures progress in [0, 1].

    A budget in calls only does not use the clock, so that a run can be repeated exactly.
    """

    def __init__(
        self, *, max_time_s: float | None, max_calls: int | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        assert max_time_s is not None or max_calls is not None
        self.max_time_s = max_time_s
        self._max_calls = max_calls
        self._clock = clock
        self._start = clock()
        self._end: float | None = None
        self._calls = 0
        self._last_improvement = 0.0
        self._least_allowance_s = LEAST_ALLOWANCE_S
        self._left_out_s = 0.0
        self._n_starts = 0

    @property
    def calls(self) -> int:
        return self._calls

    def note_calls(self, n_calls: int) -> None:
        """Adds calls to those that are spent."""
        self._calls += n_calls

    @property
    def last_improvement(self) -> float:
        """Progress at the last newly covered target (the needed budget of [WB-JS] §4)."""
        return self._last_improvement

    def note_improvement(self) -> None:
        """Notes that a target was covered just now."""
        self._last_improvement = min(1.0, self.progress())

    def restart_clock(self) -> None:
        """Measures time from now on: the first call is about to be sent."""
        self._start = self._clock()

    def stop_clock(self) -> None:
        """Stops measuring time: the search is over."""
        self._end = self._clock()

    @property
    def elapsed_s(self) -> float:
        """Seconds since `restart_clock`, up to `stop_clock`."""
        return (self._clock() if self._end is None else self._end) - self._start

    def patience_s(self, n_calls: int) -> float:
        """Returns how long to wait for a test case with so many calls while others wait for their turn."""
        return LEAST_PATIENCE_S + self.cold_calls_s(n_calls)

    def cold_calls_s(self, n_calls: int) -> float:
        """Returns how long so many calls take soon after a start, by what those of the search have taken."""
        return COLD_CALL * n_calls * self.elapsed_s / max(1, self._calls)

    @property
    def allowance_s(self) -> float:
        """How long what follows the search may take: as long as the search has taken."""
        return max(self._least_allowance_s, self.elapsed_s)

    def allow_at_least(self, seconds: float) -> None:
        """Raises the least allowance."""
        self._least_allowance_s = max(self._least_allowance_s, seconds)

    @property
    def after_search_s(self) -> float:
        """Seconds since `stop_clock`, without what was left out."""
        return 0.0 if self._end is None else self._clock() - self._end - self._left_out_s

    @contextmanager
    def left_out(self) -> Iterator[None]:
        """Leaves the time within out of what follows the search, up to MOST_LEFT_OUT of the search in all."""
        begun_s = self._clock()
        try:
            yield
        finally:
            most_s = MOST_LEFT_OUT * self.elapsed_s
            self._left_out_s = min(most_s, self._left_out_s + self._clock() - begun_s)

    @property
    def allowed_starts(self) -> int:
        """How often what follows the search may start the SUT, if the budget is in calls only."""
        return max(LEAST_ALLOWED_STARTS, (self._max_calls or 0) // CALLS_PER_START)

    @property
    def starts_after_search(self) -> int:
        """Number of starts of the SUT since `stop_clock`."""
        return self._n_starts

    def note_start(self) -> None:
        """Notes that the SUT was started."""
        self._n_starts += self._end is not None

    @property
    def allowance_left_s(self) -> float | None:
        """Seconds that are left of the allowance; None if the budget is in calls only."""
        return None if self.is_repeatable else max(0.0, self.allowance_s - self.after_search_s)

    @property
    def left_s(self) -> float | None:
        """Seconds that the search has left at most; None if the budget is in calls only."""
        return None if self.max_time_s is None else max(0.0, self.max_time_s - self.elapsed_s)

    def progress(self) -> float:
        """Returns the used share of the budget, of seconds or of calls, whichever is larger; 0-1."""
        by_calls = self._calls / self._max_calls if self._max_calls is not None else 0.0
        by_time = self.elapsed_s / self.max_time_s if self.max_time_s is not None else 0.0
        return min(1.0, max(by_calls, by_time))

    @property
    def is_spent(self) -> bool:
        return self.progress() >= 1.0

    @property
    def is_repeatable(self) -> bool:
        """Whether the budget is in calls only."""
        return self.max_time_s is None

    @property
    def ended_by(self) -> Literal["time", "calls"]:
        """Which limit ended the search; `calls` if both are reached."""
        return "calls" if self._max_calls is not None and self._calls >= self._max_calls else "time"
