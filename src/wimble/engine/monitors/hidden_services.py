"""Services that the SUT asks no more, since it keeps an earlier answer: tokens, keys, settings.

The first answer that such a program gets hides the service from all later test cases. So a test case that plans another
answer runs once more after a fresh start. What is planned and not asked for may have other reasons: whether a start
helps is learnt for each place.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, TypeAlias

from wimble.model.evaluation import Evaluation
from wimble.model.external import CONNECT_OUTCOMES, ExternalRequest
from wimble.model.setup_kinds.answer import Answer, answer_to

Place: TypeAlias = tuple[str, str, str, str]
"""(operation, origin, method, path template)."""

MAX_VAIN: Final = 3
"""Starts in vain for one place, of which more than half have to help after that."""
EVALUATIONS_PER_START: Final = 4
"""Starts may come after each so many evaluations."""
MAX_POOR: Final = 40
"""Starts that covered nothing new, after which they come seldom."""
EVALUATIONS_PER_POOR_START: Final = 40


class HiddenServices:
    """Learns from each evaluation which planned answers need a fresh start to be asked for."""

    def __init__(self) -> None:
        self._start = -1
        self._asked: set[Place] = set()
        """Places whose answers were asked for since the start."""
        self._tried: set[tuple[Place, Answer]] = set()
        self._helped: Counter[Place] = Counter()
        self._vain: Counter[Place] = Counter()
        self._n_since_start = 0
        self._n_poor = 0

    def note(self, evaluation: Evaluation, *, start: int) -> tuple[Place, ...]:
        """Returns the places for whose answers the test case should run again after a fresh start.

        start: the number of the SUT's start.
        """
        self._n_since_start += 1
        if start != self._start:
            self._start = start
            self._asked.clear()
        planned = evaluation.test_case.setup_of(Answer)
        if not planned:
            return ()
        got = self._note_requests(evaluation)
        is_due = self._n_since_start >= (
            EVALUATIONS_PER_START if self._n_poor < MAX_POOR else EVALUATIONS_PER_POOR_START
        )
        return self._hidden(evaluation, got) if is_due and self._asked and not evaluation.is_sut_lost else ()

    def note_again(self, evaluation: Evaluation, hidden: tuple[Place, ...], *, start: int, is_success: bool) -> None:
        """Learns whether the start has helped. is_success: whether something new was covered."""
        self._n_since_start = 0
        self._start = start
        self._asked.clear()
        got = self._note_requests(evaluation)
        for place in hidden:
            self._helped[place] += place in got
            self._vain[place] += place not in got
        self._n_poor = 0 if is_success else self._n_poor + 1

    def _note_requests(self, evaluation: Evaluation) -> set[Place]:
        got: set[Place] = set()
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, evaluation.test_case)
            if answer is not None:
                place = (evaluation.test_case.calls[request.call].operation.id, *answer.place[:3])
                got.add(place)
                self._tried.add((place, answer))
        self._asked |= got
        return got

    def _hidden(self, evaluation: Evaluation, got: set[Place]) -> tuple[Place, ...]:
        found = []
        operations = dict.fromkeys(call.operation.id for call in evaluation.test_case.calls)
        for _, answer in evaluation.test_case.setup_of(Answer):
            if answer.outcome in CONNECT_OUTCOMES:
                continue  # a request is never seen
            for operation in operations:
                place = (operation, *answer.place[:3])
                key = (place, answer)
                is_hidden = place in self._asked and place not in got and key not in self._tried
                if is_hidden and self._may_help(place):
                    self._tried.add(key)
                    found.append(place)
        return tuple(found)

    def _may_help(self, place: Place) -> bool:
        return self._vain[place] < MAX_VAIN or self._vain[place] < self._helped[place]
