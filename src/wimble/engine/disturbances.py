"""Tests behind which others come to nothing, where all share a start: a mode that is switched on and stays in the SUT's memory, a limit that
is used up, a connection that is gone.

Databases are put back between tests, memory is not. Several tests in a row that show nothing of what they are there for are a sign of it. If
the first of them does on a fresh start, one of those before it is to blame; the last few are tried. What is found gets a start of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.faults import is_safe
from wimble.engine.verified import Run

MISSES = 3
"""Tests in a row, of those that may change something: single ones need state that the search had built up."""
MAX_SUSPECTS = 5
MAX_LOOKS = 8
"""Each takes up to MAX_SUSPECTS + 2 starts."""


class Disturbances:
    """Watches candidates that run one after the other, by their numbers."""

    def __init__(
        self,
        context: RunContext,
        candidates: Sequence[Candidate],
        run: Callable[[Candidate], Run],
        *,
        may_look: Callable[[], bool],
    ) -> None:
        """run: the candidate on the SUT as it is. may_look: whether there is time for starts."""
        self._context = context
        self._candidates = candidates
        self._run = run
        self._may_look = may_look
        self._before: list[int] = []
        """What ran since the last start, up to the first that missed."""
        self._missed: list[int] = []
        self._n_looks = 0

    def next_after(self, number: int, shown: Run | None) -> int:
        """Which candidate to go on with: the next one, or the first of those that were disturbed, on a fresh start. shown: what the one at
        `number` came to."""
        candidate = self._candidates[number]
        if candidate.is_disturbing:
            self._restart()
        elif is_safe(candidate.test_case):
            pass  # it may not even notice
        elif shows_something(candidate, shown):
            self._before += [*self._missed, number]
            self._missed.clear()
        else:
            self._missed.append(number)
            if len(self._missed) >= MISSES and self._n_looks < MAX_LOOKS and self._may_look():
                return self._look_back(number)
        return number + 1

    def _look_back(self, number: int) -> int:
        self._n_looks += 1
        first, suspects = self._missed[0], self._before[: -MAX_SUSPECTS - 1 : -1]
        self._restart()
        if not self._shows(first):
            return number + 1  # it is not what ran before them
        for suspect in suspects:
            self._restart()
            self._run(self._candidates[suspect])
            if not self._shows(first):
                self._candidates[suspect].is_disturbing = True
                break
        self._restart()
        return first

    def _shows(self, number: int) -> bool:
        candidate = self._candidates[number]
        return shows_something(candidate, self._run(candidate))

    def _restart(self) -> None:
        self._context.restart()
        self._before.clear()
        self._missed.clear()


def shows_something(candidate: Candidate, run: Run | None) -> bool:
    """Whether it is the fault that it is there for, or covers some of its targets at least."""
    if run is None:
        return False
    if candidate.fault_key is not None:
        return candidate.is_shown_by(run.evaluation, run.findings)
    return bool(candidate.shown_of(run.evaluation))


def restart_between(context: RunContext, before: Candidate, after: Candidate) -> None:
    """As generated suites do: a test with a start of its own has one, and leaves none to those behind it."""
    if before.is_disturbing or after.is_disturbing:
        context.restart()
