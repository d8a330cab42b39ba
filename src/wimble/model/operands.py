"""Operands of comparisons, decoded from hints (protocol/README.md, "Values in hints")."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TypeGuard

import msgspec

from wimble.types import ABSENT, Absent, Json

_MAX_EXACT = 2**53
"""Largest integer up to which floating point is exact."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"-?[0-9]{1,300}")


class DateValue(msgspec.Struct, frozen=True):
    """A date object of the program, as milliseconds since 1970."""

    ms: int


Operand = Json | Absent | DateValue
"""A scalar, ABSENT for undefined, or a date. NaN and the infinities are floats."""


def decoded(value: Json) -> Operand:
    """Returns the operand that a hint's value encodes. Objects of an unknown kind count as undefined."""
    if isinstance(value, str):
        # Texts of a program may contain half a surrogate pair, which no request can contain.
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
    """Returns an integer of at most 300 digits, else ABSENT. So conversions to floating point cannot overflow."""
    return int(text) if _INTEGER.fullmatch(text) else ABSENT


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether the value is an int or a finite float, but not a boolean."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def to_text(value: Json) -> str:
    """Returns a scalar as text, as inputs outside of JSON contain it: `true`, `null`, `3` for 3.0."""
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
    """Returns the number of a text in decimal notation, with optional white space around it; None if it is none."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) <= _MAX_EXACT else value
