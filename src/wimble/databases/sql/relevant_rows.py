"""The rows for which a command's distance is computed: the queries that fetch them, and the rows as cells.

This module does not import the SQL parser.
"""

from __future__ import annotations

from collections.abc import Iterable

from wimble.databases.conditions.stored_values import Cells, of_column
from wimble.model.database import Database, Dialect, QueryResult, Table, TableName

MAX_ROWS = 100
"""The largest number of rows that are fetched from a table. A test and the SUT's start create few rows, and a part of a
large table suffices for a distance."""


def tables_called(names: Iterable[tuple[str, str]], database: Database) -> tuple[Table, ...] | None:
    """Returns the tables with these names and schemas (see `Statement.tables`); None if the database lacks one."""
    found = []
    for name, schema in names:
        table = database.table_called(name, schema)
        if table is None:
            return None
        found.append(table)
    return tuple(found)


def rows_query(table: Table, dialect: Dialect) -> str:
    """Returns the query that fetches up to MAX_ROWS rows of a table, in the order of its primary key."""
    columns = ", ".join(quoted(column.name, dialect) for column in table.columns) or "*"
    order = ", ".join(quoted(name, dialect) for name in table.primary_key)
    ordered = f" ORDER BY {order}" if order else ""
    return f"SELECT {columns} FROM {quoted_table(table.name, dialect)}{ordered} LIMIT {MAX_ROWS}"


def quoted(name: str, dialect: Dialect) -> str:
    """Returns a name as a quoted identifier."""
    mark = "`" if dialect == "mysql" else '"'
    return mark + name.replace(mark, mark * 2) + mark


def quoted_table(name: TableName, dialect: Dialect) -> str:
    """Returns the name of a table as quoted identifiers, with its schema if it has one."""
    bare = quoted(name.name, dialect)
    return f"{quoted(name.schema, dialect)}.{bare}" if name.schema else bare


def cells_of(table: Table, result: QueryResult) -> tuple[Cells, ...]:
    """Returns the rows in the result of `rows_query`."""
    columns = [table.column(name) for name in result.columns]
    return tuple(
        {
            name.lower(): value if column is None else of_column(column, value)
            for name, column, value in zip(result.columns, columns, row, strict=False)
        }
        for row in result.rows
    )
