"""New elements of lists are made like the element that got furthest: programs mostly require the same of each one.

How far an element got is not known. One that the search has given members is taken for the one that the program asked
them of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wimble.types import Json


def furthest(values: Iterable[Json]) -> int:
    """Returns the index of the value that got furthest, of several alike the last one."""
    sizes = [_size(value) for value in values]
    return max(range(len(sizes)), key=lambda at: (sizes[at], at))


def _size(value: Json) -> int:
    """Returns the number of values within a value; a null is none, for most programs refuse it."""
    within: Sequence[Json] = ()
    if isinstance(value, dict):
        within = tuple(value.values())
    elif isinstance(value, list):
        within = value
    return (value is not None) + sum(map(_size, within))
