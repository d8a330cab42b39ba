"""What is known about an argument: the types that it may have, its members, its elements, its values. Plain data."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from wimble.types import Json

Kind = Literal[
    "string", "number", "boolean", "array", "object", "function", "null", "undefined", "Date", "RegExp", "Buffer",
    "bigint", "Map", "Set", "instance",
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


class Shape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A shape without kinds says nothing: any value is possible."""

    kinds: tuple[Kind, ...] = ()
    values: tuple[Json, ...] = ()
    """Known values: the alternatives of a type of literals, or examples. They belong to `kinds`."""
    is_closed: bool = False
    """Whether there are no other texts and numbers than `values`. Of booleans, there are those in `values`, if any."""
    members: dict[str, Shape] = {}
    required: frozenset[str] = frozenset()
    """Names of members that are always there."""
    needed: frozenset[str] = frozenset()
    """Names of members that a sensible object has, so far as that was seen: something is done with them.

    Of an array, an index that is read by itself, and so is there."""
    others: Shape | None = None
    """The shape of members with any other name."""
    choices: tuple[Shape, ...] = ()
    """The alternatives of a union of object types."""
    items: Shape | None = None
    places: tuple[Shape, ...] = ()
    """The shapes of the elements of a tuple."""
    is_optional: bool = False
    is_cut: bool = False
    """Whether members of the object are declared, but too deep to be known here."""
    makers: tuple[str, ...] = ()
    """Names of the operations that make an object of one of the library's own classes (`instance`)."""


ANYTHING: Final = Shape()


class Overload(msgspec.Struct, frozen=True):
    """One of several declared signatures of a function."""

    shapes: tuple[Shape, ...] = ()
    """Of its parameters."""
    is_rest: bool = False
    """Whether the last one takes any number of arguments."""
