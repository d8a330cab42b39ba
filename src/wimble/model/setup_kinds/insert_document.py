"""Setup actions that insert a document into MongoDB.

Fields, named by their paths, form one document; Extended JSON writes the types that JSON lacks.
"""

from __future__ import annotations

import re
from typing import Any

from wimble.model.database import Column, InsertRows, Row
from wimble.model.setup_kinds.database_action import DatabaseAction, as_json, in_one_line
from wimble.types import Json

_OBJECT_ID = re.compile(r"[0-9a-fA-F]{24}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")
_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


class InsertDocument(DatabaseAction, frozen=True, kw_only=True):
    """One document of a collection. `columns` are its fields, named by their dotted paths."""

    def _sent(self, column: Column, value: Json) -> Json:
        return extended(column, value)

    def _assembled(self, cells: dict[str, Json]) -> dict[str, Json]:
        return document_of(cells)

    def _command(self, rows: InsertRows, row: Row) -> str:
        """Returns the command in the syntax of MongoDB's shell."""
        document = in_one_line(as_json(dict(zip(rows.columns, row, strict=True))))
        return f"db.{rows.table}.insertOne(EJSON.deserialize({document}))"


def document_of(fields: dict[str, Json]) -> dict[str, Json]:
    """Returns `{"owner": {"name": "a"}, "tags": ["x"]}` for `{"owner.name": "a", "tags.0": "x"}`."""
    document: dict[str, Any] = {}
    for path, value in fields.items():
        inner, parts = document, path.split(".")
        for part in parts[:-1]:
            below = inner.setdefault(part, {})
            if not isinstance(below, dict):
                break
            inner = below
        else:
            inner[parts[-1]] = value
    return {name: _with_lists(value, name in fields) for name, value in document.items()}


def _with_lists(value: Json, is_given: bool) -> Json:
    """Turns objects that `document_of` made, and whose keys are all indices, into lists."""
    if is_given or not isinstance(value, dict):
        return value
    if list(value) == [str(place) for place in range(len(value))] and value:
        return [_with_lists(one, False) for one in value.values()]
    return {name: _with_lists(one, False) for name, one in value.items()}


def extended(column: Column, value: Json) -> Json:
    """Returns a value in Extended JSON. A value that does not fit the column's type is returned unchanged."""
    if isinstance(value, str):
        if column.type == "objectid" and _OBJECT_ID.fullmatch(value):
            return {"$oid": value.lower()}
        if column.type == "timestamp" and _DATE.fullmatch(value):
            return {"$date": value if "T" in value else value + "T00:00:00Z"}
    if isinstance(value, dict) and set(value) == {"$bytes"}:
        return {"$binary": {"base64": value["$bytes"], "subType": "00"}}
    if column.type == "decimal" and isinstance(value, (int, float, str)) and _DECIMAL.fullmatch(str(value)):
        return {"$numberDecimal": str(value)}
    return value
