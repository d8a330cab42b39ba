"""A SUT with tracing: the worker's own, started afresh with another environment, and back again afterwards.

It is not a second SUT beside the first one, because both would need the same port and the same databases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.tracing.solver_access import SolverAccess, TraceableSut
from wimble.engine.tracing.solver_processes import Solvers, SolverTicket
from wimble.engine.tracing.solver_share import IN_ROUNDS
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.testcase import TestCase
from wimble.search.generators.solver.solver_inquiry import Trace
from wimble.search.mio import MioStrategy
from wimble.solve.path_conditions import FollowedCall, TracedRun
from wimble.solve.questions import Question

AT_ONCE: Final = -1


class SutTracer(SolverAccess):
    """Traces on the SUT of one worker; has to be closed."""

    is_beside: Final = False

    def __init__(self, worker: Worker, sut: TraceableSut, budget: Budget, is_stopped: Callable[[], bool]) -> None:
        super().__init__(budget, is_stopped, Solvers(are_awaited=budget.is_repeatable), IN_ROUNDS)
        self._worker = worker
        self._sut = sut
        self._n_rounds = 0
        """Rounds that are over."""

    @contextmanager
    def tracing(self) -> Iterator[Trace | None]:
        """Starts the SUT with tracing for as long as the context lasts; None if it does not come up so.

        Raises: TargetError, if it does not come up without tracing afterwards.
        """
        self._sut.trace(True)
        self.share.begin()
        starts_s = 0.0
        try:
            try:
                starts_s = self._worker.timed_restart()
            except TargetError:
                yield None
            else:
                yield self
        finally:
            self._sut.trace(False)
            starts_s += self._worker.timed_restart()
            self.share.note_starts(starts_s)
            self.share.end()
            self._n_rounds += 1

    def moment_of(self, question: Question) -> int:
        """Returns the number of the round, for a question on which much work is spent."""
        return self._n_rounds if question.is_thorough else AT_ONCE

    def is_there(self, ticket: SolverTicket, moment: int) -> bool:
        """Whether an answer can be read without waiting.

        For a budget in calls, this must not depend on time: answers on which much work is spent can be read in the
        rounds after the one in which they were asked for.
        """
        return moment != self._n_rounds if self._budget.is_repeatable else ticket.is_done

    def run(self, test_case: TestCase, call: FollowedCall) -> TracedRun:
        """Runs a test case, whose calls count as those of the search."""
        traced, evaluation = self._sut.traced_run(test_case, call)
        self._budget.note_calls(len(test_case.calls))
        if evaluation.is_sut_lost:
            self._worker.restart()
        return traced


@contextmanager
def solver_for_search(coordinator: Coordinator, worker: Worker, sut: TraceableSut) -> Iterator[None]:
    """Lets the solver of a search that has one trace test cases on the worker's SUT, as long as the context lasts."""
    if not isinstance(coordinator.strategy, MioStrategy):
        yield
        return
    tracer = SutTracer(worker, sut, coordinator.budget, lambda: coordinator.stop.is_requested)
    coordinator.strategy.solver.trace_with(tracer)
    try:
        yield
    finally:
        tracer.close()
