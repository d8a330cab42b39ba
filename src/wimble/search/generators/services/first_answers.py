"""Answers for requests to services that were seen: first success and unavailability, then the other usual results.

A request gets the proposals once for each operation that sends it. A request that is sent again in one call (a retry, a
next page) gets a second answer, so that the two differ.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.external import PROBE_DOMAIN, WILDCARD, ExternalRequest
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import Answer, RequestKind, answer_to, new_answer
from wimble.model.testcase import TestCase
from wimble.search.access.own_tokens import may_have_own_token
from wimble.search.credit import Credit
from wimble.search.external.connect_answers import is_rpc
from wimble.search.external.last_pages import last_pages
from wimble.search.external.request_templates import is_named_by_input, template_of
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.search.external.standard_answers import public_keys
from wimble.search.generators.generator import OWN_PROPOSALS, Generator, Outcome, Proposal
from wimble.search.generators.services.answers_in_turn import AnswersInTurn
from wimble.search.generators.services.service_results import (
    EARLY,
    FIRST,
    MOVED,
    OTHERS,
    ServiceResult,
    answer_with,
    first_results,
    other_results,
)
from wimble.search.generators.services.shared_answers import SharedAnswers
from wimble.types import OperationId

OTHERS_PROBABILITY: Final = 0.5
"""Probability that the next test case tries one of the other results."""
MAX_WAITING: Final = 2_000
"""Maximum number of waiting test cases of each kind; further ones are dropped."""
MAX_OF_OPERATION: Final = 40
"""Requests of one operation that are told apart: hosts or paths that are random have no end."""
MAX_HUNG: Final = 8
"""Calls that never end because a service hangs: no more hangs are tried after so many, for each takes long. Requests of
calls that have a time-out are tried until so many more of them have never ended than have ended in time."""

MAX_SPLITS: Final = 3
"""Requests of one kind in a call that get an answer of their own: a third try comes after two failures."""

Seen: TypeAlias = tuple[str, str, str, str, int]
"""(operation, origin, method, template, its number among those that are sent again)."""


class SeenRequests:
    """The requests that were seen, and the test cases that answer them."""

    def __init__(self, knowledge: ServiceKnowledge) -> None:
        self._knowledge = knowledge
        self._n_known = knowledge.n_added
        self._asked: dict[Seen, tuple[TestCase, ExternalRequest, str]] = {}
        self.first: deque[TestCase] = deque()
        self.others = OtherResults()
        self._seen: set[Seen] = set()
        self._seen_last: set[Seen] = set()
        """Those of evaluations in which the program has ended."""
        self._n_seen: Counter[str] = Counter()
        """By operation."""
        self._offered: set[tuple[str, Answer]] = set()
        self.in_turn = AnswersInTurn()
        self._shared = SharedAnswers()

    @property
    def has_any(self) -> bool:
        """Whether the program calls services."""
        return bool(self._seen)

    def observe(self, evaluation: Evaluation, *, is_new: bool = False) -> None:
        """Queues test cases for requests that were not seen before. is_new: whether the evaluation covers more.

        A program that has ended may have done so because of the answer, so it gets the first results. The others would
        cost a start each.
        """
        if not evaluation.interactions:
            return
        note = self._note_last if evaluation.is_sut_lost else self._note
        n_seen = len(self._seen)
        for request in evaluation.interactions_of(ExternalRequest):
            note(request, evaluation.test_case)
        if not evaluation.is_sut_lost:
            if len(self._seen) > n_seen + 1:
                self._put(_all_answered(evaluation))
            self._put(self.in_turn.note(evaluation, is_new=is_new))
            if is_new:
                self._put(self._shared.note_success(evaluation))

    def _note_last(self, request: ExternalRequest, test_case: TestCase) -> None:
        """Queues the first results for a request of a program that has ended since."""
        operation, path = test_case.calls[request.call].operation.id, template_of(request.target, test_case)
        seen = (operation, _origin_of(request, test_case), request.method, path, 0)
        is_known = seen in self._seen or seen in self._seen_last or request.answered_by is not None
        if is_known or len(self._seen_last) >= MAX_WAITING:
            return
        self._seen_last.add(seen)
        if is_rpc(request):
            self._asked[seen] = test_case, request, path  # what else answers it is known when definitions are read
            self._put(self._known(test_case, request, path))
        self._put(_added(test_case, request, path, result) for result in first_results(request))

    def _note(self, request: ExternalRequest, test_case: TestCase) -> None:
        if PROBE_DOMAIN in request.path and PROBE_DOMAIN not in request.origin:
            return  # a made-up host has become a part of the path
        answer = answer_to(request, test_case)
        path = template_of(request.target, test_case) if answer is None else answer.path
        operation = test_case.calls[request.call].operation.id
        origin = _origin_of(request, test_case)
        again = 0 if answer is None else _times_again(request, answer, test_case)
        seen = (operation, origin, request.method, path, again)
        if answer is None and may_have_own_token(test_case.calls[request.call], test_case):
            self._note_keys(request, test_case, path)
        if seen in self._seen or (answer is not None and not _is_sent_again(request, test_case)):
            return
        if self._n_seen[operation] >= MAX_OF_OPERATION:
            return
        self._n_seen[operation] += 1
        self._seen.add(seen)
        if answer is None:
            if len(self._asked) < MAX_WAITING:
                self._asked[seen] = test_case, request, path
            self._put(self._known(test_case, request, path))
            self._put(self._shared.note_asked(test_case, request, path))
            standard = self._knowledge.standard_answers_for(request, path)
            self._put(TestCase(test_case.calls, (*test_case.setup, one)) for one in standard)
            self._put(_added(test_case, request, path, result) for result in first_results(request))
            if len(test_case.setup) < MAX_SETUP and request.path != MOVED:
                for kind, result in other_results(request):
                    added = _added(test_case, request, path, result)
                    self.others.put(Waiting(kind, operation, added, request.is_guarded), request.origin)
        elif 0 < again <= MAX_SPLITS and answer.occurrence is None and len(test_case.setup) < MAX_SETUP:
            number = request.answered_by or 0
            later = self._knowledge.standard_answers_for(request, path) if is_rpc(request) else _usual(answer, request)
            self._put(_split(test_case, number, answer, later, again - 1))

    def _note_keys(self, request: ExternalRequest, test_case: TestCase, path: str) -> None:
        """Queues our public keys as the answer to a request of a call with a token that is signed with one of ours."""
        seen = (test_case.calls[request.call].operation.id, request.origin, f"{request.method} for keys", path, 0)
        if seen not in self._seen:
            self._seen.add(seen)
            made = public_keys(request, path)
            self._put(TestCase(test_case.calls, (*test_case.setup, one)) for one in made)

    def read_news(self) -> None:
        """Queues test cases for what has become known of services since requests to them were seen."""
        if self._knowledge.n_added != self._n_known:
            self._n_known = self._knowledge.n_added
            for test_case, request, path in self._asked.values():
                self._put(self._known(test_case, request, path))

    def _known(self, test_case: TestCase, request: ExternalRequest, path: str) -> Iterator[TestCase]:
        for answer in self._knowledge.answers_for(request, path):
            key = (test_case.calls[request.call].operation.id, answer)
            if key not in self._offered:
                self._offered.add(key)
                yield TestCase(test_case.calls, (*test_case.setup, answer))

    def _put(self, made: Iterable[TestCase]) -> None:
        for test_case in made:
            if len(self.first) < MAX_WAITING and len(test_case.setup) <= MAX_SETUP:
                self.first.append(test_case)


class Waiting(NamedTuple):
    """A test case that gives a request one of the other results."""

    kind: int
    """Index of the result in OTHERS."""
    operation: OperationId
    test_case: TestCase
    is_guarded: bool = False
    """Whether the call has a time-out."""

    @property
    def is_guarded_hang(self) -> bool:
        return self.is_guarded and OTHERS[self.kind].outcome == "hang"


class OtherResults:
    """The other results that wait for their turn.

    Programs often treat all services alike. So the kind of result that has earned most so far is next, and all kinds
    have their first turn before one has its second. Among its requests, that of the operation with the fewest turns is
    next. Every second turn belongs to the failures of connections that an operation has not met with a service, and to
    hangs of requests with a time-out.
    """

    def __init__(self) -> None:
        self._early: deque[Waiting] = deque()
        self._had_early: set[tuple[int, OperationId, str]] = set()
        """(kind, operation, service) of the failures of connections that have, or had, an early turn."""
        self._n_taken = 0
        self._waiting: list[list[Waiting]] = [[] for _ in OTHERS]
        self._credits = [Credit() for _ in OTHERS]
        self._turns: Counter[OperationId] = Counter()
        self._n_waiting = 0
        self._n_hung = 0
        self._guarded_excess = 0
        """How many more hangs of requests with a time-out never ended than ended in time."""

    def __bool__(self) -> bool:
        return self._n_waiting > 0

    def put(self, waiting: Waiting, origin: str) -> None:
        """Adds a test case, if there is room. origin: the service's."""
        kind, operation = waiting.kind, waiting.operation
        is_early = OTHERS[kind].outcome in EARLY or (waiting.is_guarded_hang and self._guarded_excess < MAX_HUNG)
        if is_early and (kind, operation, origin) not in self._had_early:
            self._had_early.add((kind, operation, origin))
            self._early.append(waiting)
            self._n_waiting += 1
        elif len(self._waiting[kind]) < MAX_WAITING and not self._is_given_up(kind):
            self._waiting[kind].append(waiting)
            self._n_waiting += 1

    def take(self) -> Waiting:
        """Returns the next one."""
        self._n_taken += 1
        if self._early and (self._n_taken % 2 or self._n_waiting == len(self._early)):
            self._n_waiting -= 1
            return self._early.popleft()
        kinds = [kind for kind, waiting in enumerate(self._waiting) if waiting]
        kind = max(kinds, key=lambda one: (self._credits[one].expected_reward, -one))
        waiting = self._waiting[kind]
        index = min(range(len(waiting)), key=lambda one: self._turns[waiting[one].operation])
        self._n_waiting -= 1
        taken = waiting.pop(index)
        self._turns[taken.operation] += 1
        return taken

    def note(self, taken: Waiting, *, is_success: bool, is_hung: bool) -> None:
        """Notes what came of a test case."""
        kind = taken.kind
        self._credits[kind].add(is_success=is_success)
        if taken.is_guarded_hang:
            self._guarded_excess += 1 if is_hung else -1
            if self._guarded_excess >= MAX_HUNG:
                self._give_up_guarded()
            return
        self._n_hung += is_hung
        if self._is_given_up(kind):
            self._n_waiting -= len(self._waiting[kind])
            self._waiting[kind].clear()

    def _give_up_guarded(self) -> None:
        kept = [waiting for waiting in self._early if not waiting.is_guarded_hang]
        self._n_waiting -= len(self._early) - len(kept)
        self._early = deque(kept)

    def _is_given_up(self, kind: int) -> bool:
        return OTHERS[kind].outcome == "hang" and self._n_hung >= MAX_HUNG


def _all_answered(evaluation: Evaluation) -> Iterator[TestCase]:
    """Yields the test case with success for all requests that got no answer: programs often send several at once."""
    test_case = evaluation.test_case
    added: dict[RequestKind, Answer] = {}
    for request in evaluation.interactions_of(ExternalRequest):
        if request.answered_by is None and first_results(request) is FIRST:
            path = template_of(request.target, test_case)
            added.setdefault((request.origin, request.method, path), answer_with(FIRST[0], request, path))
    if len(added) > 1:
        yield TestCase(test_case.calls, (*test_case.setup, *added.values()))


def _is_sent_again(request: ExternalRequest, test_case: TestCase) -> bool:
    """Whether the request is a further one of its kind, and not only that of the same operation, called once more."""
    calls = test_case.calls[: request.call + 1]
    alike = sum(call.operation.id == calls[-1].operation.id for call in calls)
    return request.occurrence >= alike


def _origin_of(request: ExternalRequest, test_case: TestCase) -> str:
    """Returns the origin of a request; what an input names may be any, and the results of one tell of all."""
    return WILDCARD if is_named_by_input(request.origin, test_case) else request.origin


def _added(test_case: TestCase, request: ExternalRequest, path: str, result: ServiceResult) -> TestCase:
    return TestCase(test_case.calls, (*test_case.setup, answer_with(result, request, path)))


def _times_again(request: ExternalRequest, answer: Answer, test_case: TestCase) -> int:
    """Returns 1 for a request that gets the same answer as the one before; 2, if the first one has its own; and so on.

    0: the answer is got for the first time.
    """
    alike = (one for _, one in test_case.setup_of(Answer) if one.request_kind == answer.request_kind)
    n_own = sum(one.occurrence is not None for one in alike)
    return n_own + 1 if request.occurrence > n_own else 0


def _usual(answer: Answer, request: ExternalRequest) -> Iterator[Answer]:
    """Yields what a request usually gets that is sent again: the last page, success, unavailability."""
    yield from last_pages(answer, request)
    for result in FIRST:
        yield new_answer(answer.origin, answer.method, answer.path, status=result.status, body=result.body)


def _split(
    test_case: TestCase, number: int, answer: Answer, given: Iterable[Answer], occurrence: int = 0
) -> Iterator[TestCase]:
    """Yields test cases in which the request of this number keeps its answer, and later ones get one of their own.

    given: what later ones get, beside the same answer.
    """
    first = msgspec.structs.replace(answer, occurrence=occurrence)
    setup = test_case.with_action(number, first).setup
    for later in given:
        yield TestCase(test_case.calls, (*setup, later))
    yield TestCase(test_case.calls, (*setup, answer))


class FirstAnswers(Generator):
    """Proposes success and unavailability for each new request, the oldest first."""

    learns_from = "interactions"

    def __init__(self, requests: SeenRequests) -> None:
        super().__init__()
        self._requests = requests

    def is_ready(self) -> bool:
        self._requests.read_news()
        return bool(self._requests.first)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._requests.first.popleft(), self)

    def observe(self, outcome: Outcome) -> None:
        self._requests.observe(outcome.evaluation, is_new=bool(outcome.improvement.newly_covered))


class OtherProposal(Proposal):
    taken: Waiting | None = None


class OtherAnswers(Generator):
    """Proposes the other results."""

    learns_from = OWN_PROPOSALS

    def __init__(self, requests: SeenRequests) -> None:
        super().__init__()
        self._in_turn = requests.in_turn
        self._others = requests.others

    def is_ready(self) -> bool:
        return bool(self._others)

    def propose(self, progress: float) -> Proposal:
        taken = self._others.take()
        return OtherProposal(self._in_turn.with_others(taken.test_case), self, taken=taken)

    def observe(self, outcome: Outcome) -> None:
        proposal = outcome.proposal
        if isinstance(proposal, OtherProposal) and proposal.taken is not None:
            is_success = bool(outcome.improvement.newly_covered)
            self.credit.add(is_success=is_success)
            is_hung = any(one.outcome == "hung" for one in outcome.evaluation.observations)
            self._others.note(proposal.taken, is_success=is_success, is_hung=is_hung)
