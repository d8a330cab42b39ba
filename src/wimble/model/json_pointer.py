"""JSON pointers (RFC 6901)."""

from __future__ import annotations

from wimble.types import ABSENT, Json


def at_pointer(value: Json, pointer: str) -> Json:
    """Returns the value that a JSON pointer refers to; ABSENT if there is none."""
    for token in pointer.split("/")[1:]:
        if isinstance(value, dict):
            value = value.get(token.replace("~1", "/").replace("~0", "~"), ABSENT)
        elif isinstance(value, list) and token.isascii() and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            return ABSENT
    return value
