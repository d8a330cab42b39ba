"""Texts that a database could not convert to the type of the column, or the value, that they were meant for."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

ValueKind: TypeAlias = Literal["date", "moment", "time of day", "uuid", "address", "duration", "number", "truth value"]

_MESSAGE: Final = re.compile(
    r"invalid input syntax for type (?P<postgresql>[a-z ]+): \"(?P<text>.*)\""
    r"|Incorrect (?P<mysql>\w+) value: '(?P<mysql_text>.*)' for column",
    re.DOTALL,
)
_KINDS: Final[dict[str, ValueKind]] = {
    "date": "date",
    # MySQL refuses a moment with a time zone, and takes a date for one.
    "datetime": "date",
    "timestamp": "moment",
    "timestamp without time zone": "moment",
    "timestamp with time zone": "moment",
    "time": "time of day",
    "time without time zone": "time of day",
    "time with time zone": "time of day",
    "uuid": "uuid",
    "inet": "address",
    "interval": "duration",
    "boolean": "truth value",
    **dict.fromkeys(("smallint", "integer", "bigint", "numeric", "real", "double precision"), "number"),
    **dict.fromkeys(("decimal", "double", "float"), "number"),
}


def refused_text(error: str) -> tuple[str, ValueKind] | None:
    """Returns the text that a message of PostgreSQL or MySQL quotes, and what it had to be; None for other messages."""
    found = _MESSAGE.search(error)
    if found is None:
        return None
    name = found["postgresql"] or found["mysql"].lower()
    kind: ValueKind | None = _KINDS.get(name)
    text = found["text"] if found["postgresql"] else found["mysql_text"]
    return None if kind is None else (text, kind)
