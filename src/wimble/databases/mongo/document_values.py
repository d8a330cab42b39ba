"""Values of documents: converts Extended JSON to comparable values, and these to values of inputs and genes.

As in `wimble.databases.sql`, all numeric types become Python numbers, and dates become naive datetimes in UTC. Types
that are not compared (code, timestamps) keep their Extended JSON.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import msgspec

from wimble.databases.conditions.stored_values import from_ms, to_number, to_time
from wimble.types import Json

Value: TypeAlias = Any
"""None, MISSING, bool, int, float, str, datetime, bytes, ObjectId, Regex, list or dict."""


class ObjectId(msgspec.Struct, frozen=True):
    """Twelve bytes, as 24 hexadecimal digits."""

    hex: str


class Regex(msgspec.Struct, frozen=True):
    """A regular expression, with MongoDB's letters for its options."""

    pattern: str
    options: str


class Missing(msgspec.Struct, frozen=True):
    """The value of a field that the document does not have."""


MISSING: Final = Missing()


def from_extended(value: Json) -> Value:
    """Returns the value that is written in Extended JSON, as the agent reports it."""
    if isinstance(value, list):
        return [from_extended(one) for one in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((key, inner),) = value.items()
        reader = _READERS.get(key)
        if reader is not None:
            return reader(inner)
    return {key: from_extended(one) for key, one in value.items()}


def _number(text: Json) -> Value:
    number = to_number(str(text))
    return float("nan") if number is None else number


def _double(text: Json) -> Value:
    try:
        return float(str(text))
    except ValueError:
        return float("nan")


def _date(inner: Json) -> Value:
    if isinstance(inner, dict):
        return from_ms(int(inner.get("$numberLong", 0)))
    return to_time(inner) if isinstance(inner, str) else None


def _bytes(inner: Json) -> Value:
    try:
        return base64.b64decode(inner["base64"])
    except (binascii.Error, KeyError, TypeError, ValueError):
        return b""


_READERS: Final[dict[str, Callable[[Json], Value]]] = {
    "$numberInt": _number,
    "$numberLong": _number,
    "$numberDouble": _double,
    "$numberDecimal": _number,
    "$oid": lambda inner: ObjectId(str(inner)),
    "$date": _date,
    "$binary": _bytes,
    "$uuid": lambda inner: str(inner),
    "$regularExpression": lambda inner: Regex(str(inner["pattern"]), str(inner["options"])),
    "$undefined": lambda _: None,
}


def class_of(value: Value) -> str:
    """Returns the class of a value.

    Only values of one class have an order and can be equal (MongoDB, "Comparison/Sort Order").
    """
    if value is None or isinstance(value, Missing):
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    return type(value).__name__


def plain(value: Value) -> Json:
    """Returns the value as an input holds it; None for a regular expression, bytes and MISSING."""
    if isinstance(value, ObjectId):
        return value.hex
    if isinstance(value, datetime):
        return iso_text(value)
    if isinstance(value, (Regex, bytes, Missing)):
        return None
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return value


def held_by_genes(value: Value) -> Json:
    """Returns the value as a gene of the field holds it.

    The column defines the type of a scalar. Within lists and documents, values are in Extended JSON.
    """
    if isinstance(value, list):
        return [_extended(one) for one in value]
    return {key: _extended(one) for key, one in value.items()} if isinstance(value, dict) else plain(value)


def _extended(value: Value) -> Json:
    if isinstance(value, ObjectId):
        return {"$oid": value.hex}
    return {"$date": iso_text(value)} if isinstance(value, datetime) else held_by_genes(value)


def iso_text(moment: datetime) -> str:
    """Returns the date as JavaScript's `toISOString` writes it."""
    return moment.replace(tzinfo=UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
