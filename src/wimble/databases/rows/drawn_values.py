"""Values at random for columns of new rows that nothing else asks for."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Final

from wimble.databases.rows.column_genes import keeps_limits
from wimble.genes import Gene

MAX_DRAWS: Final = 50
"""The largest number of samples until a value keeps its limits (samples sometimes break them on purpose) and equals no
existing key."""
USUAL_NUMBERS: Final = range(10_001)
UNUSUAL_NUMBER_PROBABILITY: Final = 0.1
"""Probability that a number may be negative or above USUAL_NUMBERS. Programs go through what they count, and seldom
keep such numbers."""


def drawn(gene: Gene, rng: Random, is_taken: Callable[[Gene], bool]) -> Gene:
    """Returns the gene with another value, which keeps its limits and is not taken, if one is found in MAX_DRAWS."""
    may_be_unusual = rng.random() < UNUSUAL_NUMBER_PROBABILITY
    found: Gene | None = None
    for _ in range(MAX_DRAWS):
        new = gene.sampled(rng)
        if keeps_limits(new) and not is_taken(new):
            if may_be_unusual or _is_usual(new.phenotype()):
                return new
            found = found or new
    return found or new


def _is_usual(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return True
    return USUAL_NUMBERS.start <= value < USUAL_NUMBERS.stop
