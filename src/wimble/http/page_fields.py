"""Reads named values of HTML pages: of inputs of a form, and of `meta`.

    <input type="hidden" name="_csrf" value="kPz9...">
    <meta name="csrf-token" content="kPz9...">

Programs put tokens there, which a request that changes something has to send (against forged requests, CSRF).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

from wimble.model.forgery_tokens import FORGERY_TOKEN

_TAG: Final = re.compile(r"<(?:input|meta)\b([^>]*)>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_PASSWORD: Final = re.compile(r"<input\b[^>]*\btype\s*=\s*[\"']?password\b", re.IGNORECASE)


def page_field(page: str, name: str) -> str | None:
    """Returns the value of the first input or `meta` of this name; None if the page has none."""
    return next((value for known, value in _fields(page) if known == name), None) if name in page else None


def forgery_tokens(page: str) -> Iterator[tuple[str, str]]:
    """Yields names and values of the tokens against forged requests, each name once."""
    known = {name: value for name, value in reversed(list(_fields(page))) if value and FORGERY_TOKEN.search(name)}
    yield from reversed(known.items())


def without_fields(page: str) -> str:
    """Returns the page without its inputs and `meta`."""
    return _TAG.sub("", page)


def asks_for_password(page: str) -> bool:
    """Whether the page has a form with a password, as a sign-up or login that was refused answers it again."""
    return _PASSWORD.search(page) is not None


def _fields(page: str) -> Iterator[tuple[str, str]]:
    for tag in _TAG.finditer(page):
        found = {one[1].lower(): html.unescape(one[2] or one[3] or one[4] or "") for one in _ATTRIBUTE.finditer(tag[1])}
        value = found.get("value", found.get("content"))
        if "name" in found and value is not None:
            yield found["name"], value
