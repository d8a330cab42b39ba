"""Transformations between an input and an operand: how each is recognised, and its inverse.

A *family* is a function `(own, operand)`. It yields a `Step` for each transformation that turns the input's value `own`
into `operand`. The inverse of a step returns the input that gives a wanted operand, or NOTHING if there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from wimble.model.operands import DateValue, Operand
from wimble.types import Absent, Json

# Costs order the edits: edits of low cost are tried first. Only the order of the costs matters.
SAME_COST = 0
CONVERTED_COST = 1
CHANGED_COST = 2
TEMPLATE_COST = 3
PART_COST = 4
LENGTH_COST = 5
PAIR_COST = 6
ARITHMETIC_COST = 7
GUESS_COST = 8
"""Such transformations often fit by chance, so everything else is tried before."""

MIN_PART_LENGTH = 2
MIN_TEMPLATE_LENGTH = 3
"""Minimum number of characters: shorter texts occur in other texts by chance."""
MIN_UNUSUAL = 100
"""Numbers of at least this size count as recognisable in arithmetic."""


class Nothing:
    """The type of NOTHING: no value of the input gives the wanted operand."""


NOTHING = Nothing()
Inverse = Callable[[Operand], Json | Absent | Nothing]


class Step(msgspec.Struct, frozen=True, eq=False):
    """One recognised transformation."""

    cost: int
    how: str
    inverse: Inverse


Family = Callable[[Json, Operand], Iterator[Step]]


def identity(wanted: Operand) -> Json | Absent | Nothing:
    """Returns the wanted operand itself; NOTHING for a date, which no request can contain."""
    return NOTHING if isinstance(wanted, DateValue) else wanted


def text_inverse(convert: Callable[[str], str | None]) -> Inverse:
    """Returns an inverse for transformations between texts. convert: returns None if no input gives the wanted text."""

    def inverse(wanted: Operand) -> Json | Nothing:
        value = convert(wanted) if isinstance(wanted, str) else None
        return NOTHING if value is None else value

    return inverse


def checked(transform: Callable[[str], str], convert: Callable[[str], str] = lambda text: text) -> Inverse:
    """Returns the inverse that proposes `convert(wanted)`, if `transform` turns that into the wanted text."""

    def proposed(wanted: str) -> str | None:
        value = convert(wanted)
        return value if transform(value) == wanted else None

    return text_inverse(proposed)
