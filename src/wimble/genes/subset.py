"""A subset of a fixed set of names, in the order of the set."""

from __future__ import annotations

from random import Random

import msgspec

from wimble.genes.gene import Gene, Resolver
from wimble.types import Json

CHOSEN_PROBABILITY = 0.6
FAVOURED_PROBABILITY = 0.95
"""Probability of a name that others depend on, such as an identifier."""


class SubsetGene(Gene, frozen=True):
    """`chosen` of `options`. The phenotype is the list of chosen names: part of the input's structure, not a value."""

    options: tuple[str, ...]
    chosen: tuple[str, ...] = ()
    favoured: frozenset[str] = frozenset()
    always: frozenset[str] = frozenset()
    """Names that are in every subset."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return list(self.chosen)

    def sampled(self, rng: Random) -> SubsetGene:
        return self._with({name for name in self.options if rng.random() < self._probability(name)})

    def mutated(self, rng: Random, focus: float) -> SubsetGene:
        """Adds or removes one name."""
        free = [name for name in self.options if name not in self.always]
        return self._with(set(self.chosen) ^ {rng.choice(free)}) if free else self

    def with_value(self, value: Json) -> SubsetGene | None:
        if not isinstance(value, list) or not all(isinstance(name, str) and name in self.options for name in value):
            return None
        return self._with(set(value))

    def is_mutable(self) -> bool:
        return any(name not in self.always for name in self.options)

    def _probability(self, name: str) -> float:
        return FAVOURED_PROBABILITY if name in self.favoured else CHOSEN_PROBABILITY

    def _with(self, names: set[str]) -> SubsetGene:
        kept = names | self.always
        return msgspec.structs.replace(self, chosen=tuple(name for name in self.options if name in kept))
