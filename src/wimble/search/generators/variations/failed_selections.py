"""Runs a test case of GraphQL again without the fields of its selections that could not be resolved.

The call has done what it was asked for, and only its answer lacks what later calls need.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Final

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.learned.failing_fields import without_fields
from wimble.spec.graphql.left_out_fields import FieldPath
from wimble.types import OperationId

MAX_OF_OPERATION: Final = 6
"""Number of combinations of failed fields of one operation that are left out."""


class FailedSelections(Generator):
    """Proposes the test case once for each operation and combination of failed fields, the oldest first."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[TestCase] = deque()
        self._seen: set[tuple[OperationId, frozenset[FieldPath]]] = set()
        self._n_seen: Counter[OperationId] = Counter()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._waiting.popleft(), self)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        if not evaluation.is_sut_lost:
            changed = self._without_failed(evaluation)
            if changed is not evaluation.test_case:
                self._waiting.append(changed)

    def _without_failed(self, evaluation: Evaluation) -> TestCase:
        """Returns the test case without fields that have failed, if one of its calls has shown something new."""
        test_case, is_new = evaluation.test_case, False
        for observation in evaluation.observations:
            failed = observation.exchange.failed_parts() if observation.outcome == "partial" else frozenset()
            if not failed or () in failed:
                continue
            index = observation.call_index
            operation = test_case.calls[index].operation.id
            is_new |= self._note(operation, failed)
            test_case = test_case.with_call(index, without_fields(test_case.calls[index], sorted(failed)))
        return test_case if is_new else evaluation.test_case

    def _note(self, operation: OperationId, failed: frozenset[FieldPath]) -> bool:
        if (operation, failed) in self._seen or self._n_seen[operation] >= MAX_OF_OPERATION:
            return False
        self._seen.add((operation, failed))
        self._n_seen[operation] += 1
        return True
