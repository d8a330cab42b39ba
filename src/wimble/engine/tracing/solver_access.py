"""What tracers have in common: the solvers beside a SUT, and how much of the search they may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from wimble.engine.session.budget import Budget
from wimble.engine.tracing.solver_processes import Solvers, SolverTicket
from wimble.engine.tracing.solver_share import ShareLimits, SolverShare
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
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


class SolverAccess:
    """Asks the solvers, within their share of the search. Subclasses trace; has to be closed."""

    def __init__(self, budget: Budget, is_stopped: Callable[[], bool], solvers: Solvers, limits: ShareLimits) -> None:
        self._budget = budget
        self._is_stopped = is_stopped
        self._solvers = solvers
        self.share = SolverShare(budget, limits)

    def close(self) -> None:
        """Ends the solvers."""
        self._solvers.close()

    def ask(self, question: Question, rank: int) -> Ticket:
        """Begins to solve a question, before those of a higher rank."""
        return _SharedTicket(self, self._solvers.ask(question, rank), self.moment_of(question))

    def moment_of(self, question: Question) -> int:
        """Returns the number by which `is_there` decides when the answer to the question can be read."""
        raise NotImplementedError

    def is_there(self, ticket: SolverTicket, moment: int) -> bool:
        """Whether an answer can be read without waiting; for a budget in calls, this must not depend on time."""
        raise NotImplementedError

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        """Grants the solver more of the search, once for a target that needs it, and once more for a solved one."""
        self.share.earn(target, is_solved=is_solved)

    @property
    def may_begin(self) -> bool:
        """Whether enough is left of the solver's share of the search for a round."""
        return self.share.may_begin

    @property
    def progress(self) -> float:
        """Used share of the search's budget, 0.0 to 1.0."""
        return self._budget.progress()

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


class _SharedTicket:
    def __init__(self, access: SolverAccess, ticket: SolverTicket, moment: int) -> None:
        self._access = access
        self._ticket = ticket
        self._moment = moment

    @property
    def is_there(self) -> bool:
        return self._access.is_there(self._ticket, self._moment)

    def answer(self) -> Answer:
        return self._access.read(self._ticket)
