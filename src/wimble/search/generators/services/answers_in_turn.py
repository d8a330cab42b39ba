"""What answers of one test case have to do with each other: sequences, and services that work while another fails.

A request is sent again in one call by a poll, a retry, or for the next page.

A program that has seen each answer of a service, each in a call of its own, may still wait for one after the other:
`pending`, then `done`. No target shows that, since both outcomes of the comparison are covered. So answers that have
led to something new follow each other where a request is sent again: at the second request, and also later, since a
program may count how often it has asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final, TypeAlias

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import Answer, RequestKind, answer_to, new_answer
from wimble.model.testcase import TestCase
from wimble.search.external.request_templates import template_of

MAX_ANSWERS: Final = 6
"""Answers to one kind of request that are kept; further ones are dropped."""
MAX_REPEATED: Final = 2
"""Test cases with a request that is sent again that are kept, for each kind of request and each number of them."""
MAX_BEFORE: Final = 3
"""Requests that are answered as before, at most, until another answer follows."""

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
        self._repeated: defaultdict[Place, list[_Repeated]] = defaultdict(list)
        self._n_failed: Counter[Place] = Counter()

    def note(self, evaluation: Evaluation, *, is_new: bool) -> Iterator[TestCase]:
        """Yields test cases in which one answer follows another one, or one of several services fails. is_new: whether
        the evaluation covers more.
        """
        test_case = evaluation.test_case
        if is_new:
            yield from self._one_fails(evaluation)
        yield from self._others_fail(evaluation)
        answered = [
            (request, answer)
            for request in evaluation.interactions_of(ExternalRequest)
            if (answer := answer_to(request, test_case)) is not None
        ]
        n_sent = Counter(answer.request_kind for _, answer in answered)
        for request, answer in answered if len(test_case.setup) < MAX_SETUP else ():
            kind = answer.request_kind
            place = (test_case.calls[request.call].operation.id, *kind)
            is_last = request.occurrence + 1 == n_sent[kind]
            if is_new and (is_last if answer.occurrence is not None else request.occurrence == 0):
                yield from self._after_others(place, msgspec.structs.replace(answer, occurrence=None))
            if 0 < request.occurrence <= MAX_BEFORE:
                yield from self._before_others(place, _Repeated(test_case, kind, request.occurrence))

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
        for repeated in self._repeated[place]:
            yield from _followed(repeated, answer)

    def _before_others(self, place: Place, repeated: _Repeated) -> Iterator[TestCase]:
        known = self._repeated[place]
        n_alike = sum(one.n_before == repeated.n_before for one in known)
        if n_alike >= MAX_REPEATED or any(one.answers == repeated.answers for one in known):
            return
        known.append(repeated)
        for later in self._led_on[place]:
            yield from _followed(repeated, later)


class _Repeated:
    """A test case in which a request was sent again."""

    def __init__(self, test_case: TestCase, kind: RequestKind, n_before: int) -> None:
        self.test_case = test_case
        self.n_before = n_before
        """Requests of the kind before the one that was sent again."""
        alike = {answer.occurrence: answer for _, answer in test_case.setup_of(Answer) if answer.request_kind == kind}
        usual = alike.get(None)
        got = [alike.get(occurrence, usual) for occurrence in range(n_before)]
        self.answers = tuple(
            msgspec.structs.replace(answer, occurrence=occurrence)
            for occurrence, answer in enumerate(got)
            if answer is not None
        )
        """What these have got."""
        self.others = tuple(
            action for action in test_case.setup if not isinstance(action, Answer) or action.request_kind != kind
        )


def _refused(answer: Answer) -> Answer:
    return new_answer(answer.origin, answer.method, answer.path, occurrence=answer.occurrence, outcome="refused")


def _followed(repeated: _Repeated, later: Answer) -> Iterator[TestCase]:
    """Yields the test case in which another answer follows those before, if it differs from all of them."""
    before = [msgspec.structs.replace(one, occurrence=None) for one in repeated.answers]
    setup = (*repeated.others, *repeated.answers, later)
    if before and later not in before and len(setup) <= MAX_SETUP:
        yield TestCase(repeated.test_case.calls, setup)
