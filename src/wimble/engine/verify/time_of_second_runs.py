"""The time that second runs of tests need, so that no test gets a first run for whose second one there is no time.

It is estimated by what the first runs have taken with their starts of the SUT. If the budget is in calls, there is no
such limit: runs have to be the same on each machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.repeated_runs import Run

RUNS_OF_SAFE: Final = 4
"""Number of runs after the first one of a test that changes nothing: each is short, since none needs a start."""


def second_run_s(first: Run) -> float:
    """Returns how long the runs after the first one will take, most likely."""
    return first.took_s * (RUNS_OF_SAFE if first.test_case.is_safe else 1)


def share_of(some: Sequence[Run], among: Sequence[Run], *, is_repeatable: bool) -> float:
    """Returns the share of the time for second runs that some tests need. is_repeatable: it is by their number then."""
    all_s = sum(map(second_run_s, among))
    return len(some) / len(among) if is_repeatable or all_s <= 0.0 else sum(map(second_run_s, some)) / all_s


class TimeOfSecondRuns:
    """What is needed for the tests that have run once, and whether there is time for one more."""

    def __init__(self, limit: PhaseLimit, start_s: float) -> None:
        """limit: the time for first and second runs. start_s: how long a start of the SUT takes."""
        self._limit = limit
        self._start_s = start_s
        self._firsts: list[Run] = []
        self._needed_s = 2 * start_s  # one for runs in reverse order, one on another day

    def note(self, first: Run) -> None:
        """Adds a test that has run once."""
        self._firsts.append(first)
        self._needed_s += second_run_s(first)

    def has_room_for(self, candidate: Candidate, *, has_run: bool) -> bool:
        """Whether a test can run twice in the time that is left; the first test has to be tried in any case.

        has_run: whether its first run is there already.
        """
        if not self._firsts:
            return True
        known = [one for one in self._firsts if one.test_case.is_safe == candidate.test_case.is_safe]
        if known:
            first_s, again_s = (sum(map(of_one, known)) / len(known) for of_one in (_took_s, second_run_s))
        else:
            first_s = again_s = 0.0 if candidate.test_case.is_safe else self._start_s
        return self._needed_s + again_s + (0.0 if has_run else first_s) <= self._limit.left_s

    @property
    def spare_share(self) -> float:
        """The share of the time that is left which second runs do not need."""
        return max(0.0, 1.0 - self._needed_s / max(self._limit.left_s, 1e-3))


def _took_s(first: Run) -> float:
    return first.took_s
