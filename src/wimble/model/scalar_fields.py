"""The scalars of a JSON document: all of them, or those that have names, with the pointers that lead to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from wimble.types import Json

MAX_FIELDS: Final = 64
"""Maximum number of scalar fields that are read in one body: identifiers stand near the top."""
MAX_DEPTH: Final = 4

Field: TypeAlias = tuple[str, str, Json]
"""Pointer, name, value."""


def iter_scalar_fields(body: Json) -> Iterator[Field]:
    """Yields named scalars of a JSON body in document order, at most MAX_FIELDS.

    Of an array, only the first two elements are read.
    """
    left = MAX_FIELDS
    stack: list[tuple[str, str, Json, int]] = [("", "", body, 0)]
    while stack and left:
        pointer, name, value, depth = stack.pop()
        if isinstance(value, dict):
            if depth < MAX_DEPTH:
                stack += [
                    (f"{pointer}/{escaped_key(key)}", key, item, depth + 1)
                    for key, item in reversed(list(value.items())[:MAX_FIELDS])
                ]
        elif isinstance(value, list):
            if depth < MAX_DEPTH:
                stack += [
                    (f"{pointer}/{index}", name, value[index], depth + 1) for index in reversed(range(len(value[:2])))
                ]
        elif value is not None:
            left -= 1
            yield pointer, name, value


def scalars_in(value: Json) -> Iterator[Json]:
    """Yields the texts, numbers and booleans in a value, at any depth."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from scalars_in(item)
    elif value is not None:
        yield value


def escaped_key(key: str) -> str:
    """Returns a key as a part of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1") if "/" in key or "~" in key else key
