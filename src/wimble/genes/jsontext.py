"""A text that contains a JSON document, because the program parses it, or a part of it.

The search edits the document's scalars and keys as it edits those of a body.
"""

from __future__ import annotations

import json
from random import Random

from msgspec.structs import replace

from wimble.genes.anything import AnyGene
from wimble.genes.gene import Gene, Resolver
from wimble.genes.strings import StringGene
from wimble.json_texts import HeldDocument, JsonCoding, coded_json, held_document, held_json
from wimble.types import ABSENT, Json

GIVE_UP_PROBABILITY = 0.03
"""Probability that a mutation restores the original string gene."""
NEW_DOCUMENT_PROBABILITY = 0.3


class JsonTextGene(Gene, frozen=True):
    """A text that is `document` in JSON, between two other texts. `own` is the string gene that it has replaced, with
    its constraints."""

    document: AnyGene
    own: StringGene = StringGene()
    coding: JsonCoding = ""
    before: str = ""
    after: str = ""

    @staticmethod
    def of(held: HeldDocument, own: StringGene) -> JsonTextGene:
        return JsonTextGene(AnyGene(held.document), own, held.coding, held.before, held.after)

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        text = json.dumps(self.document.phenotype(resolve), separators=(",", ":"), ensure_ascii=False)
        return self.before + coded_json(text, self.coding) + self.after

    def sampled(self, rng: Random) -> JsonTextGene:
        return self.holding(self.document.sampled(rng))

    def mutated(self, rng: Random, focus: float) -> Gene:
        if rng.random() < GIVE_UP_PROBABILITY:
            return self.own
        if rng.random() < NEW_DOCUMENT_PROBABILITY:
            return self.sampled(rng)
        return self.holding(self.document.mutated(rng, focus))

    def holding(self, document: AnyGene) -> JsonTextGene:
        """Returns the gene with another document."""
        return replace(self, document=document)

    def with_value(self, value: Json) -> Gene | None:
        """Returns the gene with another document; for a text that is not JSON, the string gene with this text."""
        if not isinstance(value, str):
            return None
        held = held_document(value)
        if held is not None:
            return JsonTextGene.of(held, self.own)
        scalar = ABSENT if self.coding or self.before or self.after else held_json(value)
        return self.own.with_value(value) if scalar is ABSENT else self.holding(AnyGene(scalar))

    def children(self) -> tuple[Gene, ...]:
        return (self.document,)

    def with_child(self, index: int, child: Gene) -> JsonTextGene:
        if index != 0 or not isinstance(child, AnyGene):
            raise IndexError(index)
        return self.holding(child)
