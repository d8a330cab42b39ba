"""The fields of a collection, from the `$jsonSchema` of its validator and from its documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from wimble.databases.mongo.document_values import Value, class_of
from wimble.model.database import Column, ColumnRules, ColumnType
from wimble.types import Json

MAX_DEPTH: Final = 5
_TYPES: Final[dict[str, ColumnType]] = {
    "string": "text", "int": "integer", "long": "integer", "double": "float", "decimal": "decimal", "number": "float",
    "bool": "boolean", "boolean": "boolean", "date": "timestamp", "objectId": "objectid", "array": "array",
    "object": "json", "binData": "bytes", "integer": "integer",
}  # fmt: skip
"""Column types by `bsonType`, and by `type` of plain JSON Schema."""
_TYPES_OF_CLASSES: Final[dict[str, ColumnType]] = {
    "bool": "boolean", "str": "text", "datetime": "timestamp", "ObjectId": "objectid", "list": "array",
    "dict": "json", "bytes": "bytes",
}  # fmt: skip


def columns_of_schema(schema: Json) -> tuple[Column, ...]:
    """Returns the fields that a validator describes; fields of nested documents are named by their dotted paths."""
    return tuple(_columns(schema, "", is_required=True, depth=0)) if isinstance(schema, dict) else ()


def _columns(schema: Json, prefix: str, *, is_required: bool, depth: int) -> Iterator[Column]:
    required = set(schema.get("required", ()))
    for name, field in schema.get("properties", {}).items():
        if not isinstance(field, dict):
            continue
        is_needed = is_required and name in required
        kind = _kind(field)
        if kind == "json" and field.get("properties") and depth < MAX_DEPTH:
            yield from _columns(field, f"{prefix}{name}.", is_required=is_needed, depth=depth + 1)
        else:
            yield _column(prefix + name, kind, field, is_needed)


def _kind(field: Json) -> ColumnType:
    named = field.get("bsonType", field.get("type"))
    names = named if isinstance(named, list) else [named]
    known = [_TYPES[name] for name in names if name in _TYPES]
    if known:
        return known[0]
    values = field.get("enum") or [None]
    return "json" if "properties" in field else column_type(values[0])


def _column(name: str, kind: ColumnType, field: Json, is_needed: bool) -> Column:
    items = field.get("items")
    return Column(
        name=name,
        type_name=str(field.get("bsonType", "any")),
        type=kind,
        rules=ColumnRules(
            low=field.get("minimum"),
            high=field.get("maximum"),
            min_length=field.get("minLength"),
            max_length=field.get("maxLength"),
            pattern=field.get("pattern"),
            values=tuple(field.get("enum", ())),
        ),
        is_nullable=not is_needed,
        element=_kind(items) if isinstance(items, dict) else None,
    )


def columns_of_documents(documents: Sequence[Value]) -> tuple[Column, ...]:
    """Returns the fields that documents have; none of them is required."""
    found: dict[str, Column] = {}
    for document in documents:
        for name, value in document.items():
            if value is not None and name not in found and not name.startswith("__"):
                found[name] = Column(name=name, type_name="", type=column_type(value))
    return tuple(found.values())


def column_type(value: Value) -> ColumnType:
    """Returns the type of a field that holds this value."""
    kind = class_of(value)
    if kind == "number":
        return "integer" if isinstance(value, int) else "float"
    return _TYPES_OF_CLASSES.get(kind, "other")
