"""The changes that an SQL command makes to rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from wimble.databases.data_change import ChangeKind, DataChange
from wimble.databases.sql.parsing import parse, place_of
from wimble.model.database import Dialect
from wimble.types import ABSENT, Absent, Json

_KINDS: dict[type[exp.Expr], ChangeKind] = {
    exp.Insert: "insert",
    exp.Merge: "insert",
    exp.Update: "update",
    exp.Delete: "delete",
}
_FIRST_WORD = re.compile(r"\s*(insert|replace|merge|update|delete)\b", re.IGNORECASE)
_KIND_OF_WORD: dict[str, ChangeKind] = {"update": "update", "delete": "delete"}


def change_in_sql(text: str, dialect: Dialect, params: Sequence[Json]) -> DataChange | None:
    """Returns the change of a command, also of one within a WITH; None for a command that only reads.

    The table and the columns of a command that the parser does not understand, such as MySQL's REPLACE, are unknown.
    """
    tree = parse(text, dialect)
    node = tree.find(*_KINDS) if tree is not None else None
    if node is None:
        first = _FIRST_WORD.match(text)
        return DataChange(_KIND_OF_WORD.get(first[1].lower(), "insert")) if first else None
    table = node.find(exp.Table)
    assigned = _assigned_by(node, params) if isinstance(node, exp.Update) else _inserted_by(node, params)
    return DataChange(_KINDS[type(node)], table.name if table is not None else "", dict(assigned))


def _inserted_by(node: exp.Expr, params: Sequence[Json]) -> Iterator[tuple[str, Json | Absent]]:
    """Yields the columns that an INSERT names, with the values of its first row."""
    values = node.expression if isinstance(node, exp.Insert) else None
    rows = values.expressions if isinstance(values, exp.Values) else []
    if isinstance(node.this, exp.Schema) and rows and isinstance(rows[0], exp.Tuple):
        for column, value in zip(node.this.expressions, rows[0].expressions, strict=False):
            yield column.name, _value_of(value, params)


def _assigned_by(update: exp.Update, params: Sequence[Json]) -> Iterator[tuple[str, Json | Absent]]:
    for assignment in update.expressions:
        target = assignment.this if isinstance(assignment, exp.EQ) else None
        if isinstance(target, exp.Column):
            yield target.name, _value_of(assignment.expression, params)
        elif isinstance(target, exp.Tuple):
            yield from ((one.name, ABSENT) for one in target.expressions)


def _value_of(node: exp.Expr, params: Sequence[Json]) -> Json | Absent:
    """Returns the value of a text, number or parameter, also of one with a cast; ABSENT for all else.

    Some mappers (TypeORM) write numbers into the command.
    """
    while isinstance(node, exp.Cast):
        node = node.this
    if isinstance(node, exp.Literal) and node.is_string:
        return node.name
    is_negative = isinstance(node, exp.Neg)
    number = node.this if is_negative else node
    if isinstance(number, exp.Literal):
        value = float(number.name) if re.search(r"[.eE]", number.name) else int(number.name)
        return -value if is_negative else value
    place = place_of(node)
    if isinstance(place, str):
        named = params[0] if params else None
        return named.get(place, ABSENT) if isinstance(named, dict) else ABSENT
    return params[place] if place is not None and 0 <= place < len(params) else ABSENT
