"""Transformations between an input and an operand: a way to recognise each, and its inverse.

A *family* is a function `(own, operand)`: it yields a `Step` for each transformation that turns the input's value `own`
into `operand`. The inverse of a step takes a wanted operand and answers the input that yields it, or NOTHING where none
does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from wimble.model.operands import DateValue, Operand
from wimble.types import Absent, Json

# Costs order the edits: small is tried first. Only their order matters.
SAME_COST = 0
CONVERTED_COST = 1
CHANGED_COST = 2
TEMPLATE_COST = 3
PART_COST = 4
LENGTH_COST = 5
PAIR_COST = 6
ARITHMETIC_COST = 7
GUESS_COST = 8
"""Fits by chance often enough that everything else is tried before."""

MIN_PART_LENGTH = 2
MIN_TEMPLATE_LENGTH = 3
"""Characters; shorter ones turn up in other strings by chance."""
MIN_UNUSUAL = 100
"""Numbers at least that large are taken for recognisable in arithmetic."""


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
    return NOTHING if isinstance(wanted, DateValue) else wanted


def text_inverse(convert: Callable[[str], str | None]) -> Inverse:
    """For transformations between texts; `convert` answers None where nothing yields the wanted text."""

    def inverse(wanted: Operand) -> Json | Nothing:
        value = convert(wanted) if isinstance(wanted, str) else None
        return NOTHING if value is None else value

    return inverse


def checked(transform: Callable[[str], str], convert: Callable[[str], str] = lambda text: text) -> Inverse:
    """The inverse that proposes `convert(wanted)`, if `transform` makes the wanted text of it."""

    def proposed(wanted: str) -> str | None:
        value = convert(wanted)
        return value if transform(value) == wanted else None

    return text_inverse(proposed)
