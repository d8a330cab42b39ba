"""What answers of one test case have to do with each other: sequences, and services that work while another fails.

A request is sent again in one call by a poll, a retry, or for the next page.

A program that has seen each answer of a service, each in a call of its own, may still wait for one after the other:
`pending`, then `done`. No target shows that, since both outcomes of the comparison are covered. So answers that have
led to something new follow each other where a request is sent again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final, TypeAlias

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import Answer, answer_to, new_answer
from wimble.model.testcase import TestCase
from wimble.search.external.request_templates import template_of

MAX_ANSWERS: Final = 6
"""Answers to one kind of request that are kept; further ones are dropped."""
MAX_REPEATED: Final = 2
"""Test cases with a request that is sent again that are kept, for each kind of request."""

MAX_FAILURES: Final = 3
"""How often one service of several fails while all others work, for each kind of request: what they answer has to be
found first.
"""

MIN_SERVICES: Final = 3
MAX_SERVICES: Final = 5
"""Services of one call of which each works once while all others fail. Of two, one fails anyway."""

Place: TypeAlias = tuple[object, ...]
"""(operation, origin, method, path)."""


class AnswersInTurn:
    """Keeps answers that have led to something new, and requests that were sent again, and joins them."""

    def __init__(self) -> None:
        self._led_on: defaultdict[Place, list[Answer]] = defaultdict(list)
        self._repeated: defaultdict[Place, list[tuple[TestCase, int]]] = defaultdict(list)
        self._n_failed: Counter[Place] = Counter()

    def note(self, evaluation: Evaluation, *, is_new: bool) -> Iterator[TestCase]:
        """Yields test cases in which one answer follows another one, or one of several services fails. is_new: whether
        the evaluation covers more.
        """
        test_case = evaluation.test_case
        if is_new:
            yield from self._one_fails(evaluation)
        yield from self._others_fail(evaluation)
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, test_case)
            if answer is None or answer.occurrence is not None or len(test_case.setup) >= MAX_SETUP:
                continue
            place = (test_case.calls[request.call].operation.id, answer.origin, answer.method, answer.path)
            if request.occurrence == 0 and is_new:
                yield from self._after_others(place, answer)
            elif request.occurrence > 0:
                yield from self._before_others(place, test_case, request.answered_by or 0)

    def with_others(self, test_case: TestCase) -> TestCase:
        """Returns the test case with what has led on elsewhere for the other requests of its last operation.

        One service fails while the others work.
        """
        operation = test_case.calls[-1].operation.id
        taken = {answer.request_kind for _, answer in test_case.setup_of(Answer)}
        added = [
            working[-1]
            for place, known in self._led_on.items()
            if place[0] == operation
            and place[1:] not in taken
            and (working := [one for one in known if one.is_success])
        ]
        room = max(0, MAX_SETUP - len(test_case.setup))
        return TestCase(test_case.calls, (*test_case.setup, *added[:room])) if added else test_case

    def _one_fails(self, evaluation: Evaluation) -> Iterator[TestCase]:
        """Yields test cases in which one of the services fails that have worked in one call."""
        test_case = evaluation.test_case
        working: defaultdict[int, dict[int, Answer]] = defaultdict(dict)
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, test_case)
            if answer is not None and request.answered_by is not None and answer.is_success:
                working[request.call][request.answered_by] = answer
        for call, answers in working.items():
            if len({answer.origin for answer in answers.values()}) < 2:
                continue
            for number, answer in answers.items():
                place = (test_case.calls[call].operation.id, *answer.place)
                if self._n_failed[place] < MAX_FAILURES:
                    self._n_failed[place] += 1
                    yield test_case.with_action(number, _refused(answer))

    def _others_fail(self, evaluation: Evaluation) -> Iterator[TestCase]:
        """Yields test cases in which one of the services works that one call asks, and all others fail.

        Each service that fails alone leaves two of three working, so a program that counts them gets no further.
        """
        test_case = evaluation.test_case
        asked: defaultdict[int, dict[str, Answer]] = defaultdict(dict)
        for request in evaluation.interactions_of(ExternalRequest):
            path = template_of(request.target, test_case)
            known = answer_to(request, test_case) or new_answer(request.origin, request.method, path, body={})
            asked[request.call].setdefault(request.origin, known)
        for call, answers in asked.items():
            operation = test_case.calls[call].operation.id
            place = (operation, *sorted(answers))
            if not MIN_SERVICES <= len(answers) <= MAX_SERVICES or self._n_failed[place]:
                continue
            if self._n_failed[(operation,)] >= MAX_FAILURES:
                continue
            self._n_failed.update((place, (operation,)))
            kept = tuple(one for one in test_case.setup if not isinstance(one, Answer))
            for working, answer in answers.items():
                others = (_refused(one) for origin, one in answers.items() if origin != working)
                yield TestCase(test_case.calls, (*kept, answer, *others)[:MAX_SETUP])

    def _after_others(self, place: Place, answer: Answer) -> Iterator[TestCase]:
        known = self._led_on[place]
        if answer in known or len(known) >= MAX_ANSWERS or answer.outcome == "hang":
            return
        known.append(answer)
        for test_case, number in self._repeated[place]:
            yield from _followed(test_case, number, answer)

    def _before_others(self, place: Place, test_case: TestCase, number: int) -> Iterator[TestCase]:
        known = self._repeated[place]
        answer = test_case.setup[number]
        if len(known) >= MAX_REPEATED or any(one.setup[at] == answer for one, at in known):
            return
        known.append((test_case, number))
        for later in self._led_on[place]:
            yield from _followed(test_case, number, later)


def _refused(answer: Answer) -> Answer:
    return new_answer(answer.origin, answer.method, answer.path, occurrence=answer.occurrence, outcome="refused")


def _followed(test_case: TestCase, number: int, later: Answer) -> Iterator[TestCase]:
    """Yields the test case whose answer is followed by another one, if that differs from it."""
    answer = test_case.setup[number]
    if isinstance(answer, Answer) and answer != later:
        setup = test_case.with_action(number, msgspec.structs.replace(answer, occurrence=0)).setup
        yield TestCase(test_case.calls, (*setup, later))
