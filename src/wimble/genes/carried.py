"""Values that calls carry beside their declared inputs: credentials, in the places where they are sent."""

from __future__ import annotations

import json
from random import Random

import msgspec

from wimble.genes.gene import Gene, Resolver
from wimble.genes.reference import ReferenceGene
from wimble.types import ABSENT, Json


class CredentialGene(ReferenceGene, frozen=True):
    """A credential in an earlier answer, which stays as it is: a changed one lets nobody in."""

    def sampled(self, rng: Random) -> CredentialGene:
        return self

    def with_value(self, value: Json) -> None:
        """Returns None."""


class AffixedGene(Gene, frozen=True):
    """The value of another gene as text, between two texts: `Bearer ` and a token of an earlier answer."""

    prefix: str
    gene: Gene
    suffix: str = ""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        value = self.gene.phenotype(resolve)
        if value is ABSENT:
            return ABSENT
        return f"{self.prefix}{value if isinstance(value, str) else json.dumps(value)}{self.suffix}"

    def sampled(self, rng: Random) -> AffixedGene:
        return AffixedGene(self.prefix, self.gene.sampled(rng), self.suffix)

    def mutated(self, rng: Random, focus: float) -> AffixedGene:
        return self

    def with_value(self, value: Json) -> AffixedGene | None:
        fits = isinstance(value, str) and value.startswith(self.prefix) and value.endswith(self.suffix)
        if not fits or len(value) < len(self.prefix) + len(self.suffix):
            return None
        gene = self.gene.with_value(value[len(self.prefix) : len(value) - len(self.suffix)])
        return None if gene is None else AffixedGene(self.prefix, gene, self.suffix)

    def is_mutable(self) -> bool:
        return False

    def children(self) -> tuple[Gene, ...]:
        return (self.gene,)

    def with_child(self, index: int, child: Gene) -> AffixedGene:
        if index != 0:
            raise IndexError(index)
        return AffixedGene(self.prefix, child, self.suffix)


class CarriedGene(Gene, frozen=True):
    """Values by the place where they are sent, such as `header Authorization`. Only the search adds and removes them.

    Without values it is ABSENT. No sample and no mutation changes which values there are.
    """

    fields: tuple[tuple[str, Gene], ...] = ()

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        if not self.fields:
            return ABSENT
        return {place: value for place, gene in self.fields if (value := gene.phenotype(resolve)) is not ABSENT}

    def sampled(self, rng: Random) -> CarriedGene:
        return self

    def mutated(self, rng: Random, focus: float) -> CarriedGene:
        return self

    def with_value(self, value: Json) -> CarriedGene | None:
        """Returns the gene without values for ABSENT, or with those of its places that the value has."""
        if value is ABSENT:
            return CarriedGene()
        if not isinstance(value, dict) or not value.keys() <= {place for place, _ in self.fields}:
            return None
        kept: list[tuple[str, Gene]] = []
        for place, gene in self.fields:
            if place in value:
                new = gene if gene.phenotype() == value[place] else gene.with_value(value[place])
                if new is None:
                    return None
                kept.append((place, new))
        return CarriedGene(tuple(kept))

    def is_mutable(self) -> bool:
        return False

    def children(self) -> tuple[Gene, ...]:
        return tuple(gene for _, gene in self.fields)

    def with_child(self, index: int, child: Gene) -> CarriedGene:
        if not 0 <= index < len(self.fields):
            raise IndexError(index)
        place = self.fields[index][0]
        return msgspec.structs.replace(self, fields=(*self.fields[:index], (place, child), *self.fields[index + 1 :]))
