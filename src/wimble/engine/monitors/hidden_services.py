"""Services that the SUT asks no more, since it keeps an earlier answer: tokens, keys, settings.

The first answer that such a program gets hides the service from all later test cases. So a test case that plans another
answer runs once more after a fresh start. If several wait for one, edits come first, which hold what the program
compares with the kept answer; then the newest. What is planned and not asked for may have other reasons: whether a
start helps is learnt for each place. A service that was only ever asked after another one, which fails now, needs none.

What was tried so may be worse than what it has taken the place of, for all that comes then: an empty list of keys. So
an answer that has covered something new comes back in the same way.

What a program does with an answer that it keeps is credited to that answer, not to the one that was planned meanwhile
(former_answers.py).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from wimble.engine.monitors.former_answers import FormerAnswers
from wimble.engine.monitors.poor_starts import PoorStarts
from wimble.model.evaluation import Evaluation
from wimble.model.external import CONNECT_OUTCOMES, ExternalRequest
from wimble.model.setup_kinds.answer import Answer, RequestKind, answer_to
from wimble.model.testcase import TestCase
from wimble.search.external.request_templates import is_named_by_input, template_of
from wimble.types import OperationId

Place: TypeAlias = tuple[str, str, str, str]
"""(operation, origin, method, path template)."""

MAX_VAIN: Final = 3
"""Starts in vain for one place, of which more than half have to help after that."""
EVALUATIONS_PER_START: Final = 4
"""Starts may come after each so many evaluations, while they pay: a start takes as long as 10 to 100 calls."""
POOR_STARTS: Final = 4
"""After each so many starts that covered nothing new, whichever place they were for, twice as many evaluations have to
come before the next one; one that does takes as many back. An API with twenty operations, each of which calls another
service and none of which keeps answers, had 60 starts in vain: three for each place, which took 25 of its 60 s. At most
256 evaluations have to come: programs may keep what comes late, too.
"""
MAX_RETURNS: Final = 12
"""How often answers that have covered something new come back to one place."""
MAX_TARGETS: Final = 1_000
"""Requests of one start that are told apart."""
MAX_WAITING: Final = 50
"""Test cases that wait for a start; of more, the oldest are dropped."""


class Repetition(NamedTuple):
    """A test case that is to run after a fresh start, for the answers of these places."""

    test_case: TestCase
    places: tuple[Place, ...]


class HiddenServices:
    """Learns from each evaluation which planned answers need a fresh start to be asked for."""

    def __init__(self) -> None:
        self._start = -1
        self._asked: set[Place] = set()
        """Places that were asked for since the start, whether an answer was planned for them or not."""
        self._before: dict[Place, set[Place]] = {}
        """Place -> those that were asked for earlier in each call that has asked for it."""
        self._asked_targets: set[Place] = set()
        """The same requests without a planned answer, with their paths in the place of templates."""
        self._waiting: deque[Repetition] = deque(maxlen=MAX_WAITING)
        self._waiting_edits: deque[Repetition] = deque(maxlen=MAX_WAITING)
        self._tried: set[tuple[Place, Answer]] = set()
        self._worthy: set[tuple[Place, Answer]] = set()
        """Those with which something new was covered."""
        self._n_returns: Counter[Place] = Counter()
        self._helped: Counter[Place] = Counter()
        self._vain: Counter[Place] = Counter()
        self._n_since_start = 0
        self._poor_starts = PoorStarts(POOR_STARTS)
        self._former = FormerAnswers(self._keeps)

    def as_after_start(self, evaluation: Evaluation, *, start: int) -> Evaluation:
        """Returns the evaluation with the test case that would have the same effect after a fresh start.

        start: the number of the SUT's start in which it ran.
        """
        self._note_start(start)
        return self._former.given_to(evaluation)

    def note(
        self,
        evaluation: Evaluation,
        *,
        start: int,
        is_success: bool = False,
        is_edit: bool = False,
        elapsed_s: float | None = None,
        may_start: Callable[[], bool] = lambda: True,
    ) -> Repetition | None:
        """Returns what should run now after a fresh start: this test case, or one that waits for it.

        start: the number of the SUT's start. is_success: whether something new was covered. is_edit: whether a hint has
        asked for the test case. elapsed_s: of the search; None: its budget is in calls, and time does not count.
        may_start: whether a fresh start may come now; asked only if one is due.
        """
        self._n_since_start += 1
        self._note_start(start)
        got = self._note_requests(evaluation, is_success=is_success) if evaluation.interactions else set()
        if self._asked and not evaluation.is_sut_lost and evaluation.test_case.setup_of(Answer):
            hidden = self._hidden(evaluation, got)
            if hidden:
                waiting = self._waiting_edits if is_edit else self._waiting
                waiting.append(Repetition(evaluation.test_case, hidden))
        is_any = self._waiting or self._waiting_edits
        return self._next() if is_any and self._is_due(elapsed_s) and may_start() else None

    def _is_due(self, elapsed_s: float | None) -> bool:
        n_needed = EVALUATIONS_PER_START * self._poor_starts.factor
        return self._poor_starts.leave_time(elapsed_s) and self._n_since_start >= n_needed

    def _next(self) -> Repetition | None:
        for waiting in (self._waiting_edits, self._waiting):
            while waiting:
                again = waiting.pop()
                if any(map(self._may_help, again.places)):
                    return again
        return None

    def _note_start(self, start: int) -> None:
        if start != self._start:
            self._start = start
            self._asked.clear()
            self._former.forget()
            self._asked_targets.clear()

    def note_again(
        self,
        evaluation: Evaluation,
        hidden: tuple[Place, ...],
        *,
        start: int,
        is_success: bool,
        start_s: float = 0.0,
    ) -> None:
        """Learns whether the start has helped. is_success: whether something new was covered. start_s: how long it
        has taken.
        """
        self._n_since_start = 0
        self._note_start(start)
        got = self._note_requests(evaluation, is_success=is_success)
        for place in hidden:
            self._helped[place] += place in got
            self._vain[place] += place not in got
        self._poor_starts.note(start_s, is_success=is_success)

    def _note_requests(self, evaluation: Evaluation, *, is_success: bool) -> set[Place]:
        got: set[Place] = set()
        earlier: dict[int, set[Place]] = {}
        for request in evaluation.interactions_of(ExternalRequest):
            answer = answer_to(request, evaluation.test_case)
            operation = evaluation.test_case.calls[request.call].operation.id
            if is_named_by_input(request.origin, evaluation.test_case):
                continue  # another input names another host
            of_call = earlier.setdefault(request.call, set())
            asked = _place_of(request, answer, evaluation.test_case)
            self._before[asked] = self._before.get(asked, of_call) & of_call
            of_call.add(asked)
            if answer is None:
                self._note_unplanned((operation, request.origin, request.method, request.path), evaluation.test_case)
            else:
                place = (operation, *answer.request_kind)
                got.add(place)
                self._tried.add((place, answer))
                self._former.note(answer, evaluation.test_case)
                if is_success:
                    self._worthy.add((place, answer))
        self._asked |= got
        return got

    def _note_unplanned(self, place: Place, test_case: TestCase) -> None:
        """Notes a request that got no planned answer: the program may keep the answer that it got instead."""
        if place not in self._asked_targets and len(self._asked_targets) < MAX_TARGETS:
            self._asked_targets.add(place)
            self._asked.add((*place[:3], template_of(place[3], test_case)))

    def _hidden(self, evaluation: Evaluation, got: set[Place]) -> tuple[Place, ...]:
        found = []
        operations = dict.fromkeys(call.operation.id for call in evaluation.test_case.calls)
        failed = _failed(evaluation)
        for _, answer in evaluation.test_case.setup_of(Answer):
            if answer.outcome in CONNECT_OUTCOMES:
                continue  # a request is never seen
            for operation in operations:
                place = (operation, *answer.request_kind)
                key = (place, answer)
                if place not in self._asked or place in got or not self._may_help(place):
                    continue
                if self._before.get(place, frozenset()) & failed:
                    continue
                is_other = self._former.latest(place[1:]) != answer
                is_back = is_other and key in self._worthy and self._n_returns[place] < MAX_RETURNS
                if key not in self._tried or is_back:
                    self._n_returns[place] += key in self._tried
                    self._tried.add(key)
                    found.append(place)
        return tuple(found)

    def _keeps(self, operation: OperationId, place: RequestKind) -> bool:
        """Whether fresh starts have shown more often than not that the SUT keeps what it gets there."""
        return self._helped[operation, *place] > self._vain[operation, *place]

    def _may_help(self, place: Place) -> bool:
        return self._vain[place] < MAX_VAIN or self._vain[place] < self._helped[place]


def _place_of(request: ExternalRequest, answer: Answer | None, test_case: TestCase) -> Place:
    operation = test_case.calls[request.call].operation.id
    if answer is not None:
        return (operation, *answer.request_kind)
    return operation, request.origin, request.method, template_of(request.path, test_case)


def _failed(evaluation: Evaluation) -> set[Place]:
    """Returns what has failed: connections that are planned to fail, and requests without success."""
    test_case = evaluation.test_case
    planned = [one for _, one in test_case.setup_of(Answer) if one.outcome in CONNECT_OUTCOMES]
    operations = {call.operation.id for call in test_case.calls}
    failed: set[Place] = {(operation, *answer.request_kind) for answer in planned for operation in operations}
    for request in evaluation.interactions_of(ExternalRequest):
        if not request.reply.isdigit() or int(request.reply) >= 400:
            failed.add(_place_of(request, answer_to(request, test_case), test_case))
    return failed
