"""Traces a test case once for all targets that it came closest to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wimble.model.testcase import TestCase
from wimble.solve.path_conditions import CallInput, Path
from wimble.solve.questions import Question, Ticket
from wimble.types import TargetId

if TYPE_CHECKING:
    from wimble.search.generators.solver.solver_inquiry import Trace


class TracedOnce:
    """A SUT with tracing whose paths are kept as long as it runs."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._paths: dict[tuple[int, int], tuple[TestCase, Path | None]] = {}

    @property
    def is_over(self) -> bool:
        """Whether the budget of the search is spent, or the user stops it."""
        return self._trace.is_over

    def run(self, test_case: TestCase, call: int, inputs: Sequence[CallInput]) -> Path | None:
        """Runs a test case, or returns the path that it had before."""
        key = (id(test_case), call)  # the test case is kept, so the identity is not given again
        if key not in self._paths:
            self._paths[key] = (test_case, self._trace.run(test_case, call, inputs))
        return self._paths[key][1]

    def earn(self, target: TargetId, *, is_solved: bool) -> None:
        """Grants the solver more of the search."""
        self._trace.earn(target, is_solved=is_solved)

    def ask(self, question: Question, rank: int) -> Ticket:
        """Begins to solve a question, before those of a higher rank."""
        return self._trace.ask(question, rank)
