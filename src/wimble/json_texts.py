"""Whether a text holds JSON, and which: the one place that decides it for texts of any origin."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from wimble.base64url import from_base64url, to_base64url
from wimble.types import ABSENT, Absent, Json

JsonCoding: TypeAlias = Literal["", "base64", "base64url"]
"""How a text holds a document; empty: it is the document."""


class HeldDocument(NamedTuple):
    """A document, how the text holds it, and the text around it."""

    document: Json
    coding: JsonCoding = ""
    before: str = ""
    after: str = ""


_FIRST: Final = {"{": "", "[": "", "e": "base64", "W": "base64"}
"""First characters of texts that hold an object or a list."""
_SEPARATORS: Final = ".:;|~, ="
_CODED: Final = re.compile(r"(?:(?<=[.:;|~, =])|^)e[y3][\w+/-]*+=*+(?=[.:;|~, ]|$)", re.ASCII)
"""Parts of a text that may be an object in base64: `{}` is `e30`, and what has members begins as `eyJ`."""


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


def held_document(text: str) -> HeldDocument | None:
    """Returns the object or list that a text holds as JSON, also in base64, and how; None if it holds none.

    It may be a part of the text, behind or before a separator (`v2.eyJhIjoxfQ`), if it is the only one.
    """
    whole = _whole_document(text)
    if whole is not None:
        return whole
    found = []
    for start, end in _parts(text):
        held = _whole_document(text[start:end])
        if held is not None and isinstance(held.document, dict):
            found.append(held._replace(before=text[:start], after=text[end:]))
    return found[0] if len(found) == 1 else None


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yields where parts begin and end that may be an object as JSON, at the end of the text, or in base64."""
    brace = text.find("{")
    if brace > 0 and text[brace - 1] in _SEPARATORS and text.endswith("}"):
        yield brace, len(text)
    for part in _CODED.finditer(text, 0, brace) if brace >= 0 else _CODED.finditer(text):
        yield part.span()


def _whole_document(text: str) -> HeldDocument | None:
    coding = _FIRST.get(text[:1])
    if coding is None:
        return None
    if not coding:
        held = held_json(text)
        return None if held is ABSENT else HeldDocument(held)
    try:
        held = held_json(from_base64url(text.rstrip("=").replace("+", "-").replace("/", "_")))
    except ValueError:
        return None
    if not isinstance(held, (dict, list)):
        return None
    is_for_urls = "-" in text or "_" in text or len(text) % 4 != 0
    return HeldDocument(held, "base64url" if is_for_urls else "base64")


def coded_json(text: str, coding: JsonCoding) -> str:
    """Returns the text that holds a document's JSON."""
    if not coding:
        return text
    data = text.encode("utf-8", "replace")
    return to_base64url(data) if coding == "base64url" else base64.b64encode(data).decode()
