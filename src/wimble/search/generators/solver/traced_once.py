"""Traces a test case once for all targets that it came closest to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wimble.model.testcase import TestCase
from wimble.solve.path_conditions import FollowedCall, TracedRun
from wimble.solve.questions import Question, Ticket
from wimble.types import TargetId

if TYPE_CHECKING:
    from wimble.search.generators.solver.solver_inquiry import Trace


class TracedOnce:
    """A SUT with tracing; what runs on it has shown is kept as long as it runs."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._runs: dict[tuple[int, int], tuple[TestCase, FollowedCall, TracedRun]] = {}
        """By test case and index of the call."""

    @property
    def is_over(self) -> bool:
        """Whether the budget of the search is spent, or the user stops it."""
        return self._trace.is_over

    @property
    def is_beside(self) -> bool:
        """Whether the search goes on while the solver works."""
        return self._trace.is_beside

    def run(self, test_case: TestCase, call: FollowedCall) -> TracedRun:
        """Runs a test case, or returns what it has shown before of the call and its condition."""
        key = (id(test_case), call.number)  # the test case is kept, so the identity is not given again
        if key in self._runs:
            _, followed, traced = self._runs[key]
            if (followed.condition, followed.wanted) == (call.condition, call.wanted):
                return traced
            if traced.path is None or any(entry.site == call.condition for entry in traced.path.entries):
                return TracedRun(traced.path)
        traced = self._trace.run(test_case, call)
        self._runs[key] = (test_case, call, traced)
        return traced

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        """Grants the solver more of the search."""
        self._trace.earn(target, is_solved=is_solved)

    def ask(self, question: Question, rank: int) -> Ticket:
        """Begins to solve a question, before those of a higher rank."""
        return self._trace.ask(question, rank)
