"""What is known about an argument: the types that it may have, its members, its elements, its values. Plain data."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from wimble.types import Json

Kind = Literal[
    "string", "number", "boolean", "array", "object", "function", "null", "undefined", "Date", "RegExp", "Buffer",
    "bigint", "Map", "Set",
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


class Shape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A shape without kinds says nothing: any value is possible."""

    kinds: tuple[Kind, ...] = ()
    values: tuple[Json, ...] = ()
    """Known values: the alternatives of a type of literals, or examples. They belong to `kinds`."""
    is_closed: bool = False
    """Whether there are no other texts and numbers than `values`."""
    members: dict[str, Shape] = {}
    required: frozenset[str] = frozenset()
    """Names of members that are always there."""
    items: Shape | None = None
    places: tuple[Shape, ...] = ()
    """Of a tuple: the shapes of its elements."""
    is_optional: bool = False


ANYTHING: Final = Shape()
_DEPTH: Final = 4


def merged(first: Shape, second: Shape, depth: int = 0) -> Shape:
    """Returns a shape that allows what either shape allows."""
    if not first.kinds and not first.members:
        return msgspec.structs.replace(second, is_optional=first.is_optional or second.is_optional)
    if not second.kinds and not second.members:
        return msgspec.structs.replace(first, is_optional=first.is_optional or second.is_optional)
    members = dict(first.members)
    for name, shape in second.members.items() if depth < _DEPTH else ():
        members[name] = merged(members[name], shape, depth + 1) if name in members else shape
    items = first.items or second.items
    if first.items is not None and second.items is not None and depth < _DEPTH:
        items = merged(first.items, second.items, depth + 1)
    values = [*first.values, *(value for value in second.values if value not in first.values)]
    return Shape(
        kinds=tuple(kind for kind in KINDS if kind in first.kinds or kind in second.kinds),
        values=tuple(values),
        is_closed=first.is_closed and second.is_closed,
        members=members,
        required=first.required & second.required,
        items=items,
        places=first.places or second.places,
        is_optional=first.is_optional or second.is_optional,
    )
