"""Claims that a library of the program demands of a token that a service has issued are put into it.

The library compares within its package. What its check was called with tells the values (issuer, audience, nonce).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from wimble.feedback.answers.answer_places import place_at
from wimble.model.evaluation import Evaluation
from wimble.model.hints import TokenClaimsHint
from wimble.model.setup_kinds.answer import BODY
from wimble.model.testcase import TestCase
from wimble.own_keys import holds_own_token
from wimble.search.access.own_tokens import brings_own_token
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.types import Absent, Json


class IssuedClaims(Generator):
    """Proposes each test case once with the claims that are demanded of the tokens in its answers."""

    learns_from = "hints"

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[TestCase] = deque()
        self._known: set[tuple[object, ...]] = set()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._waiting.pop(), self)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        if evaluation.is_sut_lost or not any(map(brings_own_token, evaluation.test_case.setup)):
            return
        for hint in evaluation.hints:
            if isinstance(hint, TokenClaimsHint):
                self._put(evaluation, hint)

    def _put(self, evaluation: Evaluation, hint: TokenClaimsHint) -> None:
        test_case = evaluation.test_case
        operation = test_case.calls[hint.call].operation.id if 0 <= hint.call < len(test_case.calls) else ""
        changed = test_case
        for number, action in enumerate(test_case.setup):
            if not brings_own_token(action):
                continue
            for path in token_paths(action.genes[BODY].phenotype()):
                changed = self._demanded(changed, number, path, (operation, hint))
        if changed != test_case:
            self._waiting.append(changed)

    def _demanded(
        self, test_case: TestCase, number: int, path: tuple[str, ...], of: tuple[str, TokenClaimsHint]
    ) -> TestCase:
        operation, hint = of
        key = (operation, number, path, repr(sorted(hint.demands.items())))
        if key in self._known:
            return test_case
        self._known.add(key)
        for claim, values in hint.demands.items():
            place = place_at(test_case, number, (*path, claim), values[0]) if values else None
            if place is not None:
                test_case = test_case.with_gene(*place)
        return test_case


def token_paths(body: Json | Absent, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yields the paths of the tokens of our own in a body."""
    if isinstance(body, str) and holds_own_token(body):
        yield above
    elif isinstance(body, dict):
        for name, member in body.items():
            yield from token_paths(member, (*above, name))
    elif isinstance(body, list):
        for index, item in enumerate(body):
            yield from token_paths(item, (*above, str(index)))
