"""The parts of the schemas that validation libraries apply: of a whole value, or of one of its members."""

from __future__ import annotations

from typing import Any, TypeAlias

from wimble.model.validation import AppliedSchema
from wimble.search.learned.validated_places import moved_references

Part: TypeAlias = tuple[AppliedSchema, tuple[str, ...]]
"""A schema, and the names of members that lead to the part of it."""


def together(parts: tuple[Part, ...]) -> dict[str, Any]:
    """Returns the schema of values that meet several schemas; each keeps its own definitions under its number."""
    schemas = {str(number): schema.schema for number, (schema, _) in enumerate(parts)}
    pointed = []
    for number, (_, pointer) in enumerate(parts):
        steps = "".join(f"/properties/{name}" for name in pointer)
        pointed.append({"$ref": f"#/$defs/{number}{steps}"})
    moved = {number: moved_references(schema, f"#/$defs/{number}") for number, schema in schemas.items()}
    return {"allOf": pointed, "$defs": moved}
