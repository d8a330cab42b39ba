"""Answers with which one operation has got on, for the other operations that send the same request.

Operations share the code that calls a service. What one of them has shown of that code is covered, so no target asks
the others for the answer that lets them go on.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import Final

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup import MAX_SETUP, with_moved_calls
from wimble.model.setup_kinds.answer import BODY, Answer, RequestKind, answer_to
from wimble.model.testcase import TestCase
from wimble.types import ABSENT, OperationId

MAX_HELPED: Final = 3
"""Answers to one kind of request that are kept; the newest ones have come furthest."""
MAX_OFFERED: Final = 6
"""Answers of others that one operation gets for one kind of request."""


class SharedAnswers:
    """Hands answers on from operation to operation."""

    def __init__(self) -> None:
        self._helped: dict[RequestKind, deque[Answer]] = {}
        self._asking: dict[RequestKind, dict[OperationId, TestCase]] = {}
        """The test cases in which operations have sent a request that got no planned answer."""
        self._succeeded: set[tuple[OperationId, RequestKind]] = set()
        self._n_offered: Counter[tuple[OperationId, RequestKind]] = Counter()

    def note_asked(self, test_case: TestCase, request: ExternalRequest, path: str) -> Iterator[TestCase]:
        """Yields the test case, in which the request has got no planned answer, with those that have helped others."""
        place = (request.origin, request.method, path)
        operation = test_case.calls[request.call].operation.id
        self._asking.setdefault(place, {}).setdefault(operation, test_case)
        for answer in reversed(self._helped.get(place, ())):
            yield from self._offered(operation, place, test_case, answer)

    def note_success(self, evaluation: Evaluation) -> Iterator[TestCase]:
        """Yields test cases of other operations with answers after which calls have succeeded, or called another
        service.
        """
        test_case = evaluation.test_case
        succeeded = {one.call_index for one in evaluation.observations if one.outcome == "ok"}
        latest = {one.call: one.place for one in evaluation.interactions_of(ExternalRequest)}
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, test_case)
            is_success, has_led_on = request.call in succeeded, latest[request.call] != request.place
            if answer is None or not (is_success or has_led_on) or not _may_be_shared(answer):
                continue
            place, operation = answer.request_kind, test_case.calls[request.call].operation.id
            if is_success:
                self._succeeded.add((operation, place))
            yield from self._shared(operation, place, answer)

    def _shared(self, operation: OperationId, place: RequestKind, answer: Answer) -> Iterator[TestCase]:
        known = self._helped.setdefault(place, deque(maxlen=MAX_HELPED))
        (shared,) = with_moved_calls((answer,), {})
        if not isinstance(shared, Answer) or shared in known:
            return
        known.append(shared)
        for other, asking in self._asking.get(place, {}).items():
            if other != operation:
                yield from self._offered(other, place, asking, shared)

    def _offered(
        self, operation: OperationId, place: RequestKind, test_case: TestCase, answer: Answer
    ) -> Iterator[TestCase]:
        key = (operation, place)
        if key in self._succeeded or self._n_offered[key] >= MAX_OFFERED or len(test_case.setup) >= MAX_SETUP:
            return
        self._n_offered[key] += 1
        yield TestCase(test_case.calls, (*test_case.setup, answer), test_case.at_once)


def _may_be_shared(answer: Answer) -> bool:
    """Whether it says something; each operation gets an empty success by itself."""
    return (
        answer.is_success
        and answer.occurrence is None
        and answer.genes[BODY].phenotype() not in (ABSENT, None, {}, [], "")
    )
