"""Whether a text holds JSON, and which: the one place that decides it for texts of any origin."""

from __future__ import annotations

import json

from wimble.types import ABSENT, Absent, Json


def held_json(text: str | bytes) -> Json | Absent:
    """Returns the value that a text holds as JSON; ABSENT if it holds none, or one that is nested too deeply to read.

    As in Python's `json`, NaN and Infinity are numbers.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return ABSENT


def holds_json(text: str) -> bool:
    return held_json(text) is not ABSENT
