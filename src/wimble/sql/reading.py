"""Which rows a command's distance is measured over: the queries that fetch them, and their rows as cells."""

from __future__ import annotations

from wimble.model.database import Database, Dialect, QueryResult, Table, TableName
from wimble.sql.scope import Cells
from wimble.sql.statements import Statement
from wimble.sql.values import of_column

MAX_ROWS = 100
"""Per table. Rows of a test, and those the SUT starts with, are few; of large tables a part shows the way as well."""


def tables_read(statement: Statement, database: Database) -> tuple[Table, ...] | None:
    """The tables that the command names; None where the schema lacks one."""
    found = []
    for name, schema in statement.tables:
        table = database.table_called(name, schema)
        if table is None:
            return None
        found.append(table)
    return tuple(found)


def rows_query(table: Table, dialect: Dialect) -> str:
    """Fetches rows of a table, the same ones each time."""
    columns = ", ".join(quoted(column.name, dialect) for column in table.columns) or "*"
    order = ", ".join(quoted(name, dialect) for name in table.primary_key)
    ordered = f" ORDER BY {order}" if order else ""
    return f"SELECT {columns} FROM {quoted_table(table.name, dialect)}{ordered} LIMIT {MAX_ROWS}"


def quoted(name: str, dialect: Dialect) -> str:
    mark = "`" if dialect == "mysql" else '"'
    return mark + name.replace(mark, mark * 2) + mark


def quoted_table(name: TableName, dialect: Dialect) -> str:
    bare = quoted(name.name, dialect)
    return f"{quoted(name.schema, dialect)}.{bare}" if name.schema else bare


def cells_of(table: Table, result: QueryResult) -> tuple[Cells, ...]:
    """The rows that came of `rows_query`."""
    columns = [table.column(name) for name in result.columns]
    return tuple(
        {
            name.lower(): value if column is None else of_column(column, value)
            for name, column, value in zip(result.columns, columns, row, strict=False)
        }
        for row in result.rows
    )
