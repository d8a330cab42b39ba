"""A SUT with tracing: the worker's own, started afresh with another environment, and back again afterwards.

It is not a second SUT beside the first one, because both would need the same port and the same databases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.tracing.solver_processes import Solvers, SolverTicket
from wimble.engine.tracing.solver_share import SolverShare
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.generators.solver.solver_inquiry import Trace
from wimble.search.mio import MioStrategy
from wimble.solve.path_conditions import FollowedCall, TracedRun
from wimble.solve.questions import UNREAD, Answer, Question, Ticket
from wimble.types import TargetId

LOOK_S: Final = 0.1
"""How often it is looked whether an answer is waited for no longer."""


class TraceableSut(Protocol):
    """A SUT that can be started with tracing."""

    def trace(self, is_on: bool) -> None:
        """Sets whether the next starts are with tracing."""

    def traced_run(self, test_case: TestCase, call: FollowedCall) -> tuple[TracedRun, Evaluation]:
        """Runs a test case and returns the path of one of its calls; it has to have been started with `trace`."""
        ...


class SutTracer:
    """Traces on the SUT of one worker; has to be closed."""

    def __init__(self, worker: Worker, sut: TraceableSut, budget: Budget, is_stopped: Callable[[], bool]) -> None:
        self._worker = worker
        self._sut = sut
        self._budget = budget
        self._is_stopped = is_stopped
        self._solvers = Solvers()
        self._n_rounds = 0
        """Rounds that are over."""
        self.share = SolverShare(budget)

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

    def close(self) -> None:
        """Ends the solvers."""
        self._solvers.close()

    def ask(self, question: Question, rank: int) -> Ticket:
        """Begins to solve a question, before those of a higher rank."""
        return _SharedTicket(self, self._solvers.ask(question, rank), self._n_rounds if question.is_thorough else None)

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        """Grants the solver more of the search, once for a target that needs it, and once more for a solved one."""
        self.share.earn(target, is_solved=is_solved)

    def is_there(self, ticket: SolverTicket, asked_in: int | None) -> bool:
        """Whether an answer can be read without waiting.

        For a budget in calls, this must not depend on time: answers on which much work is spent can be read in the
        rounds after the one in which they were asked for.
        """
        return asked_in != self._n_rounds if self._budget.is_repeatable else ticket.is_done

    @property
    def may_begin(self) -> bool:
        """Whether enough is left of the solver's share of the search for a round."""
        return self.share.may_begin

    @property
    def is_over(self) -> bool:
        """Whether the solver's share of the search is used up, or the search is to end."""
        return self._is_stopped() or self._budget.is_spent or self.share.left <= 0

    def read(self, ticket: SolverTicket) -> Answer:
        """Waits for an answer as long as the solver's share, the search and the user allow."""
        answer = Answer(reason=UNREAD)
        while answer.reason == UNREAD and not self.is_over:
            left_s = self.share.left_s()
            answer = ticket.answer(LOOK_S if left_s is None else min(left_s, LOOK_S))
        self.share.note_work(answer.work)
        return answer

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


class _SharedTicket:
    def __init__(self, tracer: SutTracer, ticket: SolverTicket, asked_in: int | None) -> None:
        """asked_in: the number of the round, for a question on which much work is spent."""
        self._tracer = tracer
        self._ticket = ticket
        self._asked_in = asked_in

    @property
    def is_there(self) -> bool:
        return self._tracer.is_there(self._ticket, self._asked_in)

    def answer(self) -> Answer:
        return self._tracer.read(self._ticket)
