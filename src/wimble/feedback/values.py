"""Operands as hints carry them (protocol/README.md, "Values in hints"), and JavaScript's view of values as text and number."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TypeGuard

import msgspec

from wimble.genes.dates import in_other_form
from wimble.types import ABSENT, Absent, Json

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"-?[0-9]{1,300}")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_DAY_MS = 86_400_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MAX_EXACT = 2**53
"""Integers up to here are exact in JavaScript."""


class DateValue(msgspec.Struct, frozen=True):
    """A JavaScript Date, as milliseconds since 1970."""

    ms: int


Operand = Json | Absent | DateValue
"""A scalar, ABSENT for undefined, or a date. NaN and the infinities are floats."""


def decoded(value: Json) -> Operand:
    """The operand behind a value of a hint; objects of unknown kind count as undefined."""
    if isinstance(value, str):
        # JavaScript's strings may hold half a surrogate pair, which no request can carry.
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not isinstance(value, dict):
        return value
    if "$number" in value:
        return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(str(value["$number"]), 0)
    if "$bigint" in value:
        return _bounded_integer(str(value["$bigint"]))
    if isinstance(value.get("$date"), (int, float)):
        return DateValue(int(value["$date"]))
    return ABSENT


def _bounded_integer(text: str) -> Operand:
    """A BigInt; ABSENT where it is longer than floating point reaches, so that arithmetic cannot overflow."""
    return int(text) if _INTEGER.fullmatch(text) else ABSENT


def is_number(value: object) -> TypeGuard[int | float]:
    """An int or a finite float; booleans are none."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def to_text(value: Json) -> str:
    """`String(value)` in JavaScript, for scalars."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return str(value)


@lru_cache(maxsize=4096)
def to_number(text: str) -> int | float | None:
    """`Number(text)` in JavaScript for decimal notation; None where that is NaN or the text is blank."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) <= MAX_EXACT else value


@lru_cache(maxsize=4096)
def to_time(text: str) -> int | None:
    """Milliseconds of a date or date-time in ISO form (UTC where no offset is given), or of a date in another form that genes have; None where
    it is none."""
    if not _ISO_DATE.fullmatch(text):
        read = in_other_form(text)
        return None if read is None else (read[0].toordinal() - _EPOCH.toordinal()) * _DAY_MS
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def from_time(ms: float, like: str) -> str | None:
    """A date in the form of `like`, or an ISO date-time where that is one; None out of range."""
    try:
        moment = _EPOCH + timedelta(milliseconds=ms)
    except OverflowError:
        return None
    read = in_other_form(like)
    if read is not None:
        return f"{moment.date():{read[1]}}"
    if len(like) == 10:
        return moment.date().isoformat()
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def utf16_length(text: str) -> int:
    """JavaScript's `length` of a string."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)
