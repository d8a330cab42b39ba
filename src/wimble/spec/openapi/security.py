"""Reads `security`: which schemes an operation requires.

The definitions of the schemes are not read, because the user configures the credentials.
"""

from __future__ import annotations

from typing import Any

from wimble.spec.loading.document import Document, at, shown
from wimble.types import Json


def security_of(document: Document, raw: dict[str, Json], place: str) -> tuple[tuple[str, ...], ...] | None:
    """Returns the alternatives of an operation, else those of the document.

    () means that no login is required; None that the document does not say.
    """
    holder: dict[str, Any] = raw if "security" in raw else document.root
    if "security" not in holder:
        return None
    value = holder["security"]
    here = at(place if holder is raw else "#", "security")
    if not isinstance(value, list):
        document.warn(here, f"an array is expected, found {shown(value)}", "ignored")
        return None
    return tuple(tuple(entry) for entry in value if isinstance(entry, dict))
