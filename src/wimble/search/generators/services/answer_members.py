"""Members that the program reads of an answer of a service, and that the answer does not have, are added to it.

What a member may be is told by what the program does with it; otherwise it is tried as a text, a list, an object, a
number and so on (member_kinds.py). Members that were missed together are added together first. The operation with the
fewest vain trials is next, since one that reads many members would keep the others waiting.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from wimble.feedback.answers.answer_places import object_paths, place_at, text_paths, with_underscores
from wimble.feedback.input_to_state.json_paths import value_at
from wimble.genes import OptionalGene
from wimble.genes.taint_markers import taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.external import WILDCARD, ExternalRequest, shown_origin
from wimble.model.hints import InputHint, Use
from wimble.model.setup_kinds.answer import BODILESS, BODY, Answer, gene_of, is_later
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.services.member_kinds import MAX_KINDS, kinds_for, list_of_objects, list_with_texts
from wimble.search.generators.services.members_in_errors import named_by_errors
from wimble.types import Json, OperationId

MAX_WAITING: Final = 500
"""Maximum number of waiting test cases of an operation and a rank; of more, the oldest are dropped."""
MAX_PATH: Final = 8
"""Longest path of a member that is added."""
MAX_OF_OBJECT: Final = 40
"""Members of one object that are added: those that an input names (`rates[currency]`) have no end."""
MIN_TEXT: Final = 3
"""Shorter texts do not tell which object it is."""
MIN_NUMBER: Final = 100
"""Nor do smaller whole numbers."""
URL_NAME: Final = re.compile(
    r"(?:^|[_-])(?i:next|ur[il]|href|links?|location|callback)$|(?:Next|Ur[il]|UR[IL]|Href|Links?|Location|Callback)$"
)
"""Names of members that hold the address of what is asked for next."""

_PATH: Final = re.compile(r"[\w$-]+(?:\.[\w$-]+|\[\d+\])+")
"""A name that functions such as lodash's `get` follow through objects and lists."""
_PART: Final = re.compile(r"[\w$-]+")

OPENING_PROBABILITY: Final = 0.15
"""Probability of a turn ahead of others, while members wait that may let an operation succeed for the first time."""
OPENING_FACTOR: Final = 4
"""How many vain trials of an operation that has not succeeded count as one."""
MAX_OPENING: Final = 60
"""Vain trials of an operation after which it has no more such turns."""

ANYWHERE: Final = "*"
"""Begins the path of a member of an object that is not known; alone, it is the whole answer."""


WHOLE_LIST: Final = "[]"
"""Stands for the path of an answer that is a list."""
WHOLE_LISTS: Final = (list_of_objects, list_with_texts)
"""What an answer is that is a list: of empty objects, and of objects that are known by their texts."""


class Member(NamedTuple):
    """A member that an answer lacks."""

    number: int
    """Index of the answer in the setup."""
    path: tuple[str, ...]
    """In the answer's body."""
    uses: tuple[Use, ...] = ()
    """What the program takes it for."""


class AnswerMembers(Generator):
    """Proposes the test cases of missing members: of the operation whose turn it is by kind, and the newest first."""

    learns_from = "hints"

    def __init__(self, rng: Random, has_succeeded: Callable[[OperationId], bool] = lambda operation: True) -> None:
        """has_succeeded: whether a call of an operation has succeeded."""
        super().__init__()
        self._rng = rng
        self._has_succeeded = has_succeeded
        self._known: set[tuple[object, ...]] = set()
        self._n_known: Counter[tuple[object, ...]] = Counter()
        """Members that are known, by their object."""
        self._waiting: dict[OperationId, list[deque[TestCase]]] = {}
        """By operation, and by rank: all members are tried as what they are most likely before one is tried as
        something else."""
        self._n_vain: Counter[OperationId] = Counter()
        """Trials that have shown nothing new, by operation."""

    def is_ready(self) -> bool:
        return any(any(ranks) for ranks in self._waiting.values())

    def may_open(self) -> bool:
        """Whether a member waits that may let an operation succeed for the first time."""
        return any(
            any(ranks) and self._n_vain[one] < MAX_OPENING and not self._has_succeeded(one)
            for one, ranks in self._waiting.items()
        )

    def propose(self, progress: float) -> Proposal:
        waiting = (one for one, ranks in self._waiting.items() if any(ranks))
        ranks = self._waiting[min(waiting, key=self._order)]
        return Proposal(next(rank for rank in ranks if rank).pop(), self)

    def _order(self, operation: OperationId) -> int:
        return self._n_vain[operation] // (1 if self._has_succeeded(operation) else OPENING_FACTOR)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        operation = evaluation.test_case.calls[-1].operation.id
        missing = [] if evaluation.is_sut_lost else self._missing(evaluation)
        if outcome.proposal.generator is self:
            # A member of a member covers nothing until the last one is there.
            is_success = bool(outcome.improvement.newly_covered or missing)
            self.credit.add(is_success=is_success)
            self._n_vain[operation] += not is_success
        if not evaluation.test_case.setup:
            return
        if operation not in self._waiting:
            self._waiting[operation] = [deque(maxlen=MAX_WAITING) for _ in range(MAX_KINDS + 1)]
        ranks = self._waiting[operation]
        if not evaluation.is_sut_lost:
            # `const { users } = answer` looks like `users.map(...)`: the member is tried before the list.
            ranks[0].extend(self._lists(evaluation))
        self._put(evaluation.test_case, missing, ranks)
        ranks[0].extend(self._addresses(evaluation.test_case, missing))

    def _put(self, test_case: TestCase, missing: Sequence[Member], ranks: Sequence[deque[TestCase]]) -> None:
        """Queues the trials of members: of each rank, all of them together, all but conditions, and then each alone."""
        for rank in range(MAX_KINDS):
            values = [
                (member, kinds[rank](self._rng))
                for member in missing
                if rank < len(kinds := kinds_for(member.uses, member.path[-1]))
            ]
            # The last one is proposed first. A member of which only the truth is read may have to be false.
            others = [(member, value) for member, value in values if member.uses != ("condition",)]
            if 1 < len(others) < len(values):
                ranks[rank].extend(_written(test_case, others))
            ranks[rank].extend(_written(test_case, values))
            if len(values) > 1:
                alone = [made for value in values for made in _written(test_case, [value])]
                ranks[rank + 1].extend(reversed(alone))

    def _missing(self, evaluation: Evaluation) -> list[Member]:
        if not evaluation.test_case.setup:
            return []
        hints = [hint for hint in evaluation.hints if isinstance(hint, InputHint)]
        hints += named_by_errors(evaluation.observations)
        return [member for hint in hints for member in self._new_members(hint, evaluation)]

    def _new_members(self, hint: InputHint, evaluation: Evaluation) -> Iterator[Member]:
        test_case = evaluation.test_case
        if hint.location == "element":
            return
        if hint.location != "answer":
            yield from self._new_fields(hint, evaluation)
            return
        if not hint.path or hint.path == (ANYWHERE,):
            return
        are_new_together = self._are_new_together(hint, test_case)
        for number in hint.answers or self._got(hint, evaluation):
            if not 0 <= number < len(test_case.setup) or len(hint.path) > MAX_PATH:
                continue
            answer = test_case.setup[number]
            if not isinstance(answer, Answer):
                continue
            operation = test_case.calls[hint.call].operation.id if 0 <= hint.call < len(test_case.calls) else ""
            for path in _paths_in(hint, answer):
                if self._is_new(operation, answer, path, test_case) or are_new_together:
                    yield Member(number, path, hint.uses)

    def _are_new_together(self, hint: InputHint, test_case: TestCase) -> bool:
        """Whether the member is missing in answers of one text that have not lacked it together: each may have got it
        while the others did not.
        """
        answers = [test_case.setup[number] for number in hint.answers if 0 <= number < len(test_case.setup)]
        places = tuple(answer.place for answer in answers if isinstance(answer, Answer))
        if len(places) < 2 or not 0 <= hint.call < len(test_case.calls):
            return False
        key = (test_case.calls[hint.call].operation.id, places, hint.path)
        is_new = key not in self._known
        self._known.add(key)
        return is_new

    def _lists(self, evaluation: Evaluation) -> Iterator[TestCase]:
        """Yields test cases in which an answer is a list itself, where the program has read an object as one
        (`users.map` of `const users = await response.json()`); the last one has all of these lists.
        """
        test_case, found = evaluation.test_case, []
        for hint in evaluation.hints:
            if isinstance(hint, InputHint) and hint.location == "answer" and _is_whole_list(hint):
                found += [(hint, number) for number in self._got(hint, evaluation)]
        together = test_case
        for hint, number in found:
            answer = test_case.setup[number] if number < len(test_case.setup) else None
            if not isinstance(answer, Answer) or answer.form != "json":
                continue
            if not isinstance(answer.genes[BODY].phenotype(), dict):
                continue
            operation = test_case.calls[hint.call].operation.id if 0 <= hint.call < len(test_case.calls) else ""
            if not self._is_new(operation, answer, (WHOLE_LIST,), test_case):
                continue
            made = [_with_body(answer, list(kind(self._rng))) for kind in WHOLE_LISTS]
            yield from (test_case.with_action(number, one) for one in reversed(made))
            together = together.with_action(number, made[0])
        if together is not test_case:
            yield together

    def _new_fields(self, hint: InputHint, evaluation: Evaluation) -> Iterator[Member]:
        """Yields members of what the program itself, or a client library, has made of answers.

        Forms are read as inputs are; any other object, or a text in its place, is recognised by what it holds. If
        nothing tells it, it may be any object of the answers that this call has got.
        """
        test_case = evaluation.test_case
        got = self._got(hint, evaluation)
        for number, answer in test_case.setup_of(Answer):
            operation = test_case.calls[hint.call].operation.id if 0 <= hint.call < len(test_case.calls) else ""
            is_field = answer.form == "form" and hint.location in ("", "query", "body")
            paths = [hint.path] if is_field else list(_paths_by_content(hint, answer))
            for path in paths or (_paths_anywhere(hint, answer) if number in got else ()):
                if self._is_new(operation, answer, path, test_case):
                    yield Member(number, path, hint.uses)

    def _got(self, hint: InputHint, evaluation: Evaluation) -> list[int]:
        """Returns the numbers of the answers that the hint's call has got."""
        requests = evaluation.interactions_of(ExternalRequest)
        numbers = (request.answered_by for request in requests if request.call == hint.call)
        return list(dict.fromkeys(number for number in numbers if number is not None))

    def _is_new(self, operation: str, answer: Answer, path: tuple[str, ...], test_case: TestCase) -> bool:
        of = (operation, *answer.place, is_later(answer, test_case), answer.form, path[:-1])
        key = (*of, path[-1])
        if key in self._known or self._n_known[of] >= MAX_OF_OBJECT:
            return False
        self._known.add(key)
        self._n_known[of] += 1
        return True

    def _addresses(self, test_case: TestCase, missing: Sequence[Member]) -> Iterator[TestCase]:
        """Yields test cases in which members that are called like addresses lead to the service itself again."""
        for member in missing:
            answer = test_case.setup[member.number]
            is_address = "address" in member.uses or URL_NAME.search(member.path[-1])
            if isinstance(answer, Answer) and is_address:
                path = answer.path.replace(WILDCARD, taint_marker(self._rng))
                address = f"{shown_origin(answer.origin)}{path}?page={taint_marker(self._rng)}"
                yield from _written(test_case, [(member, address)])


def _is_whole_list(hint: InputHint) -> bool:
    return hint.path[:1] == (ANYWHERE,) and len(hint.path) <= 2 and ("list" in hint.uses or "iterable" in hint.uses)


def _with_body(answer: Answer, body: Json) -> Answer:
    return msgspec.structs.replace(answer, genes=(*answer.genes[:BODY], OptionalGene(gene_of(body), True)))


def _paths_in(hint: InputHint, answer: Answer) -> Iterator[tuple[str, ...]]:
    """Yields where the member belongs in an answer, first as the path that its name may be: `items[0].sku`."""
    followed = tuple(part for name in hint.path for part in (_PART.findall(name) if _PATH.fullmatch(name) else (name,)))
    for path in dict.fromkeys((followed, hint.path)):
        if path[0] == ANYWHERE:
            body = answer.genes[BODY].phenotype()
            yield from ((*above, *path[1:]) for above in object_paths(body) if path[1] not in above)
        elif len(path) <= MAX_PATH:
            yield path


def _paths_by_content(hint: InputHint, answer: Answer) -> Iterator[tuple[str, ...]]:
    """Yields where the member belongs in objects of an answer that have a text or number of the one that was read."""
    held = hint.held
    if not held or answer.outcome != "answer":
        return
    body = answer.genes[BODY].phenotype()
    if isinstance(held, str) and len(held) >= MIN_TEXT and answer.form != "text":
        yield from ((*at, *hint.path) for at in text_paths(body, held))
    lowered = tuple(with_underscores(name) for name in hint.path)
    if not isinstance(held, dict):
        return
    for above in object_paths(body):
        members = value_at(body, above)
        if isinstance(members, dict) and any(
            _is_telling(value) and members.get(name) == value for name, value in held.items()
        ):
            yield (*above, *hint.path)
            if lowered != hint.path:
                yield (*above, *lowered)


def _is_telling(value: Json) -> bool:
    """Whether hardly any other object has the same value: neither a short text nor a small whole number."""
    if isinstance(value, str):
        return len(value) >= MIN_TEXT
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and (abs(value) >= MIN_NUMBER or not float(value).is_integer())


def _paths_anywhere(hint: InputHint, answer: Answer) -> Iterator[tuple[str, ...]]:
    """Yields where the member may belong in an answer of which a client library has made the object.

    A document in XML has one root, and members below it; so has an item of DynamoDB. Many libraries give members names
    with capitals in the place of underscores.
    """
    body = answer.genes[BODY].phenotype()
    if hint.location or not hint.path or answer.outcome != "answer" or answer.status in BODILESS:
        return
    if answer.form in ("xml", "attributes"):
        yield from ((*above, *hint.path) for above in object_paths(body) if above and hint.path[0] not in above)
    elif answer.form == "json" and isinstance(body, dict):
        yield hint.path
        if (lowered := tuple(with_underscores(name) for name in hint.path)) != hint.path:
            yield lowered


def _written(test_case: TestCase, members: Sequence[tuple[Member, Json]]) -> Iterator[TestCase]:
    """Yields the test case with these members, if their answers can have them."""
    changed = test_case
    for member, value in members:
        place = place_at(changed, member.number, member.path, value)
        if place is not None:
            changed = changed.with_gene(*place)
    if changed is not test_case:
        yield changed
