"""A SUT with tracing: the worker's own, started afresh with another environment, and back again afterwards.

It is not a second SUT beside the first one, because both would need the same port and the same databases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.tracing.solver_processes import SolverProcesses, SolverTicket
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.generators.solver.solver_inquiry import Trace
from wimble.search.mio import MioStrategy
from wimble.solve.path_conditions import CallInput, Path
from wimble.solve.questions import UNREAD, Answer, Question, Ticket

LEAST_S: Final = 2.0
SHARE_OF_SEARCH: Final = 0.1
"""How long the search may wait for the solver in all, beside its share of the time that the search has taken."""
LEAST_WORK: Final = 48_000_000
WORK_PER_CALL: Final = 4_000
"""The same for a budget in calls, in units of the solver's work: some seconds, and a millisecond per call."""
LEAST_SHARE_OF_ROUND: Final = 0.25
"""Of the least; if less is left, no round is begun."""


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
        self._spent_s = 0.0
        self._is_tracing = False
        self._begun_s = 0.0
        self._work = 0
        """What the answers took that were read; their order does not depend on time, and so neither does this sum."""

    @contextmanager
    def tracing(self) -> Iterator[Trace | None]:
        """Starts the SUT with tracing, and solvers, for as long as the context lasts; None if it does not come up so.

        Raises: TargetError, if it does not come up without tracing afterwards.
        """
        self._sut.trace(True)
        self._begun_s = self._budget.elapsed_s
        self._is_tracing = True
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
            self._is_tracing = False
            self._spent_s += self._budget.elapsed_s - self._begun_s

    @property
    def may_begin(self) -> bool:
        """Whether enough is left of the solver's share of the search for a round."""
        return self._left_share() >= LEAST_SHARE_OF_ROUND

    @property
    def is_over(self) -> bool:
        """Whether the solver's share of the search is used up, or the search is to end."""
        return self._is_stopped() or self._budget.is_spent or self._left_share() <= 0

    def _left_share(self) -> float:
        """Returns what is left of the solver's share of the search; 1.0 is the least that it has in all."""
        left_s = self.left_s()
        if left_s is not None:
            return left_s / LEAST_S
        return (LEAST_WORK + WORK_PER_CALL * self._budget.calls - self._work) / LEAST_WORK

    def left_s(self) -> float | None:
        """Returns for how long the search may still wait for the solver; None for no limit: a budget in calls."""
        if self._budget.is_repeatable:
            return None
        now_s = self._budget.elapsed_s
        present_s = now_s - self._begun_s if self._is_tracing else 0.0
        return max(0.0, LEAST_S + SHARE_OF_SEARCH * now_s - self._spent_s - present_s)

    def read(self, ticket: SolverTicket) -> Answer:
        """Waits for an answer as long as the solver's share allows."""
        if self._left_share() <= 0:
            return Answer(reason=UNREAD)
        answer = ticket.answer(self.left_s())
        self._work += answer.work
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

    def ask(self, question: Question) -> Ticket:
        return _SharedTicket(self._tracer, self._solvers.ask(question))


class _SharedTicket:
    def __init__(self, tracer: SutTracer, ticket: SolverTicket) -> None:
        self._tracer = tracer
        self._ticket = ticket

    def answer(self) -> Answer:
        return self._tracer.read(self._ticket)
