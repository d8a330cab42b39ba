"""Tokens that are signed with a secret of the SUT, or with a key of our own whose public half a service answers.

The secret is not here: a token is a mark until it is sent.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Final

import msgspec

from wimble.base64url import from_base64url, to_base64url
from wimble.genes.anything import AnyGene, scalar_gene
from wimble.genes.containers import ArrayGene, ObjectGene
from wimble.genes.gene import Gene, Resolver
from wimble.genes.strings import StringGene
from wimble.genes.wrappers import OptionalGene
from wimble.own_keys import OWN_KEYS
from wimble.types import Json

MARK: Final = re.compile(rf"wimble-jwt\.([0-9a-f]{{16}}|{'|'.join(OWN_KEYS)})\.([A-Za-z0-9_-]*)\.")
"""Key and claims (JSON, base64url) of a token that is signed when the request is sent."""


class SignedTokenGene(Gene, frozen=True):
    """A JWT with these claims, signed with a key of the SUT or of our own (RFC 7519)."""

    key: str
    claims: Gene

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return mark_of(self.key, self.claims.phenotype(resolve))

    def sampled(self, rng: Random) -> SignedTokenGene:
        return self

    def mutated(self, rng: Random, focus: float) -> SignedTokenGene:
        return self

    def with_value(self, value: Json) -> None:
        """Returns None: only its claims change."""

    def with_claim(self, name: str, value: Json) -> SignedTokenGene | None:
        """Returns the token with a further claim; None if it has that claim."""
        claims = self.claims
        if not isinstance(claims, ObjectGene) or any(known == name for known, _ in claims.fields):
            return None
        added = ObjectGene((*claims.fields, (name, OptionalGene(claim_gene(value)))))
        return SignedTokenGene(self.key, added)

    def is_mutable(self) -> bool:
        return False

    def children(self) -> tuple[Gene, ...]:
        return (self.claims,)

    def with_child(self, index: int, child: Gene) -> SignedTokenGene:
        if index != 0:
            raise IndexError(index)
        return msgspec.structs.replace(self, claims=child)


def claim_gene(value: Json) -> Gene:
    """Returns the gene of a claim. It keeps its type: nobody but the SUT signs tokens, so it need not expect others."""
    if isinstance(value, dict):
        return ObjectGene(tuple((name, claim_gene(inner)) for name, inner in value.items()))
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ArrayGene(StringGene(), tuple(StringGene(item) for item in value))
    return scalar_gene(value) or AnyGene(value)


def mark_of(key: str, claims: Json) -> str:
    written = json.dumps(claims if isinstance(claims, dict) else {}, separators=(",", ":"))
    return f"wimble-jwt.{key}.{to_base64url(written.encode())}."


def claims_in(encoded: str) -> Json:
    """Returns the claims of a mark."""
    return json.loads(from_base64url(encoded))
