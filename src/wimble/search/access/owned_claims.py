"""Claims that name a user whom a sign-up or login of the same test case has answered.

A program that looks its user up knows, on a fresh start, only users that the test case itself has signed up. So a token
that we sign names this one: its claim refers to the answer, and the calls that give it come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import AffixedGene, CarriedGene, Gene, ObjectGene, ReferenceGene, SignedTokenGene, StringGene
from wimble.model.evaluation import Evaluation
from wimble.model.hints import TokenKeyHint
from wimble.model.resource_names import plain_name
from wimble.model.scalar_fields import iter_scalar_fields
from wimble.model.testcase import Call
from wimble.search.access.identities import fresh_text, texts_sent
from wimble.types import ABSENT, Json, OperationId

MIN_TEXT: Final = 6
"""Length of a text that is in a claim and in an answer for one reason."""


class Owner(msgspec.Struct, frozen=True):
    """The operation whose answer names the user of a token."""

    giver: OperationId
    pointers: dict[str, str]
    """By claim."""


class OwnedClaims:
    """What is known of such claims, by the key of the tokens."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._owners: dict[str, Owner] = {}

    def owner(self, key: str) -> OperationId | None:
        owner = self._owners.get(key)
        return None if owner is None else owner.giver

    def noted(self, evaluation: Evaluation, hint: TokenKeyHint) -> dict[str, Json]:
        """Returns the claims that the SUT has signed, without those texts that name a user of this test case."""
        found = _owner_of(evaluation, hint)
        if found is None:
            return hint.claims
        self._owners.setdefault(hint.key, found)
        return {
            name: fresh_text(value, self._rng) if name in found.pointers and isinstance(value, str) else value
            for name, value in hint.claims.items()
        }

    def given(self, carried: CarriedGene, key: str, earlier: Sequence[Call]) -> CarriedGene:
        """Returns the token with the claims that an earlier call answers."""
        owner = self._owners.get(key)
        index = None if owner is None else _latest(owner.giver, earlier)
        if owner is None or index is None:
            return carried
        fields = []
        for place, gene in carried.fields:
            token = gene.gene if isinstance(gene, AffixedGene) else gene
            if isinstance(token, SignedTokenGene) and isinstance(token.claims, ObjectGene):
                token = SignedTokenGene(token.key, _referring(token.claims, owner, index, earlier[index]))
                gene = AffixedGene(gene.prefix, token, gene.suffix) if isinstance(gene, AffixedGene) else token
            fields.append((place, gene))
        return CarriedGene(tuple(fields))


def _referring(claims: ObjectGene, owner: Owner, index: int, giver: Call) -> ObjectGene:
    """Returns the claims with references to the answer of the giver, which is the call at the index.

    If that answers nothing, since the user of an earlier run of the test case is still there, they name this user by
    what the giver sends under the same name.
    """
    sent = dict(texts_sent(giver))
    fields: list[tuple[str, Gene]] = []
    for name, gene in claims.fields:
        pointer = owner.pointers.get(name)
        if pointer is not None:
            text = sent.get(plain_name(pointer.rpartition("/")[2]))
            gene = ReferenceGene(index, pointer, gene if text is None else StringGene(text))
        fields.append((name, gene))
    return ObjectGene(tuple(fields))


def _owner_of(evaluation: Evaluation, hint: TokenKeyHint) -> Owner | None:
    """Returns the latest sign-up or login up to the hint's call whose answer has some of the claims."""
    calls = evaluation.test_case.calls
    for index in range(min(hint.call, len(evaluation.observations) - 1), -1, -1):
        value = evaluation.observations[index].exchange.value() if calls[index].operation.entrance else ABSENT
        if value is ABSENT:
            continue
        fields = list(iter_scalar_fields(value))
        pointers = {
            claim: pointer
            for claim, wanted in hint.claims.items()
            if (pointer := next((at for at, name, field in fields if _is_same(name, field, wanted)), None)) is not None
        }
        if pointers:
            return Owner(calls[index].operation.id, pointers)
    return None


def _is_same(name: str, field: Json, claim: Json) -> bool:
    if field != claim or isinstance(claim, bool) or type(field) is not type(claim):
        return False
    if isinstance(claim, int):
        return plain_name(name).endswith("id")
    return isinstance(claim, str) and len(claim) >= MIN_TEXT


def _latest(giver: OperationId, earlier: Sequence[Call]) -> int | None:
    return next((i for i in range(len(earlier) - 1, -1, -1) if earlier[i].operation.id == giver), None)
