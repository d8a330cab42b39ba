"""A library with tracing, in a process beside the one of the search, which goes on while the solver works.

Unlike an API, a library needs no port and no database of its own, so nothing has to be started afresh for a round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.tracing.solver_access import SolverAccess
from wimble.engine.tracing.solver_processes import Solvers, SolverTicket
from wimble.engine.tracing.solver_share import BESIDE
from wimble.errors import TargetError
from wimble.execute.sut.library_sut import LibrarySut
from wimble.model.testcase import TestCase
from wimble.search.generators.solver.solver_inquiry import Trace
from wimble.search.mio import MioStrategy
from wimble.solve.path_conditions import FollowedCall, TracedRun
from wimble.solve.questions import Question

CALLS_TO_ANSWER: Final = 50
"""With a budget in calls, an answer is read after so many further calls, and waited for then if it is not there."""
CALLS_TO_THOROUGH_ANSWER: Final = 500
"""The same of a question on which much work is spent."""


class LibraryTracer(SolverAccess):
    """Traces in a process of its own, which is started for the first round; has to be closed."""

    is_beside: Final = True

    def __init__(self, make_sut: Callable[[], LibrarySut], budget: Budget, is_stopped: Callable[[], bool]) -> None:
        """make_sut: makes one that has not been started."""
        super().__init__(budget, is_stopped, Solvers(are_awaited=budget.is_repeatable), BESIDE)
        self._make_sut = make_sut
        self._sut: LibrarySut | None = None
        self._has_failed = False

    @contextmanager
    def tracing(self) -> Iterator[Trace | None]:
        """Lets test cases be traced for as long as the context lasts; None if the library does not load so."""
        self.share.begin()
        try:
            self._start()
            yield None if self._has_failed else self
        finally:
            self.share.end()

    def _start(self) -> None:
        if self._sut is not None or self._has_failed:
            return
        self._sut = self._make_sut()
        self._sut.trace(True)
        try:
            self._sut.start()
        except TargetError:
            self._has_failed = True

    @property
    def is_over(self) -> bool:
        """Whether nothing can be traced any more, or not in this round."""
        return self._has_failed or super().is_over

    def moment_of(self, question: Question) -> int:
        """Returns after how many calls of the search the answer can be read."""
        return self._budget.calls + (CALLS_TO_THOROUGH_ANSWER if question.is_thorough else CALLS_TO_ANSWER)

    def is_there(self, ticket: SolverTicket, moment: int) -> bool:
        """Whether an answer can be read; for a budget in calls, this depends on these alone."""
        return self._budget.calls >= moment if self._budget.is_repeatable else ticket.is_done

    def run(self, test_case: TestCase, call: FollowedCall) -> TracedRun:
        """Runs a test case, whose calls count as those of the search."""
        assert self._sut is not None
        traced, evaluation = self._sut.traced_run(test_case, call)
        self._budget.note_calls(len(test_case.calls))
        if evaluation.is_sut_lost:
            try:
                self._sut.restart()
            except TargetError:
                self._has_failed = True
        return traced

    def close(self) -> None:
        """Ends the solvers and the process."""
        super().close()
        if self._sut is not None:
            self._sut.stop()
            self._sut.forget_log()


@contextmanager
def solver_for_library(coordinator: Coordinator, make_sut: Callable[[], LibrarySut]) -> Iterator[None]:
    """Lets the solver of a search that has one trace calls of the library, as long as the context lasts."""
    if not isinstance(coordinator.strategy, MioStrategy):
        yield
        return
    tracer = LibraryTracer(make_sut, coordinator.budget, lambda: coordinator.stop.is_requested)
    coordinator.strategy.solver.trace_with(tracer)
    try:
        yield
    finally:
        tracer.close()
