"""Members that the program reads of an answer of a service, and that the answer does not have, are added to it.

The type of a member is not known when it is read. So each member is tried as a text, a list, an object, a number and a
boolean, and members that were missed together are also added together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, TypeAlias

from wimble.feedback.answers.answer_places import place_at
from wimble.genes.taint_markers import taint_marker
from wimble.model.hints import InputHint
from wimble.model.setup_kinds.answer import Answer
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.types import Json

MAX_WAITING: Final = 2_000
"""Maximum number of waiting test cases; further ones are dropped."""
MAX_PATH: Final = 8
"""Longest path of a member that is added."""
UNUSUAL: Final = 7919
"""A number that is recognised where it is compared: it is in no usual table, and neither 0 nor a round number."""

Member: TypeAlias = tuple[int, tuple[str, ...]]
"""(index of the answer in the setup, path in its body)."""

KINDS: Final[tuple[Callable[[Random], Json], ...]] = (
    taint_marker,
    lambda rng: [{}],
    lambda rng: {},
    lambda rng: UNUSUAL + rng.randrange(UNUSUAL),
    lambda rng: True,
    lambda rng: [taint_marker(rng)],
)
"""What a member may be; a text first, since a comparison with another type changes it."""


class AnswerMembers(Generator):
    """Proposes the test cases of missing members, the newest first."""

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
        missing = [
            member
            for hint in evaluation.hints
            if isinstance(hint, InputHint) and hint.location == "answer"
            for member in self._new_members(hint, evaluation.test_case)
        ]
        # The last one is proposed first.
        self._waiting.extend(reversed(list(self._trials(evaluation.test_case, missing))))

    def _new_members(self, hint: InputHint, test_case: TestCase) -> Iterator[Member]:
        for number in hint.answers:
            if not 0 <= number < len(test_case.setup) or len(hint.path) > MAX_PATH:
                continue
            answer = test_case.setup[number]
            if not isinstance(answer, Answer):
                continue
            operation = test_case.calls[hint.call].operation.id if 0 <= hint.call < len(test_case.calls) else ""
            key = (operation, answer.origin, answer.method, answer.path, answer.occurrence, answer.form, hint.path)
            if key not in self._known:
                self._known.add(key)
                yield number, hint.path

    def _trials(self, test_case: TestCase, missing: Sequence[Member]) -> Iterator[TestCase]:
        if len(missing) > 1:
            yield from _written(test_case, [(member, taint_marker(self._rng)) for member in missing])
        for kind in KINDS:
            for member in missing:
                yield from _written(test_case, [(member, kind(self._rng))])


def _written(test_case: TestCase, members: Sequence[tuple[Member, Json]]) -> Iterator[TestCase]:
    """Yields the test case with these members, if their answers can have them."""
    changed = test_case
    for (number, path), value in members:
        place = place_at(changed, number, path, value)
        if place is not None:
            changed = changed.with_gene(*place)
    if changed is not test_case:
        yield changed
