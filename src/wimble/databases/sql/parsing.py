"""Parses SQL, with a cache, since programs repeat the same few commands.

Before parsing, each placeholder gets a name (`?` becomes `:p0`, `:email` becomes `:n_email`), which keeps its position
in the text.
"""

from __future__ import annotations

import logging
import re
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from wimble.model.database import Dialect

# The parser tells of commands that it does not know; a user of wimble can do nothing about them.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

MAX_TEXT = 20_000
"""The longest command that is parsed, in characters. Longer ones contain bulk data, and parsing them costs too much."""
_SKIPPED = r"""'(?:\\.|''|[^'\\])*'|"(?:""|[^"])*"|`[^`]*`|--[^\n]*|/\*.*?\*/"""
_SKIPPED_SQLITE = r"""'(?:''|[^'])*'|"(?:""|[^"])*"|`[^`]*`|\[[^\]?]*\]|--[^\n]*|/\*.*?\*/"""
_PLACES = {
    "mysql": re.compile(rf"(?P<skipped>{_SKIPPED})|(?P<mark>\?)", re.DOTALL),
    "sqlite": re.compile(
        rf"(?P<skipped>{_SKIPPED_SQLITE})|(?P<mark>\?)(?P<number>\d*)|[:@$](?P<name>[A-Za-z_]\w*)", re.DOTALL
    ),
}
_PLACES["redis"] = _PLACES["sqlite"]
_SYNTAX = {"redis": "sqlite"}
"""Dialect -> the parser's dialect, if it differs. The queries of `redis/key_tables.py` are plain SQL."""


@lru_cache(maxsize=2048)
def parse(text: str, dialect: Dialect) -> exp.Expr | None:
    """Returns the syntax tree of a command; None if the parser does not understand it, or it is too long."""
    if len(text) > MAX_TEXT:
        return None
    try:
        return sqlglot.parse_one(_with_named_places(text, dialect), dialect=_SYNTAX.get(dialect, dialect))
    except (SqlglotError, RecursionError, ValueError):
        return None


def parse_condition(text: str, dialect: Dialect) -> exp.Expr | None:
    """Returns the syntax tree of a check constraint's condition; None if the parser does not understand it."""
    tree = parse(f"SELECT 1 WHERE {text}", dialect)
    where = tree.args.get("where") if tree is not None else None
    return where.this if where is not None else None


def conjuncts(node: exp.Expr) -> list[exp.Expr]:
    """Returns the conditions of a chain of ANDs, without parentheses."""
    inner = node.unnest()
    return [*conjuncts(inner.this), *conjuncts(inner.expression)] if isinstance(inner, exp.And) else [inner]


def place_of(node: exp.Expr) -> int | str | None:
    """Returns the index or the name of a placeholder's parameter; None for other expressions."""
    if isinstance(node, exp.Placeholder) and isinstance(node.this, str):
        return int(node.this[1:]) if re.fullmatch(r"p\d+", node.this) else node.this.removeprefix("n_")
    if isinstance(node, exp.Parameter) and isinstance(node.this, exp.Literal) and node.this.this.isdigit():
        return int(node.this.this) - 1
    return None


def _with_named_places(text: str, dialect: Dialect) -> str:
    places = _PLACES.get(dialect)
    if places is None:
        return text
    count = -1

    def name(match: re.Match[str]) -> str:
        nonlocal count
        if match["skipped"] is not None:
            return match[0]
        if match["mark"] is None:
            return f":n_{match['name']}"
        number = match["number"] if "number" in match.re.groupindex else ""
        count = int(number) - 1 if number else count + 1
        return f":p{count}"

    return places.sub(name, text)
