"""A text that holds a JSON document, where the program parses it: its scalars and keys are searched like those of a body."""

from __future__ import annotations

import json
from random import Random

from wimble.genes.anything import AnyGene
from wimble.genes.base import Gene, Resolver
from wimble.genes.strings import StringGene
from wimble.types import Json

GIVE_UP_SHARE = 0.03
"""Mutations that go back to the text that was there before."""
NEW_DOCUMENT_SHARE = 0.3


class JsonTextGene(Gene, frozen=True):
    """`document` as JSON; `own` is the string that it took the place of, with its constraints."""

    document: AnyGene
    own: StringGene = StringGene()

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return json.dumps(self.document.phenotype(resolve), separators=(",", ":"), ensure_ascii=False)

    def sampled(self, rng: Random) -> JsonTextGene:
        return JsonTextGene(self.document.sampled(rng), self.own)

    def mutated(self, rng: Random, focus: float) -> Gene:
        if rng.random() < GIVE_UP_SHARE:
            return self.own
        if rng.random() < NEW_DOCUMENT_SHARE:
            return self.sampled(rng)
        return JsonTextGene(self.document.mutated(rng, focus), self.own)

    def adopted(self, value: Json) -> Gene | None:
        """Another document; a text that is none goes into the string again."""
        if not isinstance(value, str):
            return None
        try:
            return JsonTextGene(AnyGene(json.loads(value)), self.own)
        except (ValueError, RecursionError):
            return self.own.adopted(value)

    def children(self) -> tuple[Gene, ...]:
        return (self.document,)

    def with_child(self, index: int, child: Gene) -> JsonTextGene:
        if index != 0 or not isinstance(child, AnyGene):
            raise IndexError(index)
        return JsonTextGene(child, self.own)
