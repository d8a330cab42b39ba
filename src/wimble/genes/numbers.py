"""Integers and other numbers."""

from __future__ import annotations

from wimble.genes.base import Gene


class IntegerGene(Gene, frozen=True):
    """An integer; limits are inclusive (exclusive ones are normalised by whoever builds the gene)."""

    value: int = 0
    minimum: int | None = None
    maximum: int | None = None
    multiple_of: int | None = None


class NumberGene(Gene, frozen=True):
    """A finite number, kept as int where it was given as such."""

    value: float = 0.0
    minimum: float | None = None
    maximum: float | None = None
    exclusive_minimum: float | None = None
    exclusive_maximum: float | None = None
    multiple_of: float | None = None
