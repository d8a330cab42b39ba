"""Where an input stands in the text of an SQL command, and what would be syntax there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from wimble.databases.injections.probes import HEAD, PARAMETER, TAIL, Position, Template
from wimble.databases.sql.parsed_parameters import texts_not_parsed
from wimble.databases.sql.token_spans import Span, span_around
from wimble.model.database import DatabaseCommand, Dialect

UNUSUAL_LENGTH: Final = 6
"""Texts of this length count as an input also within a word."""
MAX_PARAMS: Final = 50
"""Number of parameters that are compared with inputs. Commands with more of them insert many rows."""
MAX_POSITIONS: Final = 2
"""Number of different positions of one input in one command."""

OBJECTS: Final[tuple[Template, ...]] = ({HEAD: TAIL}, {"not": TAIL}, {"$ne": TAIL})
"""An object instead of a value: drivers and mappers read it as columns, or as an operator."""


def positions_in_sql(command: DatabaseCommand, value: str, dialect: Dialect) -> list[Position]:
    """Returns the positions of an input in the command's text, and among its parameters."""
    found: dict[str, Position] = {}
    for start, end in _occurrences(command.text, value):
        span = span_around(command.text, dialect, start, end)
        position = _position(command.text, value, span) if span is not None else _bare(value, "expression")
        if position is not None and len(found) < MAX_POSITIONS:
            found.setdefault(position.name, position)
    if not found and any(str(param) == value for param in command.params[:MAX_PARAMS]):
        return [Position(PARAMETER, (*texts_not_parsed(command, value), *OBJECTS))]
    return list(found.values())


def _occurrences(text: str, value: str) -> list[tuple[int, int]]:
    if value.lower() not in _lowered(text):
        return []
    plain = re.escape(value)
    pattern = plain if len(value) >= UNUSUAL_LENGTH else rf"(?<![\w$:@?]){plain}(?!\w)"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


@lru_cache(maxsize=16)
def _lowered(text: str) -> str:
    """Returns a command in lower case. All inputs of a call are searched for in each of its commands."""
    return text.lower()


def _position(text: str, value: str, span: Span) -> Position | None:
    token = text[span.start : span.end]
    if span.kind == "text":
        return _in_literal(token)
    if span.kind == "name":
        return Position("name", (HEAD + token[-1] + TAIL,))
    if span.kind == "between":
        return Position("comment", (f"{HEAD}*/{TAIL}", f"{HEAD}\n{TAIL}")) if value.strip() else None
    return _bare(value, "number" if span.kind == "number" else "word")


def _in_literal(token: str) -> Position:
    """A program that doubles quotes is not safe where a backslash escapes the first of two."""
    delimiter = "$$" if token.startswith("$") else token[-1]
    return Position("text", (HEAD + delimiter + TAIL, f"{HEAD}\\{delimiter}{TAIL}", *OBJECTS))


def _bare(value: str, name: str) -> Position:
    """The probes begin with the value, since programs may check the beginning only (`parseInt`)."""
    return Position(
        name, (f"{value} OR ({HEAD})={TAIL}", f"{value},({HEAD}){TAIL}", f"{value};{HEAD}--{TAIL}", *OBJECTS)
    )
