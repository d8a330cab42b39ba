"""Genes over a closed set of values: booleans, enumerations, constants, null."""

from __future__ import annotations

from wimble.genes.base import Gene
from wimble.types import ABSENT, Absent, Json


class BooleanGene(Gene, frozen=True):
    value: bool = False


class EnumGene(Gene, frozen=True):
    """One of `options`. `odd` is a value outside of them that the SUT asked for, or ABSENT."""

    options: tuple[Json, ...]
    index: int = 0
    odd: Json | Absent = ABSENT


class ConstantGene(Gene, frozen=True):
    """Always `value`; JSON of any kind."""

    value: Json


class NullGene(Gene, frozen=True):
    """Always null."""
