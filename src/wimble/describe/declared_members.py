"""Lists the members that a declared schema names, at all depths."""

from __future__ import annotations

from typing import Final

import msgspec

from wimble.model.json_pointer import at_pointer
from wimble.types import Json

MAX_DEPTH: Final = 8
MAX_PLACES: Final = 2_000
_CHOICES: Final = ("allOf", "anyOf", "oneOf")
_FREE: Final = ("additionalProperties", "patternProperties", "unevaluatedProperties")


class DeclaredMembers(msgspec.Struct):
    """Places in an answer, such as `$.items[].price`."""

    places: set[str] = msgspec.field(default_factory=set)
    """Members that are declared."""
    objects: set[str] = msgspec.field(default_factory=set)
    """Objects whose members are declared, so that others are undocumented."""
    free: set[str] = msgspec.field(default_factory=set)
    """Objects of which the schema says that there are members without names."""


def members_of(schema: dict[str, Json]) -> DeclaredMembers:
    """Returns the members of a self-contained schema."""
    found = DeclaredMembers()
    _collect(schema, schema, "$", found, 0)
    found.objects -= found.free
    return found


def _collect(root: Json, schema: Json, place: str, found: DeclaredMembers, depth: int) -> None:
    if not isinstance(schema, dict) or depth > MAX_DEPTH or len(found.places) > MAX_PLACES:
        found.free.add(place)
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        _collect(root, at_pointer(root, reference[1:]), place, found, depth + 1)
    for key in _CHOICES:
        for choice in schema.get(key) or ():
            _collect(root, choice, place, found, depth + 1)
    if any(schema.get(key) for key in _FREE):
        found.free.add(place)
    properties = schema.get("properties")
    if isinstance(properties, dict) and properties:
        found.objects.add(place)
        for name, below in properties.items():
            found.places.add(f"{place}.{name}")
            _collect(root, below, f"{place}.{name}", found, depth + 1)
    if "items" in schema:
        _collect(root, schema["items"], f"{place}[]", found, depth + 1)
