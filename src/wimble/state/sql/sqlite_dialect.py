"""The statements that reset SQLite databases."""

from __future__ import annotations

import json
from collections.abc import Sequence

from wimble.model.database import Column, Table
from wimble.state.catalogue import Catalogue
from wimble.state.proxied_database import RunQuery
from wimble.state.sql.dialect import Counter, RowAddress
from wimble.state.sql.sql_literals import bytes_of, date_text, plain
from wimble.state.sql.sqlite_catalogue import read_sqlite
from wimble.types import Json


class Sqlite:
    """The dialect of SQLite."""

    is_file = True
    tables_per_read = 1
    takes_batches = False
    reads_counters_first = False
    stops_triggers = False
    row_address: RowAddress | None = RowAddress("rowid", "quote(rowid)")

    def read_catalogue(self, run_query: RunQuery, database: str, name: str) -> Catalogue:
        return read_sqlite(run_query, database, name)

    def column(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def name(self, table: Table) -> str:
        return self.column(table.name.name)

    def literal_of(self, column: Column) -> str:
        return f"quote({self.column(column.name)})"

    def literal(self, value: Json, column: Column) -> str:
        if value is None:
            return "NULL"
        data = bytes_of(value)
        if data is not None:
            return f"x'{data.hex()}'"
        if isinstance(value, bool):
            return "1" if value else "0"
        if isinstance(value, (int, float)):
            return repr(value)
        if column.type == "json":
            return quoted(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        if isinstance(value, dict) and isinstance(value.get("$bigint"), str):
            return str(int(value["$bigint"]))
        text = date_text(value, column)
        return quoted(text if text is not None else plain(value))

    def insert_prefix(self, table: Table) -> str:
        return ""

    def transaction(self, statements: Sequence[str], catalogue: Catalogue, tables: Sequence[Table]) -> str:
        # SQLite disables foreign keys only outside of a transaction. The agent enables them again.
        return "; ".join(["PRAGMA foreign_keys = OFF", "BEGIN IMMEDIATE", *statements, "COMMIT"])

    def counters_query(self, catalogue: Catalogue, tables: Sequence[Table] | None) -> str:
        """Returns a query for the counters of AUTOINCREMENT; SQLite numbers other tables by their largest key."""
        names = {one.name for one in tables} if tables is not None else None
        return " UNION ALL ".join(
            f"SELECT {quoted(one.name)}, "
            f"COALESCE((SELECT CAST(seq AS TEXT) FROM sqlite_sequence WHERE name = {quoted(one.name)}), '0')"
            for one in catalogue.sequences
            if names is None or one.table in names
        )

    def set_counter(self, counter: Counter) -> str:
        return f"UPDATE sqlite_sequence SET seq = {counter.state[0]} WHERE name = {quoted(counter.sequence)}"

    def counters_past_rows(self, catalogue: Catalogue, tables: Sequence[Table]) -> list[str]:
        return []


def quoted(text: str) -> str:
    """Returns a text as a literal. A NUL would end the statement, so a text with NUL is written as bytes and cast."""
    if "\x00" in text:
        return f"CAST(x'{text.encode().hex()}' AS TEXT)"
    return "'" + text.replace("'", "''") + "'"
