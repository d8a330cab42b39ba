"""A SUT with tracing: the worker's own, started afresh with another environment, and back again afterwards.

It is not a second SUT beside the first one, because both would need the same port and the same databases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.tracing.solver_processes import SolverProcesses, SolverTicket
from wimble.engine.tracing.solver_share import SolverShare
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.generators.solver.solver_inquiry import Trace
from wimble.search.mio import MioStrategy
from wimble.solve.path_conditions import CallInput, Path
from wimble.solve.questions import UNREAD, Answer, Question, Ticket
from wimble.types import TargetId


class TraceableSut(Protocol):
    """A SUT that can be started with tracing."""

    def trace(self, is_on: bool) -> None:
        """Sets whether the next starts are with tracing."""

    def traced_path(
        self, test_case: TestCase, call: int, inputs: Sequence[CallInput]
    ) -> tuple[Path | None, Evaluation]:
        """Runs a test case and returns the path of one of its calls; it has to have been started with `trace`.

        inputs: of that call, which conditions may depend on.
        """
        ...


class SutTracer:
    """Traces on the SUT of one worker."""

    def __init__(self, worker: Worker, sut: TraceableSut, budget: Budget, is_stopped: Callable[[], bool]) -> None:
        self._worker = worker
        self._sut = sut
        self._budget = budget
        self._is_stopped = is_stopped
        self.share = SolverShare(budget)

    @contextmanager
    def tracing(self) -> Iterator[Trace | None]:
        """Starts the SUT with tracing, and solvers, for as long as the context lasts; None if it does not come up so.

        Raises: TargetError, if it does not come up without tracing afterwards.
        """
        self._sut.trace(True)
        self.share.begin()
        solvers = SolverProcesses()
        try:
            try:
                self._worker.restart()
            except TargetError:
                yield None
            else:
                yield _Trace(self, solvers)
        finally:
            solvers.close()
            self._sut.trace(False)
            self._worker.restart()
            self.share.end()

    @property
    def may_begin(self) -> bool:
        """Whether enough is left of the solver's share of the search for a round."""
        return self.share.may_begin

    @property
    def is_over(self) -> bool:
        """Whether the solver's share of the search is used up, or the search is to end."""
        return self._is_stopped() or self._budget.is_spent or self.share.left <= 0

    def read(self, ticket: SolverTicket) -> Answer:
        """Waits for an answer as long as the solver's share allows."""
        if self.share.left <= 0:
            return Answer(reason=UNREAD)
        answer = ticket.answer(self.share.left_s())
        self.share.note_work(answer.work)
        return answer

    def run(self, test_case: TestCase, call: int, inputs: Sequence[CallInput]) -> Path | None:
        """Runs a test case, whose calls count as those of the search."""
        path, evaluation = self._sut.traced_path(test_case, call, inputs)
        self._budget.note_calls(len(test_case.calls))
        if evaluation.is_sut_lost:
            self._worker.restart()
        return path


def trace_for_solver(coordinator: Coordinator, worker: Worker, sut: TraceableSut) -> None:
    """Lets the solver of a search that has one trace test cases on the worker's SUT."""
    if isinstance(coordinator.strategy, MioStrategy):
        tracer = SutTracer(worker, sut, coordinator.budget, lambda: coordinator.stop.is_requested)
        coordinator.strategy.solver.trace_with(tracer)


class _Trace:
    def __init__(self, tracer: SutTracer, solvers: SolverProcesses) -> None:
        self._tracer = tracer
        self._solvers = solvers

    @property
    def is_over(self) -> bool:
        return self._tracer.is_over

    def run(self, test_case: TestCase, call: int, inputs: Sequence[CallInput]) -> Path | None:
        return self._tracer.run(test_case, call, inputs)

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        self._tracer.share.earn(target, is_solved=is_solved)

    def ask(self, question: Question) -> Ticket:
        return _SharedTicket(self._tracer, self._solvers.ask(question))


class _SharedTicket:
    def __init__(self, tracer: SutTracer, ticket: SolverTicket) -> None:
        self._tracer = tracer
        self._ticket = ticket

    def answer(self) -> Answer:
        return self._tracer.read(self._ticket)
