"""Reads the rows of tables, and compares them with an earlier state."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Sequence

import msgspec

from wimble.model.database import Column, Table, TableName
from wimble.state.proxied_database import Refused, RunQuery, rows_of
from wimble.state.sql.dialect import Dialect, Literals, RowAddress

NULL = "NULL"


class Image(msgspec.Struct, frozen=True):
    """All rows of a table at a point in time."""

    rows: tuple[Literals, ...]
    addresses: tuple[str, ...] = ()
    """The addresses of the rows, for a table without a key. An address is valid until its row changes."""


class Difference(msgspec.Struct, frozen=True):
    """The changes that restore a table."""

    table: Table
    extra: tuple[Literals, ...]
    """Rows to delete: their keys or, for a table without a key, their addresses (the whole rows if there are none)."""
    missing: tuple[Literals, ...]
    """Rows to insert."""
    changed: tuple[tuple[Literals, Literals, Literals], ...]
    """(key, earlier row, present row) of each row to update."""


def stored_columns(table: Table) -> tuple[Column, ...]:
    """Returns the columns that can be written."""
    return tuple(column for column in table.columns if not column.is_generated)


def rearranged(image: Image, before: Sequence[Column], after: Sequence[Column]) -> Image | None:
    """Returns the rows with their cells in the order of other columns; None if these are not the same columns.

    Programs that make columns anew at each start (`synchronize` of TypeORM) put them last. Without rows, any columns
    will do.
    """
    if tuple(before) == tuple(after) or not image.rows:
        return image
    if {column.name: column for column in before} != {column.name: column for column in after}:
        return None
    places = {column.name: at for at, column in enumerate(before)}
    order = [places[column.name] for column in after]
    return msgspec.structs.replace(image, rows=tuple(tuple(row[at] for at in order) for row in image.rows))


def key_of(table: Table) -> tuple[str, ...]:
    """Returns the columns of a key that identifies rows; empty if the table has none."""
    if table.primary_key:
        return table.primary_key
    for key in table.unique:
        columns = [table.column(name) for name in key.columns]
        if all(column is not None and not column.is_nullable for column in columns):
            return key.columns
    return ()


def read_images(run_query: RunQuery, dialect: Dialect, tables: Sequence[Table]) -> dict[TableName, Image]:
    """Returns the rows of each table. Raises: Refused."""
    images: dict[TableName, Image] = {}
    for start in range(0, len(tables), dialect.tables_per_read):
        images |= _read(run_query, dialect, tables[start : start + dialect.tables_per_read])
    return images


def read_image(run_query: RunQuery, dialect: Dialect, table: Table, most_rows: int) -> Image | None:
    """Returns the rows of a table; None if it has more than `most_rows` rows, or cannot be read."""
    try:
        image = _read(run_query, dialect, [table], f" LIMIT {most_rows + 1}")[table.name]
    except Refused:
        return None
    return image if len(image.rows) <= most_rows else None


def _read(run_query: RunQuery, dialect: Dialect, tables: Sequence[Table], end: str = "") -> dict[TableName, Image]:
    widths = [len(stored_columns(table)) + (_address(dialect, table) is not None) for table in tables]
    width = max(widths)
    parts = []
    for number, table in enumerate(tables):
        address = _address(dialect, table)
        cells = [address.literal] if address is not None else []
        cells += [dialect.literal_of(column) for column in stored_columns(table)]
        cells += [NULL] * (width - len(cells))
        parts.append(f"SELECT {', '.join([str(number), *cells])} FROM {dialect.name(table)}")
    found: list[list[Literals]] = [[] for _ in tables]
    for row in rows_of(run_query, " UNION ALL ".join(parts) + end):
        number = int(row[0])
        found[number].append(tuple(row[1 : 1 + widths[number]]))
    images = {}
    for table, rows in zip(tables, found, strict=True):
        if _address(dialect, table) is not None:
            images[table.name] = Image(tuple(row[1:] for row in rows), tuple(row[0] for row in rows))
        else:
            images[table.name] = Image(tuple(rows))
    return images


def _address(dialect: Dialect, table: Table) -> RowAddress | None:
    """Returns the hidden column that identifies rows of a table without a key; None for other tables."""
    return None if key_of(table) else dialect.row_address


def difference(table: Table, initial: Image, current: Image) -> Difference | None:
    """Returns the changes that turn `current` into `initial`; None if nothing has changed."""
    if initial.rows == current.rows:
        return None
    key = key_of(table)
    found = _by_key(table, key, initial, current) if key else _by_content(table, initial, current)
    return found if found.extra or found.missing or found.changed else None


def _by_key(table: Table, key: tuple[str, ...], initial: Image, current: Image) -> Difference:
    names = [column.name for column in stored_columns(table)]
    at = [names.index(name) for name in key]
    before = {tuple(row[n] for n in at): row for row in initial.rows}
    after = {tuple(row[n] for n in at): row for row in current.rows}
    return Difference(
        table,
        extra=tuple(one for one in after if one not in before),
        missing=tuple(row for one, row in before.items() if one not in after),
        changed=tuple((one, before[one], row) for one, row in after.items() if one in before and before[one] != row),
    )


def _by_content(table: Table, initial: Image, current: Image) -> Difference:
    """Returns the difference of a table without a key, whose rows are compared by their content."""
    left = Multiset(initial.rows)
    extra: list[Literals] = []
    for number, row in enumerate(current.rows):
        if left[row] > 0:
            left[row] -= 1
        else:
            extra.append((current.addresses[number],) if current.addresses else row)
    return Difference(table, extra=tuple(extra), missing=tuple(left.elements()), changed=())
