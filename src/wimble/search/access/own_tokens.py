"""Tokens that are signed with keys of our own, and the answers of services that make the SUT accept them.

A program that checks tokens with the public keys of a service asks for these once, and keeps them. So each test case
with such a token plans the answers that have ever brought it such keys, whether it is the one that asks or not.
"""

from __future__ import annotations

import json
from random import Random
from typing import Final

from wimble.genes import AnyGene, CarriedGene, Gene, SignedTokenGene, StringGene, iter_genes
from wimble.genes.taint_markers import taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, Answer, answer_to
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.own_keys import KEY_ID_PREFIX, OWN_KEYS, holds_own_token, own_token
from wimble.types import ABSENT, Json, OperationId

MAX_ANSWERS: Final = 6
ISSUED_S: Final = 1_577_836_800
"""2020-01-01."""
EXPIRES_S: Final = 4_102_444_800
"""2100-01-01."""


def own_claims(rng: Random) -> dict[str, Gene]:
    """Returns the claims that checks demand most often (RFC 7519, 4.1; OpenID Connect Core, 2), with texts that are
    recognised where they are compared.
    """
    return {
        **{name: StringGene(taint_marker(rng)) for name in ("iss", "aud", "sub")},
        "iat": AnyGene(ISSUED_S),
        "exp": AnyGene(EXPIRES_S),
        "email": StringGene("a@example.com"),
        "email_verified": AnyGene(True),
    }


def has_own_token(call: Call) -> bool:
    """Whether the call carries a token that is signed with a key of our own."""
    carried = call.genes[-1] if call.genes else None
    if not isinstance(carried, CarriedGene):
        return False
    return any(isinstance(gene, SignedTokenGene) and gene.key in OWN_KEYS for _, gene in iter_genes(carried))


def issued_token(rng: Random, **claims: Json) -> str:
    """Returns a token of our own as a service issues it, in an answer. claims: instead of the usual ones."""
    usual = {name: gene.phenotype() for name, gene in own_claims(rng).items()}
    return own_token({**usual, **claims}, OWN_KEYS[0])


def brings_own_token(action: SetupAction) -> bool:
    """Whether an answer has a token in it that is signed with a key of our own."""
    if not isinstance(action, Answer) or action.outcome != "answer":
        return False
    body = action.genes[BODY].phenotype()
    return body is not ABSENT and holds_own_token(json.dumps(body))


def may_have_own_token(call: Call, test_case: TestCase) -> bool:
    """Whether the call carries such a token, or may get one from a service."""
    return has_own_token(call) or any(map(brings_own_token, test_case.setup))


def is_key_answer(action: SetupAction) -> bool:
    """Whether an answer brings our public keys, or says where they are."""
    if not isinstance(action, Answer) or action.outcome != "answer":
        return False
    body = action.genes[BODY].phenotype()
    text = "" if body is ABSENT else json.dumps(body)
    return f'"{KEY_ID_PREFIX}' in text or '"jwks_uri"' in text


def is_needed_key_answer(action: SetupAction, test_case: TestCase) -> bool:
    """Whether a test case needs an answer on a fresh start, though a program that has kept it does not ask again."""
    return is_key_answer(action) and any(may_have_own_token(call, test_case) for call in test_case.calls)


class KeyAnswers:
    """The answers by which the SUT has got our public keys."""

    def __init__(self) -> None:
        self._asked: dict[tuple[object, ...], tuple[Answer, set[OperationId]]] = {}
        """Place -> the answer, and the operations that have asked for it."""

    def __len__(self) -> int:
        return len(self._asked)

    def note(self, evaluation: Evaluation) -> None:
        """Keeps the key answers that calls with such tokens have got."""
        test_case = evaluation.test_case
        for request in evaluation.interactions_of(ExternalRequest):
            call = test_case.calls[request.call]
            answer = answer_to(request, test_case)
            if answer is None or not is_key_answer(answer) or not may_have_own_token(call, test_case):
                continue
            if answer.place in self._asked:
                self._asked[answer.place][1].add(call.operation.id)
            elif len(self._asked) < MAX_ANSWERS:
                self._asked[answer.place] = answer, {call.operation.id}

    def given_to(self, test_case: TestCase) -> TestCase:
        """Returns the test case with the answers that its tokens need: those for which its operations were seen to ask,
        or all, since an operation that has never asked may have come after one that did.
        """
        if not self._asked:
            return test_case
        operations = {call.operation.id for call in test_case.calls if may_have_own_token(call, test_case)}
        if not operations:
            return test_case
        asked = [answer for answer, asking in self._asked.values() if asking & operations]
        planned = {answer.place for _, answer in test_case.setup_of(Answer)}
        added = [one for one in asked or [answer for answer, _ in self._asked.values()] if one.place not in planned]
        return TestCase(test_case.calls, (*test_case.setup, *added), test_case.at_once)
