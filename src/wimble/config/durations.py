"""Parses durations with units."""

from __future__ import annotations

import re

UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")


def seconds_of(text: str) -> float:
    """Returns the seconds of a duration such as `90s`, `5m`, `1.5h` or `1m30s`.

    Raises: ValueError, with what is wrong and what is expected.
    """
    text = text.strip()
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"{text!r} is not a duration; expected a number with a unit, such as 30s, 5m or 1h")
    seconds = sum(float(number) * UNITS_S[unit] for number, unit in parts)
    if seconds <= 0:
        raise ValueError(f"{text!r} is not more than zero; expected more than 0, such as 30s")
    return seconds
