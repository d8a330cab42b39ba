"""Answers of services that have helped to cover something, which new test cases of the same operations get, too.

Without them, each new test case would stop at the first request to a service: requests without a plan get 404.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Final

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup import with_moved_calls
from wimble.model.setup_kinds.answer import Answer
from wimble.model.testcase import SetupAction, TestCase
from wimble.types import OperationId

GIVEN_PROBABILITY: Final = 0.8
"""Probability that a new test case gets known answers."""
MAX_SETS: Final = 6
"""Sets of answers that are kept for an operation; the newest ones have come furthest."""


class NoAnswers:
    """New test cases get no answers."""

    def given_to(self, test_case: TestCase) -> TestCase:
        return test_case

    def observe(self, evaluation: Evaluation) -> None:
        pass


class KnownAnswers(NoAnswers):
    """Keeps, for each operation, the answers with which its calls have covered something new."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._by_operation: dict[OperationId, deque[tuple[Answer, ...]]] = {}

    def given_to(self, test_case: TestCase) -> TestCase:
        """Returns the test case with known answers for the operations that it calls."""
        if not self._by_operation or self._rng.random() >= GIVEN_PROBABILITY:
            return test_case
        added: dict[tuple[object, ...], SetupAction] = {}
        for operation in dict.fromkeys(call.operation.id for call in reversed(test_case.calls)):
            known = self._by_operation.get(operation)
            for answer in self._rng.choice(known) if known else ():
                added.setdefault(answer.place, answer)
        if not added:
            return test_case
        return TestCase(test_case.calls, (*test_case.setup, *added.values()), test_case.at_once)

    def observe(self, evaluation: Evaluation) -> None:
        """Keeps the answers that were used in an evaluation that has covered something new.

        A hang without an end is not kept: each call with it lasts as long as a call may.
        """
        test_case = evaluation.test_case
        if any(one.outcome == "hung" for one in evaluation.observations):
            return
        used: dict[OperationId, dict[int, None]] = {}
        for request in evaluation.interactions_of(ExternalRequest):
            if request.answered_by is not None and request.answered_by < len(test_case.setup):
                operation = test_case.calls[request.call].operation.id
                used.setdefault(operation, {})[request.answered_by] = None
        for operation, numbers in used.items():
            actions = with_moved_calls(tuple(test_case.setup[number] for number in numbers), {})
            answers = tuple(action for action in actions if isinstance(action, Answer))
            known = self._by_operation.setdefault(operation, deque(maxlen=MAX_SETS))
            if answers and answers not in known:
                known.append(answers)
