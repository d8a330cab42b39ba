"""The statements that reset PostgreSQL databases."""

from __future__ import annotations

import json
from collections.abc import Sequence

from wimble.model.database import Column, Table
from wimble.state.catalogue import Catalogue
from wimble.state.proxied_database import RunQuery
from wimble.state.sql.dialect import Counter, RowAddress
from wimble.state.sql.postgres_catalogue import read_postgres
from wimble.state.sql.sql_literals import bytes_of, date_text, plain
from wimble.types import Json

FAR_KEY = 1_000_000_000
"""The key from which on no sequence is moved beyond inserted keys: a test does not reach it, and moving a sequence
there might exhaust it. It is moved beyond the nearer keys beside it."""


class Postgres:
    """The dialect of PostgreSQL."""

    is_file = False
    tables_per_read = 50
    takes_batches = True
    reads_counters_first = False
    stops_triggers = True
    row_address: RowAddress | None = RowAddress("ctid", "quote_literal(ctid::text)")

    def read_catalogue(self, run_query: RunQuery, database: str, name: str) -> Catalogue:
        return read_postgres(run_query, database, name)

    def column(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def name(self, table: Table) -> str:
        name = table.name
        return f"{self.column(name.schema)}.{self.column(name.name)}" if name.schema else self.column(name.name)

    def literal_of(self, column: Column) -> str:
        return f"quote_nullable({self.column(column.name)}::text)"

    def literal(self, value: Json, column: Column) -> str:
        if value is None:
            return "NULL"
        if column.type == "json":
            return quoted(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        if isinstance(value, list):
            return quoted(_array(value))
        data = bytes_of(value)
        if data is not None:
            return f"'\\x{data.hex()}'"
        if isinstance(value, bool):
            return "true" if value else "false"
        text = date_text(value, column)
        return quoted(text if text is not None else plain(value))

    def insert_prefix(self, table: Table) -> str:
        return " OVERRIDING SYSTEM VALUE" if any(column.is_identity for column in table.columns) else ""

    def transaction(self, statements: Sequence[str], catalogue: Catalogue, tables: Sequence[Table]) -> str:
        # PostgreSQL runs several statements in one query as one transaction ("Multiple Statements in a Simple Query").
        if catalogue.is_all_powerful:
            return "; ".join(["SET LOCAL session_replication_role = replica", *statements])
        with_triggers = [self.name(one) for one in tables if one.name in catalogue.triggers]
        head = ["SET CONSTRAINTS ALL DEFERRED", *(f"ALTER TABLE {name} DISABLE TRIGGER USER" for name in with_triggers)]
        tail = [f"ALTER TABLE {name} ENABLE TRIGGER USER" for name in with_triggers]
        return "; ".join([*head, *statements, *tail])

    def counters_query(self, catalogue: Catalogue, tables: Sequence[Table] | None) -> str:
        names = {one.name for one in tables} if tables is not None else None
        wanted = [one for one in catalogue.sequences if names is None or one.table is None or one.table in names]
        return " UNION ALL ".join(
            f"SELECT {quoted(one.name)}, last_value::text, is_called::text FROM {one.name}" for one in wanted
        )

    def set_counter(self, counter: Counter) -> str:
        value, is_called = counter.state
        return f"SELECT setval({quoted(counter.sequence)}, {value}, {is_called})"

    def counters_past_rows(self, catalogue: Catalogue, tables: Sequence[Table]) -> list[str]:
        return [
            f"SELECT setval({quoted(sequence.name)}, rows.key) "
            f"FROM (SELECT max({self.column(column.name)}) AS key FROM {self.name(table)} "
            f"WHERE {self.column(column.name)} < {FAR_KEY}) AS rows, {sequence.name} AS counter "
            f"WHERE rows.key >= counter.last_value"
            for table in tables
            for column in table.columns
            for sequence in catalogue.sequences
            if column.is_identity and sequence.table == table.name
        ]


def quoted(text: str) -> str:
    escaped = text.replace("'", "''").replace("\x00", "")
    return "E'" + escaped.replace("\\", "\\\\") + "'" if "\\" in escaped else f"'{escaped}'"


def _array(values: list[Json]) -> str:
    """Returns an array as PostgreSQL writes it: `{1,NULL,"a \\"b\\""}`."""
    cells = []
    for value in values:
        if value is None:
            cells.append("NULL")
        elif isinstance(value, list):
            cells.append(_array(value))
        else:
            cells.append('"' + plain(value).replace("\\", "\\\\").replace('"', '\\"') + '"')
    return "{" + ",".join(cells) + "}"
