"""Genes with a closed set of values: booleans, enumerations, constants, null."""

from __future__ import annotations

from random import Random

from wimble.genes.gene import Gene, Resolver
from wimble.genes.jsonhash import is_same_json, json_hash
from wimble.types import ABSENT, Absent, Json


class BooleanGene(Gene, frozen=True):
    value: bool = False

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.value

    def sampled(self, rng: Random) -> BooleanGene:
        return BooleanGene(rng.random() < 0.5)

    def mutated(self, rng: Random, focus: float) -> BooleanGene:
        return BooleanGene(not self.value)

    def with_value(self, value: Json) -> BooleanGene | None:
        return BooleanGene(value) if isinstance(value, bool) else None


class EnumGene(Gene, frozen=True):
    """One of `options`, or the value `odd` outside of them that a hint has asked for (ABSENT if there is none)."""

    options: tuple[Json, ...]
    index: int = 0
    odd: Json | Absent = ABSENT

    def __hash__(self) -> int:
        return hash((self.index, len(self.options), json_hash(self.odd)))  # options may be many, and large

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.options[self.index] if self.odd is ABSENT else self.odd

    def sampled(self, rng: Random) -> EnumGene:
        return EnumGene(self.options, rng.randrange(len(self.options)))

    def mutated(self, rng: Random, focus: float) -> EnumGene:
        if self.odd is not ABSENT:
            return self.sampled(rng)
        if len(self.options) < 2:
            return self
        other = rng.randrange(len(self.options) - 1)
        return EnumGene(self.options, other + (other >= self.index))

    def with_value(self, value: Json) -> EnumGene | None:
        for index, option in enumerate(self.options):
            if is_same_json(option, value):
                return EnumGene(self.options, index)
        if any(_kind(option) == _kind(value) for option in self.options):
            return EnumGene(self.options, self.index, value)
        return None

    def is_mutable(self) -> bool:
        return len(self.options) > 1 or self.odd is not ABSENT


class ConstantGene(Gene, frozen=True):
    """A constant: JSON of any type."""

    value: Json

    def __hash__(self) -> int:
        return json_hash(self.value)

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.value

    def sampled(self, rng: Random) -> ConstantGene:
        return self

    def mutated(self, rng: Random, focus: float) -> ConstantGene:
        return self

    def with_value(self, value: Json) -> ConstantGene | None:
        return self if is_same_json(value, self.value) else None

    def is_mutable(self) -> bool:
        return False


class NullGene(Gene, frozen=True):
    """Always null."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return None

    def sampled(self, rng: Random) -> NullGene:
        return self

    def mutated(self, rng: Random, focus: float) -> NullGene:
        return self

    def with_value(self, value: Json) -> NullGene | None:
        return self if value is None else None

    def is_mutable(self) -> bool:
        return False


def _kind(value: Json) -> type:
    return float if type(value) is int else type(value)
