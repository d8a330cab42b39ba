"""Conflicts of writes in SQL, as queries.

The queries find rows that already have a written unique value, rows that reference a deleted row, and rows that a
written foreign key must reference. What columns cannot hold is refused, too: longer texts, larger numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from sqlglot import exp

from wimble.databases.conditions.stored_values import Cells, from_json
from wimble.databases.conditions.value_distance import equal
from wimble.databases.database_language import Conflict, LimitedValue
from wimble.databases.sql.operand_values import operand_value
from wimble.databases.sql.parsing import conjuncts, parse
from wimble.databases.sql.relevant_rows import quoted, quoted_table
from wimble.model.database import Column, Database, DatabaseCommand, Dialect, Table
from wimble.types import Json

Written: TypeAlias = Mapping[str, Json]
"""The written values by column name, in lower case."""
Terms: TypeAlias = Mapping[str, Json]
"""The condition of a query: the values that columns must have, by column name as it is spelled in the database."""
MAX_LENGTH: Final = 4000
"""Longest text that is sent: hardly any limit of a column that someone has chosen is longer."""
MAX_BITS: Final = 32
"""Size of the largest integers for which JSON holds the first number that is too large exactly."""
MAX_DIGITS: Final = 15
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")


def conflicts_of(command: DatabaseCommand, database: Database) -> list[Conflict]:
    """Returns the possible conflicts of an INSERT, UPDATE or DELETE.

    An empty list for other commands. An INSERT with an ON CONFLICT clause (or similar) has no conflicts of unique keys,
    and conflicts of values that are not known are left out. For an UPDATE or DELETE, the query also finds the row that
    the command changes, so that test cases can insert one.
    """
    tree = parse(command.text, database.dialect)
    if not isinstance(tree, (exp.Insert, exp.Update, exp.Delete)):
        return []
    table = _table(tree.this.this if isinstance(tree.this, exp.Schema) else tree.this, database)
    if table is None:
        return []
    if isinstance(tree, exp.Insert):
        is_settled = any(tree.args.get(name) for name in ("conflict", "ignore", "alternative"))
        written = _inserted(tree, table, command.params)
        taken = () if is_settled else _taken(table, written, {}, database.dialect)
        return [*taken, *_lacking(table, written, database)]
    where = tree.args.get("where")
    found = _equalities(conjuncts(where.this), table, command.params) if where is not None else {}
    if isinstance(tree, exp.Update):
        changed = {name.lower(): value for name, value in _equalities(tree.expressions, table, command.params).items()}
        return [*_taken(table, changed, found, database.dialect), *_lacking(table, changed, database)]
    return list(_pointed_to(table, found, database)) if found else []


def limited_values_of(command: DatabaseCommand, database: Database) -> list[LimitedValue]:
    """Returns the texts and numbers that an INSERT or UPDATE writes to columns with a limit.

    An empty list for other commands, and for SQLite, which accepts what is longer or larger.
    """
    tree = parse(command.text, database.dialect) if database.dialect != "sqlite" else None
    if not isinstance(tree, exp.Insert | exp.Update):
        return []
    table = _table(tree.this.this if isinstance(tree.this, exp.Schema) else tree.this, database)
    if table is None:
        return []
    if isinstance(tree, exp.Insert):
        written = _inserted(tree, table, command.params)
    else:
        changed = _equalities(tree.expressions, table, command.params)
        written = {name.lower(): value for name, value in changed.items()}
    keys = {name for key in (*table.keys, *(one.columns for one in table.foreign_keys)) for name in key}
    return [
        LimitedValue(f"{table.name.name}.{column.name}", value, beyond)
        for column in table.columns
        if (value := limited_value(written.get(column.name.lower()), column)) is not None
        and (beyond := beyond_limit(column)) is not None
        and (column.type == "text" or column.name not in keys)
    ]


def beyond_limit(column: Column) -> str | int | None:
    """Returns what the column cannot hold; None if there is nothing that can be sent, or that JSON holds exactly."""
    if column.type == "text" and column.length:
        return "a" * (column.length + 1) if column.length < MAX_LENGTH else None
    if column.type == "integer" and column.bits and column.bits <= MAX_BITS:
        return 1 << (column.bits if column.is_unsigned else column.bits - 1)
    if column.type == "decimal" and column.precision:
        digits = column.precision - (column.scale or 0)
        return int(10**digits) if 0 < digits <= MAX_DIGITS else None
    return None


def limited_value(value: Json, column: Column) -> str | int | float | None:
    """Returns a value that is written to a column, or compared with it, as one of its type: drivers may send numbers as
    texts. None if it is of another type.
    """
    if column.type == "text":
        return value if isinstance(value, str) else None
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return float(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def without_key(conflict: Conflict, rows: Sequence[Cells]) -> list[Cells]:
    """Returns the rows, with NULL for the conflict's key in rows that have it.

    The command was not refused, so it wrote this key itself. Other keys of such a row are kept.
    """
    terms = {name.lower(): from_json(value) for name, value in conflict.key.items()}
    free = dict.fromkeys(terms)

    def is_meant(row: Cells) -> bool:
        return bool(terms) and all(equal(row.get(name), value).value for name, value in terms.items())

    return [{**row, **free} if is_meant(row) else row for row in rows]


def _taken(table: Table, written: Written, found: Terms, dialect: Dialect) -> Iterator[Conflict]:
    """Yields conflicts in which another row has a key of the written row.

    found: known values of the row that an UPDATE changes.
    """
    for key in table.keys:
        terms = _terms(key, key, written)
        if terms is not None:
            yield _conflict(table, terms, dialect, beside=(table, found) if found else None)


def _lacking(table: Table, written: Written, database: Database) -> Iterator[Conflict]:
    """Yields conflicts in which a row that the written row references is missing."""
    for foreign in table.foreign_keys:
        target = database.table_called(foreign.target.name, foreign.target.schema)
        terms = _terms(foreign.target_columns, foreign.columns, written)
        if terms is not None and target is not None:
            yield _conflict(target, terms, database.dialect, is_found=False)


def _pointed_to(table: Table, found: Terms, database: Database) -> Iterator[Conflict]:
    """Yields conflicts in which a row references the deleted one: an existing row, or one that is inserted with it."""
    known = {name.lower(): value for name, value in found.items()}
    for child in database.tables:
        for foreign in child.foreign_keys:
            if foreign.target == table.name and not foreign.follows_deletes:
                terms = _terms(foreign.columns, foreign.target_columns, known)
                if terms is not None:
                    yield _conflict(child, terms, database.dialect)
                links = tuple(zip(foreign.columns, foreign.target_columns, strict=True))
                yield _conflict(child, {}, database.dialect, beside=(table, found), links=links)


def _conflict(
    table: Table,
    terms: Terms,
    dialect: Dialect,
    *,
    is_found: bool = True,
    beside: tuple[Table, Terms] | None = None,
    links: Sequence[tuple[str, str]] = (),
) -> Conflict:
    """Returns a conflict with its query.

    beside: another row that the query also finds. links: pairs of columns of both rows that must be equal.
    """
    tables = [f"{quoted_table(table.name, dialect)} AS a"]
    conditions = [f"a.{quoted(ours, dialect)} = b.{quoted(theirs, dialect)}" for ours, theirs in links]
    values: list[Json] = []
    owned = [("a", name, value) for name, value in terms.items()]
    if beside is not None:
        tables.insert(0, f"{quoted_table(beside[0].name, dialect)} AS b")  # rows are inserted in this order
        owned += [("b", name, value) for name, value in beside[1].items()]
    for owner, name, value in owned:
        values.append(value)
        mark = f"${len(values)}" if dialect == "postgres" else "?"
        conditions.append(f"{owner}.{quoted(name, dialect)} = {mark}")
    text = f"SELECT * FROM {', '.join(tables)} WHERE {' AND '.join(conditions)}"
    return Conflict(text=text, params=tuple(values), is_found=is_found, table=table, key=terms)


def _terms(names: Sequence[str], columns: Sequence[str], known: Written) -> Terms | None:
    """Returns the values of `columns` under the names `names`; None if one of them is not known or is NULL."""
    terms = {name: known.get(column.lower()) for name, column in zip(names, columns, strict=True)}
    return None if not terms or any(value is None for value in terms.values()) else terms


def _table(node: exp.Expr, database: Database) -> Table | None:
    table = database.table_called(node.name, node.text("db")) if isinstance(node, exp.Table) else None
    return None if table is None or table.is_view else table


def _inserted(tree: exp.Insert, table: Table, params: Sequence[Json]) -> Written:
    """Returns the values of the first row of an INSERT."""
    schema = tree.this
    names = [one.name for one in schema.expressions] if isinstance(schema, exp.Schema) else []
    names = names or [column.name for column in table.columns]
    rows = tree.expression.expressions if isinstance(tree.expression, exp.Values) else []
    cells = rows[0].expressions if rows and isinstance(rows[0], exp.Tuple) else []
    return {name.lower(): operand_value(cell, params) for name, cell in zip(names, cells, strict=False)}


def _equalities(nodes: Sequence[exp.Expr], table: Table, params: Sequence[Json]) -> dict[str, Json]:
    """Returns the known values that columns of the table are set to or compared with.

    The column names are spelled as in the database.
    """
    names = {column.name.lower(): column.name for column in table.columns}
    found: dict[str, Json] = {}
    for node in nodes:
        listed = node.expressions if isinstance(node, exp.In) else []
        other = node.expression if isinstance(node, exp.EQ) else listed[0] if len(listed) == 1 else None
        name = names.get(node.this.name.lower()) if isinstance(node.this, exp.Column) else None
        value = operand_value(other, params) if other is not None and name is not None else None
        if name is not None and value is not None:
            found[name] = value
    return found
