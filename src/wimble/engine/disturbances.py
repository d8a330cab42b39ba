"""Tests behind which others come to nothing, where all share a start: a mode that is switched on and stays in the SUT's memory, a limit that
is used up.

Databases are put back between tests, memory is not. Several tests close together that show nothing of what they are there for are a sign of it. If
the first of them does on a fresh start, one of those before it is to blame; the last few are tried. What is found gets a start of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.faults import is_safe
from wimble.engine.verified import Run

MISSES = 3
WINDOW = 10
"""So many of the last so many tests that may change something: single ones need state that the search had built up."""
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
        self._ran: list[tuple[int, bool]] = []
        """Since the last start: tests that may change something, and whether they showed nothing."""
        self._n_looks = 0

    def next_after(self, number: int, shown: Run | None) -> int:
        """Which candidate to go on with: the next one, or the first of those that were disturbed, on a fresh start. shown: what the one at
        `number` came to."""
        candidate = self._candidates[number]
        if candidate.is_disturbing:
            self._restart()
        elif not is_safe(candidate.test_case):  # what only reads may not even notice
            self._ran.append((number, not shows_something(candidate, shown)))
            missed = [ran for ran, is_miss in self._ran[-WINDOW:] if is_miss]
            if len(missed) >= MISSES and self._n_looks < MAX_LOOKS and self._may_look():
                again = self._look_back(missed[0])
                return number + 1 if again is None else again
        return number + 1

    def _look_back(self, missed: int) -> int | None:
        """The candidate to go on with on a fresh start; None where those that missed do so there, too."""
        self._n_looks += 1
        before = [number for number, _ in self._ran if number < missed]
        self._restart()
        if not self._shows(missed):
            return None
        for suspect in before[: -MAX_SUSPECTS - 1 : -1]:
            self._restart()
            self._run(self._candidates[suspect])
            if not self._shows(missed):
                self._candidates[suspect].is_disturbing = True
                self._restart()
                return suspect + 1
        self._restart()
        return missed

    def _shows(self, number: int) -> bool:
        candidate = self._candidates[number]
        return shows_something(candidate, self._run(candidate))

    def _restart(self) -> None:
        self._context.restart()
        self._ran.clear()


def shows_something(candidate: Candidate, run: Run | None) -> bool:
    """Whether it is the fault that it is there for, or covers some of its targets at least."""
    if run is None:
        return False
    if candidate.fault_key is not None:
        return candidate.is_shown_by(run.evaluation, run.findings)
    return bool(candidate.shown_of(run.evaluation))


def in_turn(context: RunContext, tests: Sequence[Run]) -> Iterator[Run]:
    """The tests of a file, each when the SUT is as it finds it: on a fresh start, behind those before it."""
    context.restart()
    for index, test in enumerate(tests):
        if index:
            restart_between(context, tests[index - 1].candidate, test.candidate)
        yield test


def restart_between(context: RunContext, before: Candidate, after: Candidate) -> None:
    """As generated suites do: a test with a start of its own has one, and leaves none to those behind it."""
    if before.is_disturbing or after.is_disturbing:
        context.restart()
