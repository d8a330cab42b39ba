"""A text that holds a JSON document, where the program parses it.

Its scalars and keys are searched like those of a body.
"""

from __future__ import annotations

import json
from random import Random

from wimble.genes.anything import AnyGene
from wimble.genes.gene import Gene, Resolver
from wimble.genes.strings import StringGene
from wimble.types import Json

GIVE_UP_PROBABILITY = 0.03
"""Of a mutation that goes back to the text before."""
NEW_DOCUMENT_PROBABILITY = 0.3


class JsonTextGene(Gene, frozen=True):
    """`document` as JSON; `own` is the string that it took the place of, with its constraints."""

    document: AnyGene
    own: StringGene = StringGene()

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return json.dumps(self.document.phenotype(resolve), separators=(",", ":"), ensure_ascii=False)

    def sampled(self, rng: Random) -> JsonTextGene:
        return JsonTextGene(self.document.sampled(rng), self.own)

    def mutated(self, rng: Random, focus: float) -> Gene:
        if rng.random() < GIVE_UP_PROBABILITY:
            return self.own
        if rng.random() < NEW_DOCUMENT_PROBABILITY:
            return self.sampled(rng)
        return JsonTextGene(self.document.mutated(rng, focus), self.own)

    def with_value(self, value: Json) -> Gene | None:
        """The gene with another document; a text that is not JSON becomes the plain string again."""
        if not isinstance(value, str):
            return None
        try:
            return JsonTextGene(AnyGene(json.loads(value)), self.own)
        except (ValueError, RecursionError):
            return self.own.with_value(value)

    def children(self) -> tuple[Gene, ...]:
        return (self.document,)

    def with_child(self, index: int, child: Gene) -> JsonTextGene:
        if index != 0 or not isinstance(child, AnyGene):
            raise IndexError(index)
        return JsonTextGene(child, self.own)
