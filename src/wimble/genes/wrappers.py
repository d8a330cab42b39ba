"""Genes that wrap other genes: optional, nullable, one of several, or with known good values."""

from __future__ import annotations

from random import Random
from typing import NoReturn, Self

from wimble.genes import probabilities
from wimble.genes.anything import AnyGene
from wimble.genes.gene import Gene, Resolver
from wimble.genes.jsonhash import is_same_json
from wimble.types import ABSENT, Json


class OptionalGene(Gene, frozen=True):
    """A value that is present or left out (phenotype ABSENT)."""

    gene: Gene
    is_present: bool = True

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.gene.phenotype(resolve) if self.is_present else ABSENT

    def sampled(self, rng: Random) -> Self:
        return self._sampled(rng, probabilities.PRESENT_PROBABILITY)

    def alike(self, rng: Random) -> Self:
        return self._with(self.gene.alike(rng), self.is_present)

    def mutated(self, rng: Random, focus: float) -> Self:
        """Removes the value, or adds it with a new sample."""
        return self._with(self.gene, False) if self.is_present else self._with(self.gene.sampled(rng), True)

    def with_value(self, value: Json) -> Self | None:
        if value is ABSENT:
            return self._with(self.gene, False)
        gene = self.gene.with_value(value)
        return None if gene is None else self._with(gene, True)

    def children(self) -> tuple[Gene, ...]:
        return (self.gene,) if self.is_present else ()

    def with_child(self, index: int, child: Gene) -> Self:
        return self._with(child, True) if index == 0 and self.is_present else _no_child(index)

    def _sampled(self, rng: Random, present_probability: float) -> Self:
        if rng.random() < present_probability:
            return self._with(self.gene.sampled(rng), True)
        return self._with(self.gene, False)

    def _with(self, gene: Gene, is_present: bool) -> Self:
        return type(self)(gene, is_present)


class NeededGene(OptionalGene, frozen=True):
    """A value that nearly all samples have: without it, a function seldom does more than refuse."""

    def sampled(self, rng: Random) -> Self:
        return self._sampled(rng, probabilities.NEEDED_PROBABILITY)


class NullableGene(Gene, frozen=True):
    """The wrapped value, or null."""

    gene: Gene
    is_null: bool = False

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return None if self.is_null else self.gene.phenotype(resolve)

    def sampled(self, rng: Random) -> NullableGene:
        if rng.random() < probabilities.NULL_PROBABILITY:
            return NullableGene(self.gene, True)
        return NullableGene(self.gene.sampled(rng), False)

    def mutated(self, rng: Random, focus: float) -> NullableGene:
        return NullableGene(self.gene.sampled(rng), False) if self.is_null else NullableGene(self.gene, True)

    def with_value(self, value: Json) -> NullableGene | None:
        if value is None:
            return NullableGene(self.gene, True)
        gene = self.gene.with_value(value)
        return None if gene is None else NullableGene(gene, False)

    def children(self) -> tuple[Gene, ...]:
        return () if self.is_null else (self.gene,)

    def with_child(self, index: int, child: Gene) -> NullableGene:
        return NullableGene(child, False) if index == 0 and not self.is_null else _no_child(index)


class ChoiceGene(Gene, frozen=True):
    """One of several alternatives (`oneOf`, `anyOf`)."""

    options: tuple[Gene, ...]
    index: int = 0
    first_probability: float = 0.0
    """Probability that a sample takes the first option; otherwise, all options are equally likely."""

    def __hash__(self) -> int:
        return hash((self.index, len(self.options), self.options[self.index]))  # few genes differ only in other options

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.options[self.index].phenotype(resolve)

    def sampled(self, rng: Random) -> ChoiceGene:
        if self.first_probability and rng.random() < self.first_probability:
            return self._sampled_at(0, rng)
        return self._sampled_at(rng.randrange(len(self.options)), rng)

    def mutated(self, rng: Random, focus: float) -> ChoiceGene:
        """Takes another alternative, with a new sample."""
        if len(self.options) < 2:
            return self
        other = rng.randrange(len(self.options) - 1)
        return self._sampled_at(other + (other >= self.index), rng)

    def with_value(self, value: Json) -> ChoiceGene | None:
        """Tries the current alternative first, then the others in order."""
        for index in (self.index, *(i for i in range(len(self.options)) if i != self.index)):
            gene = self.options[index].with_value(value)
            if gene is not None:
                return self._with(index, gene)
        return None

    def is_mutable(self) -> bool:
        return len(self.options) > 1

    def children(self) -> tuple[Gene, ...]:
        return (self.options[self.index],)

    def with_child(self, index: int, child: Gene) -> ChoiceGene:
        return self._with(self.index, child) if index == 0 else _no_child(index)

    def _sampled_at(self, index: int, rng: Random) -> ChoiceGene:
        return self._with(index, self.options[index].sampled(rng))

    def _with(self, index: int, gene: Gene) -> ChoiceGene:
        return ChoiceGene((*self.options[:index], gene, *self.options[index + 1 :]), index, self.first_probability)


class SeededGene(Gene, frozen=True):
    """A gene with values known to be good (examples, defaults). `sampled` takes one of them with SEED_PROBABILITY.

    Seeds that the gene cannot hold are never used.
    """

    gene: Gene
    seeds: tuple[Json, ...]

    def __hash__(self) -> int:
        return hash((self.gene, len(self.seeds)))  # examples are large, and genes that differ in nothing else are rare

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.gene.phenotype(resolve)

    def sampled(self, rng: Random) -> SeededGene:
        if self.seeds and rng.random() < probabilities.SEED_PROBABILITY:
            gene = self.gene.with_value(rng.choice(self.seeds))
            if gene is not None:
                return SeededGene(gene, self.seeds)
        return SeededGene(self.gene.sampled(rng), self.seeds)

    def mutated(self, rng: Random, focus: float) -> SeededGene:
        """Takes another seed."""
        others = self._other_seeds()
        return SeededGene(rng.choice(others), self.seeds) if others else self

    def with_value(self, value: Json) -> SeededGene | None:
        gene = self.gene.with_value(value)
        return None if gene is None else SeededGene(gene, self.seeds)

    def is_mutable(self) -> bool:
        return bool(self._other_seeds())

    def children(self) -> tuple[Gene, ...]:
        return (self.gene,)

    def with_child(self, index: int, child: Gene) -> SeededGene:
        return SeededGene(child, self.seeds) if index == 0 else _no_child(index)

    def _other_seeds(self) -> list[Gene]:
        current = self.gene.phenotype()
        others = (self.gene.with_value(seed) for seed in self.seeds if not is_same_json(seed, current))
        return [gene for gene in others if gene is not None]


def _no_child(index: int) -> NoReturn:
    raise IndexError(index)


def wrapped(gene: Gene) -> Gene | None:
    """Returns the gene within a wrapper (optional, nullable, seeded, ...), or None if the gene is not a wrapper."""
    inner = getattr(gene, "gene", None)
    return inner if isinstance(inner, Gene) else None


def innermost(gene: Gene) -> Gene:
    """Returns the gene within all its wrappers."""
    while (inner := wrapped(gene)) is not None:
        gene = inner
    return gene


def is_scalar(gene: Gene) -> bool:
    """Whether all values of the gene are texts, numbers or booleans."""
    gene = innermost(gene)
    return not isinstance(gene, AnyGene) and not isinstance(gene.phenotype(), dict | list)
