"""Headers that the program reads of an answer of a service, and that the answer does not have, are added to it.

The names of objects tell that a header is read, not of which message. So each answer that the program got in that test
case has the header once, with values as that header has them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random
from typing import Final

from wimble.genes.taint_markers import taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest, shown_origin
from wimble.model.hints import InputHint
from wimble.model.setup_kinds.answer import Answer, with_header
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal

MAX_WAITING: Final = 500
"""Maximum number of waiting test cases; further ones are dropped."""
_FORMS: Final = {
    "link": ('<{origin}{path}?page=2>; rel="next"',),
    "location": ("{origin}/moved", "/moved"),
    "content-location": ("{origin}/moved",),
    "etag": ('"{marker}"',),
    "last-modified": ("Wed, 01 Jan 2025 00:00:00 GMT",),
    "expires": ("Wed, 01 Jan 2025 00:00:00 GMT",),
    "date": ("Wed, 01 Jan 2025 00:00:00 GMT",),
    "retry-after": ("1", "Wed, 01 Jan 2025 00:00:00 GMT"),
    "content-disposition": ('attachment; filename="{marker}.txt"',),
    "content-range": ("bytes 0-1/{number}",),
    "cache-control": ("max-age=60", "no-store"),
    "set-cookie": ("{marker}={marker}; Path=/",),
    "www-authenticate": ('Bearer realm="{marker}"',),
}
"""Values of headers that have a syntax (RFC 9110, 8288, 6265, 6266)."""
_OTHERS: Final = ("{marker}", "0", "{number}", "true")
"""Values of all other headers."""


class AnswerHeaders(Generator):
    """Proposes the test cases of missing headers, the newest first."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self._known: set[tuple[object, ...]] = set()
        self._waiting: deque[TestCase] = deque(maxlen=MAX_WAITING)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._waiting.pop(), self)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
        if evaluation.is_sut_lost or not evaluation.test_case.setup:
            return
        for hint in evaluation.hints:
            if isinstance(hint, InputHint) and hint.location == "header":
                # The last one is proposed first.
                self._waiting.extend(reversed(list(self._trials(hint, evaluation))))

    def _trials(self, hint: InputHint, evaluation: Evaluation) -> Iterator[TestCase]:
        test_case, name = evaluation.test_case, hint.path[0].lower()
        if not 0 <= hint.call < len(test_case.calls):
            return
        operation = test_case.calls[hint.call].operation.id
        for request in evaluation.interactions_of(ExternalRequest):
            number = request.answered_by
            answer = test_case.setup[number] if number is not None and number < len(test_case.setup) else None
            if number is None or not isinstance(answer, Answer) or request.call != hint.call:
                continue
            key = (operation, *answer.place, answer.status, answer.form, name)
            if key in self._known or name in answer.headers(test_case):
                continue
            self._known.add(key)
            for form in _FORMS.get(name, _OTHERS):
                yield _replaced(test_case, number, with_header(answer, name, self._value(form, request)))

    def _value(self, form: str, request: ExternalRequest) -> str:
        return form.format(
            origin=shown_origin(request.origin),
            path=request.path,
            marker=taint_marker(self._rng),
            number=self._rng.randrange(1_000, 10_000),
        )


def _replaced(test_case: TestCase, number: int, answer: Answer) -> TestCase:
    return TestCase(test_case.calls, (*test_case.setup[:number], answer, *test_case.setup[number + 1 :]))
