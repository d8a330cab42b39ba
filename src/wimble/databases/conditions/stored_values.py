"""Values of SQL expressions, and the conversions between their types in comparisons.

Dates and timestamps are `datetime` without a zone (in UTC), intervals are `timedelta`, and JSON and arrays are lists
and dicts.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeAlias

from wimble.json_texts import held_json
from wimble.model.database import Column, ColumnType
from wimble.types import ABSENT, Json

Value: TypeAlias = Any
"""None (SQL's NULL), bool, int, float, str, bytes, datetime, timedelta, list or dict."""

Cells: TypeAlias = Mapping[str, Value]
"""One row: its values by column name. Names are in lower case, since databases fold their case in different ways."""

EPOCH = datetime(1970, 1, 1)
NUMERIC_TYPES = frozenset({"integer", "decimal", "float"})
TIME_TYPES = frozenset({"date", "timestamp"})
TRUE_TEXTS = frozenset({"t", "true", "y", "yes", "on", "1"})
FALSE_TEXTS = frozenset({"f", "false", "n", "no", "off", "0"})


def from_json(value: Json) -> Value:
    """Returns the value of a row or a parameter that the agent's message contains as JSON."""
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        if key == "$date" and isinstance(inner, (int, float)):
            return from_ms(inner)
        if key == "$bigint":
            number = to_number(str(inner))
            return 0 if number is None else number
        if key == "$bytes":
            return _bytes(str(inner))
        if key in ("$number", "$undefined"):
            return None
    return value


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""


def from_ms(ms: float) -> datetime | None:
    """Returns the time of milliseconds since 1970; None outside of the range of `datetime`."""
    try:
        return EPOCH + timedelta(milliseconds=ms)
    except (OverflowError, ValueError):
        return None


def shifted(moment: datetime, span: timedelta) -> datetime | None:
    """Returns the time a span later; None outside of the range of `datetime`, whose last day often means "for ever"."""
    try:
        return moment + span
    except OverflowError:
        return None


def of_column(column: Column, value: Json) -> Value:
    """Returns a value of a row from a message, in the type of its column."""
    return of_type(column.type, from_json(value))


def of_type(column_type: ColumnType, value: Value) -> Value:
    """Returns the value converted to the column's type; unchanged if it cannot be converted."""
    if value is None:
        return None
    if column_type in NUMERIC_TYPES and isinstance(value, str):
        number = to_number(value)
        return value if number is None else number
    if column_type in TIME_TYPES and isinstance(value, str):
        return to_time(value) or value
    if column_type == "boolean":
        truth = as_truth(value)
        return value if truth is None else truth
    if column_type in ("json", "array") and isinstance(value, str):
        return parsed_json(value)
    return value


def json_value(column: Column, value: Value) -> Value:
    """Returns a value of a column as JSON, in the form that genes hold."""
    if isinstance(value, (list, dict)) or value is None:
        return value
    if column.type in ("integer", "decimal", "float", "boolean"):
        return value
    if column.type == "json":
        return parsed_json(value) if isinstance(value, str) else value
    return text_of(value)


def parsed_json(text: str) -> Value:
    """Returns the JSON value of a text; the text itself if it is not JSON."""
    held = held_json(text)
    return text if held is ABSENT else held


def as_truth(value: Value) -> bool | None:
    """Returns the value as a boolean; None for NULL and for values that are neither true nor false."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return value != 0
    if isinstance(value, str):
        lowered = value.strip().lower()
        if lowered in TRUE_TEXTS:
            return True
        if lowered in FALSE_TEXTS:
            return False
        number = to_number(value)
        return None if number is None else number != 0
    return None


@lru_cache(maxsize=4096)
def to_number(text: str) -> int | float | None:
    """Returns the number that a text contains; None if the text is not a finite number."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


@lru_cache(maxsize=4096)
def to_time(text: str) -> datetime | None:
    """Returns the date or timestamp of a text, in UTC (assumed if the text has no zone); None if it is neither."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def number_of(value: Value) -> int | float | None:
    """Returns the value as a number for arithmetic; None if it is not a finite number."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return value if math.isfinite(value) else None
    return to_number(value) if isinstance(value, str) else None


def text_of(value: Value) -> str | None:
    """Returns `CAST(value AS TEXT)`; None for NULL."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        is_day = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.date().isoformat() if is_day else value.isoformat(sep=" ")
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return str(value)


def aligned(left: Value, right: Value) -> tuple[Value, Value]:
    """Returns both values in the same type if one can be converted.

    A text that is compared with a boolean, a number, a date, bytes or a JSON value is converted to that type.
    """
    if type(left) is type(right):
        return left, right
    if isinstance(left, str):
        return _read_as(left, right), right
    if isinstance(right, str):
        return left, _read_as(right, left)
    return left, right


def _read_as(text: str, other: Value) -> Value:
    if isinstance(other, bool):
        truth = as_truth(text)
        return text if truth is None else truth
    if isinstance(other, (int, float)):
        number = to_number(text)
        return text if number is None else number
    if isinstance(other, datetime):
        return to_time(text) or text
    if isinstance(other, (list, dict)):
        return parsed_json(text)
    if isinstance(other, bytes):
        return text.encode()
    return text
