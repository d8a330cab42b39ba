"""Circuit breakers that are open: an operation answers errors, and asks no more of the services that it asked before.

Failures of services open them, of which the search plans many, and they stay open for longer than most runs take. Until
then, no answer that is planned arrives. So the newest test case that met one runs once more after a fresh start.

A service to which connecting is planned to fail is not seen to be asked, so such test cases tell nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from wimble.engine.monitors.poor_starts import PoorStarts
from wimble.model.evaluation import Evaluation
from wimble.model.external import CONNECT_OUTCOMES, ExternalRequest
from wimble.model.setup_kinds.answer import Answer
from wimble.types import OperationId

MIN_SHUT: Final = 4
"""Calls of an operation that have failed without a request since one with a request: a few fail for other reasons."""
POOR_STARTS: Final = 2
"""After each so many starts that covered nothing new, twice as many such calls have to come before the next one."""
MAX_VAIN: Final = 2
"""Starts after which an operation did not ask either, of which more than half have to help after that."""


class OpenBreakers:
    """Learns from each evaluation whether a breaker is open."""

    def __init__(self) -> None:
        self._start = -1
        self._asked: set[OperationId] = set()
        """Operations that have asked a service since the start."""
        self._shut: Counter[OperationId] = Counter()
        """Calls that have failed without a request since then."""
        self._helped: Counter[OperationId] = Counter()
        self._vain: Counter[OperationId] = Counter()
        self._poor_starts = PoorStarts(POOR_STARTS)

    def note(self, evaluation: Evaluation, *, start: int, elapsed_s: float | None = None) -> OperationId | None:
        """Returns the operation for which this test case should run once more after a fresh start, if it should.

        start: the number of the SUT's start. elapsed_s: of the search; None: its budget is in calls.
        """
        if start != self._start:
            self._start = start
            self._asked.clear()
            self._shut.clear()
        test_case = evaluation.test_case
        if any(answer.outcome in CONNECT_OUTCOMES for _, answer in test_case.setup_of(Answer)):
            return None
        asking = {one.call for one in evaluation.interactions_of(ExternalRequest)} if evaluation.interactions else set()
        found = None
        for number, observation in enumerate(evaluation.observations):
            operation = test_case.calls[number].operation.id
            if number in asking:
                self._asked.add(operation)
                self._shut[operation] = 0
            elif observation.outcome == "failed" and operation in self._asked:
                self._shut[operation] += 1
                found = operation
        return found if found is not None and not evaluation.is_sut_lost and self._is_due(found, elapsed_s) else None

    def _is_due(self, operation: OperationId, elapsed_s: float | None) -> bool:
        if not self._poor_starts.leave_time(elapsed_s):
            return False
        may_help = self._vain[operation] < MAX_VAIN or self._vain[operation] < self._helped[operation]
        return may_help and self._shut[operation] >= MIN_SHUT * self._poor_starts.factor

    def note_again(
        self,
        evaluation: Evaluation,
        operation: OperationId,
        *,
        start: int,
        is_success: bool,
        start_s: float = 0.0,
    ) -> None:
        """Learns whether the start has helped: arguments as of `HiddenServices.note_again`."""
        self.note(evaluation, start=start)
        has_helped = operation in self._asked
        self._helped[operation] += has_helped
        self._vain[operation] += not has_helped
        self._poor_starts.note(start_s, is_success=is_success)
