"""Requests that one call sends again and again, since each answer leads to the next request: pages without a last one.

An answer that is planned for all requests of a kind is got as often as the program asks. A call that follows such pages
takes a hundred times as long as others, and shows no more than two of them do. So once that has been seen, later test
cases end with a second page, which leads no further. Failures that are asked for again and again are left as they are:
that a program never gives up is a finding.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import FIRST_FAILURE, Answer, RequestKind, answer_to
from wimble.model.testcase import TestCase
from wimble.search.external.last_pages import Path, last_page, leads

MAX_PAGES: Final = 12
"""Requests of one kind in one call that show that there is no end; clients that try again do so less often."""
ENDLESS_PROBABILITY: Final = 0.1
"""Test cases that keep pages without an end: a program may do something else with many."""


class EndlessPages:
    """Knows the requests that were sent without end, and ends them in later test cases."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._leads: dict[RequestKind, list[Path]] = {}
        """The members that led to the next request."""

    def observe(self, evaluation: Evaluation) -> None:
        """Learns which requests a call has sent without end."""
        if len(evaluation.interactions) <= MAX_PAGES:
            return
        n_sent: Counter[tuple[int, int]] = Counter()
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, evaluation.test_case)
            if answer is None or answer.occurrence is not None or answer.status >= FIRST_FAILURE:
                continue
            key = (request.call, request.answered_by or 0)
            n_sent[key] += 1
            if n_sent[key] > MAX_PAGES and answer.request_kind not in self._leads:
                self._leads[answer.request_kind] = leads(answer, request)

    def ended(self, test_case: TestCase) -> TestCase:
        """Returns the test case with a last page after each answer that has led on without end."""
        if not self._leads or not test_case.setup or self._rng.random() < ENDLESS_PROBABILITY:
            return test_case
        own = Counter(answer.request_kind for _, answer in test_case.setup_of(Answer) if answer.occurrence is not None)
        for number, answer in test_case.setup_of(Answer):
            led_on = self._leads.get(answer.request_kind)
            if (
                led_on is None
                or answer.occurrence is not None
                or not answer.is_success
                or len(test_case.setup) >= MAX_SETUP
            ):
                continue
            last = last_page(answer, led_on)
            if last is not None:
                first = msgspec.structs.replace(answer, occurrence=own[answer.request_kind])
                setup = (*test_case.with_action(number, first).setup, last)
                test_case = TestCase(test_case.calls, setup, test_case.at_once)
        return test_case
