"""Whether a value is a sensible argument: of a type that its parameter takes, down to members and elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.made_objects import MADE, USED, held_of, made_of
from wimble.types import Json

PLAUSIBLE: Final = frozenset({"string"})
"""Types of values that a parameter of which nothing is known may be given."""
PLAUSIBLE_INSIDE: Final = frozenset({"string", "boolean", "number"})
"""The same, of elements and of members that no declaration mentions."""
UNUSUAL: Final[tuple[Json, ...]] = ({"$number": "NaN"}, {"$date": None})
"""Values that are no sensible arguments though they have a type that is taken."""
INFINITY: Final[Json] = {"$number": "Infinity"}
_NUMERAL: Final = re.compile(r"(?<=[^\w])\d{1,300}(?!\w)|(?<!\w)\d{1,300}(?=[^\w])")
"""A number within a text in a language: in `{1..90000}`, but not in `a90000`, and not the whole text."""
_WITH_EXPONENT: Final = re.compile(r"\d[eEpP]\+?(?P<exponent>\d{1,9})(?!\w)")
"""A numeral with an exponent, also as the whole text: `1e400`, `0x1.8p+1023`."""
UNDEFINED: Final[Json] = {"$undefined": True}
_NAMES: Final = {
    "$undefined": "undefined", "$number": "number", "$bigint": "bigint", "$date": "Date", "$regexp": "RegExp",
    "$map": "Map", "$set": "Set", "$bytes": "Buffer", "$function": "function", "$bare": "bare object",
    MADE: "instance", USED: "instance",
}  # fmt: skip


def is_fitting(shape: Shape, value: Json, plausible: frozenset[str] = PLAUSIBLE) -> bool:
    """Whether the value is what a caller who knows the shape would pass.

    Functions never are: what they return, and so what follows from it, is not the caller's choice but wimble's.
    """
    kind = type_of(value)
    if kind == "function" or value in UNUSUAL:
        return False
    if kind == "undefined" and shape.is_optional:
        return True
    if not shape.kinds:
        return kind in plausible
    if kind not in shape.kinds:
        return False
    if kind == "instance" and isinstance(value, dict):
        return _is_made_well(shape, held_of(made_of(value)))
    if isinstance(value, list):
        return _are_elements(shape, value)
    if kind == "object" and shape.is_cut:
        return False
    if kind == "object" and isinstance(value, dict):
        return any(_are_members(choice, value) for choice in shape.choices or (shape,))
    if kind == "boolean":
        known = [one for one in shape.values if isinstance(one, bool)]
        return not known or value in known
    return not (shape.is_closed and kind in ("string", "number")) or value in shape.values


def _is_made_well(shape: Shape, held: list[Json]) -> bool:
    """Whether an object comes from a function that makes such objects."""
    return bool(held) and held[0] in shape.makers


def _are_elements(shape: Shape, values: list[Json]) -> bool:
    if any(name.isdigit() and int(name) >= len(values) for name in shape.needed):
        return False
    if shape.places:
        return len(values) == len(shape.places) and _all_fit(zip(shape.places, values, strict=True))
    return _all_fit((shape.items or ANYTHING, value) for value in values)


def _are_members(shape: Shape, value: dict[str, Json]) -> bool:
    # Who leaves a member out does not write `undefined`.
    if not (shape.required | shape.needed) <= value.keys() or UNDEFINED in value.values():
        return False
    return _all_fit((shape.members.get(name, shape.others or ANYTHING), member) for name, member in value.items())


def _all_fit(pairs: Iterable[tuple[Shape, Json]]) -> bool:
    return all(is_fitting(shape, value, PLAUSIBLE_INSIDE) for shape, value in pairs)


def has_unknown_object(shape: Shape, value: Json) -> bool:
    """Whether the value is, or holds, an object of which it is only known that it is one (`object`, `{}`)."""
    if isinstance(value, list):
        places = shape.places or (shape.items or ANYTHING,) * len(value)
        return any(map(has_unknown_object, places, value))
    if not isinstance(value, dict) or type_of(value) != "object" or "object" not in shape.kinds:
        return False
    known = shape.choices or (shape,)
    if any(not (one.members or (one.others is not None and one.others.kinds)) for one in known):
        return True
    return any(
        has_unknown_object(one.members.get(name, one.others or ANYTHING), member)
        for one in known
        for name, member in value.items()
    )


def type_of(value: Json) -> str:
    """Returns the name of an argument's type, as in `argument_shape.Kind`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, list):
        return "array"
    return _NAMES.get(next(iter(value), ""), "object") if len(value) == 1 else "object"


def holds_function(values: Iterable[Json]) -> bool:
    """Whether a function is among values, at any depth."""
    for value in values:
        if isinstance(value, list) and holds_function(value):
            return True
        if isinstance(value, dict) and (type_of(value) == "function" or holds_function(value.values())):
            return True
    return False


def iter_texts(values: Iterable[Json]) -> Iterator[str]:
    """Yields the texts in values, at any depth."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from iter_texts(value)
        elif isinstance(value, dict):
            yield from iter_texts(value.values())


def iter_scalars(values: Iterable[Json]) -> Iterator[Json]:
    """Yields the values that consist of no others, at any depth."""
    for value in values:
        if isinstance(value, list):
            yield from iter_scalars(value)
        elif isinstance(value, dict) and type_of(value) == "object":
            yield from iter_scalars(value.values())
        else:
            yield value


def iter_numbers(values: Iterable[Json]) -> Iterator[float]:
    """Yields the numbers in values, at any depth."""
    for value in iter_scalars(values):
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield value


def largest_number(values: Iterable[Json]) -> float:
    """Returns the largest magnitude of the numbers in values, and of those within texts; 0.0 if there are none."""
    largest = 0.0
    for value in values:
        if isinstance(value, list):
            largest = max(largest, largest_number(value))
        elif isinstance(value, dict) and type_of(value) == "bigint":
            largest = max(largest, _magnitude(str(value["$bigint"])))
        elif isinstance(value, dict):
            largest = max(largest, largest_number(value.values()))
        elif isinstance(value, str):
            exponents = [10.0 ** min(300, int(exponent)) for exponent in _WITH_EXPONENT.findall(value)]
            largest = max([largest, *(float(digits) for digits in _NUMERAL.findall(value)), *exponents])
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            largest = max(largest, abs(float(value)))
    return largest


def without_dates(values: Iterable[Json]) -> list[Json]:
    """Returns the values, without dates among them and their members: their numbers are no sizes."""
    kept: list[Json] = []
    for value in values:
        if isinstance(value, dict):
            kept += [] if type_of(value) == "Date" else without_dates(value.values())
        else:
            kept += without_dates(value) if isinstance(value, list) else [value]
    return kept


def _magnitude(digits: str) -> float:
    """Returns the magnitude of a whole number of any length, in a text; 0.0 if it is none."""
    found = re.fullmatch(r"-?0*(\d*)", digits)
    return 0.0 if found is None else float(found[1][:300] or "0")
