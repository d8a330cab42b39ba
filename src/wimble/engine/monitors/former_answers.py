"""Answers that the SUT has got from services in earlier test cases, and keeps: they belong to what ran after that.

A program that has kept the right answer goes on with it, whatever a later test case plans. Without it, that test case
would do something else after a fresh start, where the program asks again.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.external import CONNECT_OUTCOMES, ExternalRequest
from wimble.model.setup import MAX_SETUP, with_links_followed
from wimble.model.setup_kinds.answer import Answer, RequestKind, answer_to
from wimble.model.testcase import SetupAction, TestCase
from wimble.search.access.own_tokens import is_needed_key_answer
from wimble.search.external.request_templates import template_of
from wimble.types import OperationId


class FormerAnswers:
    """The planned answers that the SUT has got since its start; to each kind of request the last one."""

    def __init__(self, is_kept: Callable[[OperationId, RequestKind], bool]) -> None:
        """is_kept: whether the SUT is known to keep what it gets there for an operation."""
        self._is_kept = is_kept
        self._got: dict[RequestKind, tuple[Answer, SetupAction]] = {}
        """The answer as it was planned, and with values in place of its links."""

    def forget(self) -> None:
        """Forgets all, since the SUT has started afresh."""
        self._got.clear()

    def note(self, answer: Answer, test_case: TestCase) -> None:
        """Notes an answer of a test case that the SUT has got."""
        if self.latest(answer.request_kind) is not answer:
            self._got[answer.request_kind] = answer, with_links_followed(answer, test_case)

    def latest(self, kind: RequestKind) -> Answer | None:
        """Returns the answer that was got last, as it was planned."""
        known = self._got.get(kind)
        return None if known is None else known[0]

    def given_to(self, evaluation: Evaluation) -> Evaluation:
        """Returns the evaluation with the test case that has the same effect after a fresh start: kept answers are in
        the place of those that were planned and not asked for, and of none.
        """
        if not self._got or evaluation.is_sut_lost:
            return evaluation
        test_case = evaluation.test_case
        asked = self._asked(evaluation)
        given = {place: new for place, (_, new) in self._got.items() if place not in asked}
        setup = tuple(self._in_place_of(action, given, test_case) for action in test_case.setup)
        planned = {action.request_kind for action in setup if isinstance(action, Answer)}
        operations = dict.fromkeys(call.operation.id for call in test_case.calls)
        added = [
            new
            for place, new in given.items()
            if place not in planned and any(self._is_kept(operation, place) for operation in operations)
        ]
        setup = (*setup, *added[: max(0, MAX_SETUP - len(setup))])
        if len(setup) == len(test_case.setup) and all(a is b for a, b in zip(setup, test_case.setup, strict=True)):
            return evaluation
        return msgspec.structs.replace(
            evaluation,
            test_case=TestCase(test_case.calls, setup, test_case.at_once),
            proposed=evaluation.proposed or test_case,
        )

    def _asked(self, evaluation: Evaluation) -> set[RequestKind]:
        test_case, found = evaluation.test_case, set()
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, test_case)
            path = template_of(request.path, test_case) if answer is None else answer.path
            found.add((request.origin, request.method, path))
        return found

    def _in_place_of(
        self, action: SetupAction, given: dict[RequestKind, SetupAction], test_case: TestCase
    ) -> SetupAction:
        if not isinstance(action, Answer) or action.outcome in CONNECT_OUTCOMES:
            return action  # of a failure to connect no request is ever seen
        place = action.request_kind
        new = given.get(place)
        if new is None or action == new:
            return action
        is_kept = any(self._is_kept(call.operation.id, place) for call in test_case.calls)
        return new if is_kept or is_needed_key_answer(action, test_case) else action
