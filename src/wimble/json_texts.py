"""Whether a text holds JSON, and which: the one place that decides it for texts of any origin."""

from __future__ import annotations

import base64
import json
from typing import Final, Literal, TypeAlias

from wimble.base64url import from_base64url, to_base64url
from wimble.types import ABSENT, Absent, Json

JsonCoding: TypeAlias = Literal["", "base64", "base64url"]
"""How a text holds a document; empty: it is the document."""
_FIRST: Final = {"{": "", "[": "", "e": "base64", "W": "base64"}
"""First characters of texts that hold an object or a list."""


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


def held_document(text: str) -> tuple[Json, JsonCoding] | None:
    """Returns the object or list that a text holds as JSON, also in base64, and how; None if it holds none."""
    coding = _FIRST.get(text[:1])
    if coding is None:
        return None
    if not coding:
        held = held_json(text)
        return None if held is ABSENT else (held, "")
    try:
        held = held_json(from_base64url(text.rstrip("=").replace("+", "-").replace("/", "_")))
    except ValueError:
        return None
    if not isinstance(held, (dict, list)):
        return None
    is_for_urls = "-" in text or "_" in text or len(text) % 4 != 0
    return held, "base64url" if is_for_urls else "base64"


def coded_json(text: str, coding: JsonCoding) -> str:
    """Returns the text that holds a document's JSON."""
    if not coding:
        return text
    data = text.encode("utf-8", "replace")
    return to_base64url(data) if coding == "base64url" else base64.b64encode(data).decode()
