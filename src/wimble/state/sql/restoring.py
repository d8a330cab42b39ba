"""Restores tables with statements that undo their differences from an earlier state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.model.database import Table, TableName
from wimble.state.catalogue import Catalogue
from wimble.state.proxied_database import Refused, RunQuery, run
from wimble.state.sql.dialect import Dialect, Literals
from wimble.state.sql.table_rows import Difference, key_of, stored_columns
from wimble.state.sql.touched_tables import parents_first

ROWS_PER_STATEMENT = 200

ORDERS = ("delete insert update", "update delete insert", "insert update delete", "delete update insert")
"""Orders of the steps that are tried if foreign keys are checked; which one succeeds depends on the changes."""

LOCKED = ("lock timeout", "lock wait timeout", "is locked", "deadlock")
"""Parts of error messages after which no other order is tried, since it would fail, too."""

FREE_ORDERS = ("delete update insert", "replace")
"""Orders that are tried if foreign keys are not checked. `replace` deletes and inserts changed rows, since rows that
have swapped a unique value cannot be updated one by one."""


def restore(
    run_query: RunQuery, dialect: Dialect, catalogue: Catalogue, differences: Sequence[Difference], last: Sequence[str]
) -> None:
    """Undoes the differences in one transaction. last: statements that run after those on rows.

    Raises: Refused, if the database accepts no order of the statements; nothing has changed then.
    """
    tables = [one.table for one in differences]
    refused: Refused | None = None
    for order in FREE_ORDERS if catalogue.is_all_powerful else ORDERS:
        done = [_replacing(one) for one in differences] if order == "replace" else differences
        steps = "delete insert" if order == "replace" else order
        try:
            run(run_query, dialect.transaction([*_statements(dialect, done, steps), *last], catalogue, tables))
            return
        except Refused as error:
            refused = refused or error
            if any(words in str(error).lower() for words in LOCKED):
                break
    if refused is not None:
        raise refused


def _replacing(difference: Difference) -> Difference:
    return Difference(
        difference.table,
        extra=difference.extra + tuple(key for key, _, _ in difference.changed),
        missing=difference.missing + tuple(before for _, before, _ in difference.changed),
        changed=(),
    )


def _statements(dialect: Dialect, differences: Sequence[Difference], order: str) -> Iterator[str]:
    by_name: dict[TableName, Difference] = {one.table.name: one for one in differences}
    ordered = [by_name[table.name] for table in parents_first(one.table for one in differences)]
    for step in order.split():
        for one in reversed(ordered) if step == "delete" else ordered:
            if step == "delete":
                yield from _deletes(dialect, one)
            elif step == "insert":
                yield from _inserts(dialect, one.table, one.missing)
            else:
                yield from _updates(dialect, one)


def _deletes(dialect: Dialect, difference: Difference) -> Iterator[str]:
    table = difference.table
    key = key_of(table)
    address = dialect.row_address
    if not key and address is None:
        columns = [column.name for column in stored_columns(table)]
        for row in difference.extra:
            same = " AND ".join(f"{dialect.column(name)} <=> {value}" for name, value in zip(columns, row, strict=True))
            yield f"DELETE FROM {dialect.name(table)} WHERE {same} LIMIT 1"
        return
    names = [dialect.column(name) for name in key] if address is None or key else [address.column]
    for rows in _batches(difference.extra):
        yield f"DELETE FROM {dialect.name(table)} WHERE {_in(names, rows)}"


def _in(names: Sequence[str], rows: Sequence[Literals]) -> str:
    if len(names) == 1:
        return f"{names[0]} IN ({', '.join(row[0] for row in rows)})"
    return f"({', '.join(names)}) IN ({', '.join(_tuple(row) for row in rows)})"


def _inserts(dialect: Dialect, table: Table, rows: Sequence[Literals]) -> Iterator[str]:
    names = ", ".join(dialect.column(column.name) for column in stored_columns(table))
    for some in _batches(rows):
        values = ", ".join(_tuple(row) for row in some)
        yield f"INSERT INTO {dialect.name(table)} ({names}){dialect.insert_prefix(table)} VALUES {values}"


def _updates(dialect: Dialect, difference: Difference) -> Iterator[str]:
    table = difference.table
    columns = stored_columns(table)
    for key, before, after in difference.changed:
        changes = ", ".join(
            f"{dialect.column(column.name)} = {was}"
            for column, was, now in zip(columns, before, after, strict=True)
            if was != now
        )
        names = [dialect.column(name) for name in key_of(table)]
        yield f"UPDATE {dialect.name(table)} SET {changes} WHERE {_in(names, [key])}"


def _tuple(row: Literals) -> str:
    return f"({', '.join(row)})"


def _batches(rows: Sequence[Literals]) -> Iterator[Sequence[Literals]]:
    for start in range(0, len(rows), ROWS_PER_STATEMENT):
        yield rows[start : start + ROWS_PER_STATEMENT]
