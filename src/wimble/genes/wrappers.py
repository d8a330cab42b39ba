"""Genes around other genes: optional, nullable, one of several, with known good values."""

from __future__ import annotations

from wimble.genes.base import Gene
from wimble.types import Json


class OptionalGene(Gene, frozen=True):
    """Present or left out (phenotype ABSENT)."""

    gene: Gene
    is_present: bool = True


class NullableGene(Gene, frozen=True):
    """The wrapped value or null."""

    gene: Gene
    is_null: bool = False


class ChoiceGene(Gene, frozen=True):
    """One of several shapes (`oneOf`, `anyOf`)."""

    options: tuple[Gene, ...]
    index: int = 0


class SeededGene(Gene, frozen=True):
    """A gene with values known to be good (examples, defaults): `sampled` adopts one of them in SEED_SHARE of the cases."""

    gene: Gene
    seeds: tuple[Json, ...]
