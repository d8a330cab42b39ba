"""Finds polluters among tests that share a start: tests that leave the SUT in a state in which later tests fail.

Such a test switches on a mode that stays in the SUT's memory, or uses up a limit. Databases are reset between tests,
memory is not. The sign of a polluter is that several tests close together show none of their targets or faults. If the
first of these tests shows them on a fresh start, a test before it is the polluter; the last few are tried. A polluter
gets a start of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.repeated_runs import Run
from wimble.engine.worker.worker import Worker

MISSES = 3
"""Number of tests among the latest `WINDOW` that show nothing; it starts the search for a polluter."""
WINDOW = 10
"""Number of latest tests that are regarded; only tests that may change something count. A single test that shows
nothing may need state that the search had built up.
"""
MAX_SUSPECTS = 5
MAX_LOOKS = 8
"""Maximum number of searches for a polluter; each takes up to MAX_SUSPECTS + 2 starts."""


class PolluterSearch:
    """Watches candidates that run one after the other, and identifies them by number."""

    def __init__(
        self,
        worker: Worker,
        candidates: Sequence[Candidate],
        run: Callable[[Candidate], Run],
        *,
        may_look: Callable[[], bool],
    ) -> None:
        """run: runs a candidate on the SUT as it is. may_look: whether there is time for further starts."""
        self._worker = worker
        self._candidates = candidates
        self._run = run
        self._may_look = may_look
        self._ran: list[tuple[int, bool]] = []
        """The tests since the last start that may change something, and whether they showed nothing."""
        self._n_looks = 0
        self._polluters: set[int] = set()

    @property
    def polluters(self) -> frozenset[int]:
        """Numbers of the candidates that were found to be polluters."""
        return frozenset(self._polluters)

    def next_after(self, number: int, shown: Run | None) -> int:
        """Returns the candidate to continue with: the next one, or the first victim, on a fresh start.

        shown: the run of the candidate at `number`.
        """
        candidate = self._candidates[number]
        if number in self._polluters:
            self._restart()
        elif not candidate.test_case.is_safe:  # a test that only reads may show its targets nevertheless
            self._ran.append((number, not shows_something(candidate, shown)))
            missed = [ran for ran, is_miss in self._ran[-WINDOW:] if is_miss]
            if len(missed) >= MISSES and self._n_looks < MAX_LOOKS and self._may_look():
                again = self._look_back(missed[0])
                return number + 1 if again is None else again
        return number + 1

    def _look_back(self, victim: int) -> int | None:
        """Returns the candidate to continue with on a fresh start; None if the victim shows nothing there either."""
        self._n_looks += 1
        before = [number for number, _ in self._ran if number < victim]
        self._restart()
        if not self._shows(victim):
            return None
        for suspect in before[: -MAX_SUSPECTS - 1 : -1]:
            self._restart()
            self._run(self._candidates[suspect])
            if not self._shows(victim):
                self._polluters.add(suspect)
                self._restart()
                return suspect + 1
        self._restart()
        return victim

    def _shows(self, number: int) -> bool:
        candidate = self._candidates[number]
        return shows_something(candidate, self._run(candidate))

    def _restart(self) -> None:
        self._worker.restart()
        self._ran.clear()


def shows_something(candidate: Candidate, run: Run | None) -> bool:
    """Whether the run shows the candidate's fault, or covers at least one of its targets."""
    if run is None:
        return False
    if candidate.fault_key is not None:
        return candidate.is_shown_by(run.evaluation)
    return bool(candidate.shown_of(run.evaluation))


def in_turn(worker: Worker, tests: Sequence[Run]) -> Iterator[Run]:
    """Yields the tests of a file, each when the SUT is in the state in which the suite runs it.

    That state is a fresh start, after which the tests before it have run.
    """
    worker.restart()
    for index, test in enumerate(tests):
        if index:
            restart_between(worker, tests[index - 1].candidate, test.candidate)
        yield test


def restart_between(worker: Worker, before: Candidate, after: Candidate) -> None:
    """Restarts the SUT as generated suites do: before and after a polluter."""
    if before.is_polluter or after.is_polluter:
        worker.restart()
