"""Converts values of test cases (model/database.py) to plain text, for all dialects."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta

from wimble.model.database import Column
from wimble.types import Json

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def bytes_of(value: Json) -> bytes | None:
    """Returns the bytes of a `$bytes` value; None for other values."""
    if isinstance(value, dict) and isinstance(value.get("$bytes"), str):
        return base64.b64decode(value["$bytes"])
    return None


def date_text(value: Json, column: Column) -> str | None:
    """Returns a date as `2024-05-01 10:00:00.123`, in UTC; None if the value is not a date, or out of range."""
    if not (isinstance(value, dict) and isinstance(value.get("$date"), (int, float))):
        return None
    try:
        moment = EPOCH + timedelta(milliseconds=value["$date"])
    except OverflowError:
        return None
    if column.type == "date":
        return moment.strftime("%Y-%m-%d")
    text = moment.strftime("%Y-%m-%d %H:%M:%S.") + f"{moment.microsecond // 1000:03d}"
    return text + "+00" if column.has_time_zone else text


def plain(value: Json) -> str:
    """Returns a scalar, a `$bigint` or a `$number` as text, and all other values as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        for key in ("$bigint", "$number"):
            if isinstance(value.get(key), str):
                return str(value[key])
    return json.dumps(value, ensure_ascii=False)
