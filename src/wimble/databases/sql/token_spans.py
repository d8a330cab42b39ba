"""The tokens of a command with their positions, also of commands whose quotes do not match."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

import sqlglot
from sqlglot import Token, TokenType
from sqlglot.errors import SqlglotError

from wimble.model.database import Dialect

MAX_TEXT: Final = 20_000
"""The longest command that is split into tokens, in characters."""
CLOSERS: Final = ("", "'", '"', "`", "]", "*/", "$$")
"""What closes a literal, name or comment that the command leaves open. It changes no token before."""


SpanKind: TypeAlias = Literal["text", "name", "number", "word", "between"]
"""`name`: in quotes. `between`: white space and comments between two tokens."""

_TEXTS: Final = frozenset(
    {
        TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.RAW_STRING, TokenType.BYTE_STRING,
        TokenType.HEREDOC_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING, TokenType.UNICODE_STRING,
    }
)  # fmt: skip


class Span(NamedTuple):
    """The place of a token in a command. `end` is exclusive."""

    start: int
    end: int
    kind: SpanKind


@lru_cache(maxsize=256)
def spans_of(text: str, dialect: Dialect) -> tuple[Span, ...] | None:
    """Returns the tokens of a command, and what lies between them, in order; None if it cannot be split."""
    if len(text) > MAX_TEXT:
        return None
    tokens = _tokens(text, dialect)
    if tokens is None:
        return None
    spans: list[Span] = []
    at = 0
    for token in tokens:
        if token.start >= len(text):
            break  # it belongs to the closer
        if token.start > at:
            spans.append(Span(at, token.start, "between"))
        at = min(token.end + 1, len(text))
        spans.append(Span(token.start, at, _kind(token, text)))
    if at < len(text):
        spans.append(Span(at, len(text), "between"))
    return tuple(spans)


def span_around(text: str, dialect: Dialect, start: int, end: int) -> Span | None:
    """Returns the span that contains all from start to end; None if there is none."""
    found = (span for span in spans_of(text, dialect) or () if span.start <= start and end <= span.end)
    return next(found, None)


def is_within_one(text: str, dialect: Dialect, start: int, end: int) -> bool | None:
    """Whether one span contains all from start to end; None if the command cannot be split into tokens."""
    return None if spans_of(text, dialect) is None else span_around(text, dialect, start, end) is not None


def _tokens(text: str, dialect: Dialect) -> list[Token] | None:
    for closer in CLOSERS:
        try:
            return sqlglot.tokenize(text + closer, dialect=dialect)
        except (SqlglotError, ValueError):
            continue
    return None


def _kind(token: Token, text: str) -> SpanKind:
    if token.token_type in _TEXTS:
        return "text"
    if token.token_type is TokenType.IDENTIFIER or text[token.start] in '"`[':
        return "name"
    return "number" if token.token_type is TokenType.NUMBER else "word"
