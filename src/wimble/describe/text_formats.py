"""Recognises formats of texts: those of JSON Schema that programs write, and numbers written as text."""

from __future__ import annotations

import re
from typing import Final

_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_DAY: Final = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_TIME: Final = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)"
_DATE: Final = re.compile(_DAY)
_DATE_TIME: Final = re.compile(rf"{_DAY}[Tt]{_TIME}")
_EMAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+")
_IPV4: Final = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)")

FORMATS: Final = (
    ("uuid", _UUID),
    ("date-time", _DATE_TIME),
    ("date", _DATE),
    ("email", _EMAIL),
    ("uri", _URI),
    ("ipv4", _IPV4),
)
"""(format, the texts that have it)."""
MONTHS_WITH_30_DAYS: Final = frozenset(["04", "06", "09", "11"])
LONGEST_WITH_FORMAT: Final = 2_000
"""A longer text has no format: browsers and servers allow no longer URLs."""


def formats_of(text: str) -> frozenset[str]:
    """Returns the formats that the text has; mostly none or one."""
    if not 6 <= len(text) <= LONGEST_WITH_FORMAT:  # the shortest one is an address such as `a@b.co`
        return _NONE
    return frozenset([name for name, pattern in FORMATS if pattern.fullmatch(text) and _is_a_day(name, text)]) or _NONE


_NONE: Final[frozenset[str]] = frozenset()


def _is_a_day(name: str, text: str) -> bool:
    """Whether a text that starts with a date names a day that there is."""
    if not name.startswith("date"):
        return True
    year, month, day = int(text[:4]), text[5:7], int(text[8:10])
    if month == "02":
        return day <= (29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28)
    return day <= 30 or month not in MONTHS_WITH_30_DAYS
