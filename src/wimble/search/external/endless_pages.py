"""Requests that one call sends again and again, since each answer leads to the next request: pages without a last one,
and jobs that are never done.

An answer that is planned for all requests of a kind is got as often as the program asks. A call that follows such pages
takes a hundred times as long as others, and shows no more than two of them do. So once that has been seen, later test
cases end with a second page, which leads no further. Where nothing is known that ends them, as where a job would have
to be `done`, or where a program never gives up, the connection is reset after the first answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, Literal

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import FIRST_FAILURE, Answer, RequestKind, answer_to, new_answer
from wimble.model.testcase import TestCase
from wimble.search.external.last_pages import Path, bare_page, last_page, leads
from wimble.search.external.request_templates import template_of
from wimble.types import OperationId

MAX_PAGES: Final = 12
"""Requests of one kind in one call that show that there is no end; clients that try again do so less often."""
SENT: Final = frozenset({"answer", "slow"})
"""Outcomes of answers that are sent whole."""
ENDLESS_PROBABILITY: Final = 0.1
"""Test cases that keep requests without an end, as a program may do something else with many pages. It is divided by
the number of such test cases so far, since each costs a time-out."""


class EndlessPages:
    """Knows the requests that were sent without end, and ends them in later test cases."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._endings: dict[tuple[RequestKind, bool], _Ending] = {}
        """By kind, and whether the answers are failures."""
        self._unplanned: dict[OperationId, dict[RequestKind, None]] = {}
        """By operation: the kinds that it sends without end where no answer is planned."""
        self._n_endless = 0
        """Evaluations without an end."""

    def observe(self, evaluation: Evaluation) -> None:
        """Learns which requests a call has sent without end."""
        if len(evaluation.interactions) <= MAX_PAGES:
            return
        n_sent: Counter[tuple[int, int | str]] = Counter()
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, evaluation.test_case)
            if answer is not None and (answer.occurrence is not None or answer.outcome not in SENT):
                continue
            key = (request.call, request.place if request.answered_by is None else request.answered_by)
            n_sent[key] += 1
            if n_sent[key] != MAX_PAGES + 1:
                continue
            self._n_endless += 1
            if answer is not None:
                self._note(answer, request)
            else:
                operation = evaluation.test_case.calls[request.call].operation.id
                kind = (request.origin, request.method, template_of(request.target, evaluation.test_case))
                self._unplanned.setdefault(operation, {})[kind] = None

    def _note(self, answer: Answer, request: ExternalRequest) -> None:
        key = _key(answer)
        ending = self._endings.get(key) or _Ending(leads(answer, request), "cut" if _is_failure(answer) else "last")
        while ending.of(answer) is None:
            ending = ending.stronger()
        self._endings[key] = ending

    def ended(self, test_case: TestCase) -> TestCase:
        """Returns the test case with a last page after each answer that has led on without end."""
        if not self._n_endless or self._rng.random() < ENDLESS_PROBABILITY / self._n_endless:
            return test_case
        for number, answer in test_case.setup_of(Answer):
            ending = self._endings.get(_key(answer))
            if ending is None or answer.occurrence is not None or answer.outcome not in SENT:
                continue
            last = ending.of(answer)
            if last is not None and len(test_case.setup) < MAX_SETUP:
                first = msgspec.structs.replace(answer, occurrence=_next_occurrence(test_case, answer))
                setup = (*test_case.with_action(number, first).setup, last)
                test_case = TestCase(test_case.calls, setup, test_case.at_once)
        return self._with_ends_of_unplanned(test_case) if self._unplanned else test_case

    def _with_ends_of_unplanned(self, test_case: TestCase) -> TestCase:
        planned = {answer.request_kind for _, answer in test_case.setup_of(Answer)}
        wanted = {kind: None for call in test_case.calls for kind in self._unplanned.get(call.operation.id, ())}
        added = tuple(new_answer(*kind, occurrence=1, outcome="reset") for kind in wanted if kind not in planned)
        if not added or len(test_case.setup) + len(added) > MAX_SETUP:
            return test_case
        return TestCase(test_case.calls, (*test_case.setup, *added), test_case.at_once)


class _Ending(msgspec.Struct, frozen=True):
    """How to end the pages of one kind of requests. The next way is taken once the one before did not end them."""

    led_on: Sequence[Path]
    """What led to the next request."""
    way: Literal["last", "bare", "cut"] = "last"
    """By a last page; one with nothing in it that may lead on; a connection that is reset."""

    def of(self, answer: Answer) -> Answer | None:
        """Returns the answer that ends them; None if it is the same."""
        if self.way == "cut":
            return new_answer(*answer.request_kind, outcome="reset")
        return bare_page(answer) if self.way == "bare" else last_page(answer, self.led_on)

    def stronger(self) -> _Ending:
        return _Ending(self.led_on, "bare" if self.way == "last" else "cut")


def _next_occurrence(test_case: TestCase, answer: Answer) -> int:
    alike = (one for _, one in test_case.setup_of(Answer) if one.request_kind == answer.request_kind)
    return max((one.occurrence + 1 for one in alike if one.occurrence is not None), default=0)


def _key(answer: Answer) -> tuple[RequestKind, bool]:
    return answer.request_kind, _is_failure(answer)


def _is_failure(answer: Answer) -> bool:
    return answer.status >= FIRST_FAILURE
