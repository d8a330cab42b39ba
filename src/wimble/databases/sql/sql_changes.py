"""What an SQL command does to rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from wimble.databases.data_change import ChangeKind, DataChange
from wimble.databases.sql.parsing import parse
from wimble.model.database import Dialect

_KINDS: dict[type[exp.Expr], ChangeKind] = {
    exp.Insert: "insert",
    exp.Merge: "insert",
    exp.Update: "update",
    exp.Delete: "delete",
}
_FIRST_WORD = re.compile(r"\s*(insert|replace|merge|update|delete)\b", re.IGNORECASE)
_KIND_OF_WORD: dict[str, ChangeKind] = {"update": "update", "delete": "delete"}


def change_in_sql(text: str, dialect: Dialect) -> DataChange | None:
    """Returns the change of a command, also of one within a WITH; None for a command that only reads.

    The table and the columns of a command that the parser does not understand, such as MySQL's REPLACE, are unknown.
    """
    tree = parse(text, dialect)
    node = tree.find(*_KINDS) if tree is not None else None
    if node is None:
        first = _FIRST_WORD.match(text)
        return DataChange(_KIND_OF_WORD.get(first[1].lower(), "insert")) if first else None
    table = node.find(exp.Table)
    columns = tuple(_set_columns(node)) if isinstance(node, exp.Update) else ()
    return DataChange(_KINDS[type(node)], table.name if table is not None else "", columns)


def _set_columns(update: exp.Update) -> Iterator[str]:
    for assignment in update.expressions:
        target = assignment.this if isinstance(assignment, exp.EQ) else None
        if isinstance(target, exp.Column):
            yield target.name
        elif isinstance(target, exp.Tuple):
            yield from (one.name for one in target.expressions)
