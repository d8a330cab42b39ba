"""The statements that reset MySQL and MariaDB databases."""

from __future__ import annotations

import json
from collections.abc import Sequence

from wimble.model.database import Column, Table
from wimble.state.catalogue import Catalogue
from wimble.state.proxied_database import RunQuery
from wimble.state.sql.dialect import Counter, RowAddress
from wimble.state.sql.mysql_catalogue import read_mysql
from wimble.state.sql.sql_literals import bytes_of, date_text, plain
from wimble.types import Json


class Mysql:
    """The dialect of MySQL and MariaDB."""

    is_file = False
    tables_per_read = 1
    """1, since columns of different character sets cannot be combined in one UNION."""
    takes_batches = False
    reads_counters_first = True
    stops_triggers = False
    row_address: RowAddress | None = None

    def read_catalogue(self, run_query: RunQuery, database: str, name: str) -> Catalogue:
        return read_mysql(run_query, database, name)

    def column(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def name(self, table: Table) -> str:
        return self.column(table.name.name)

    def literal_of(self, column: Column) -> str:
        name = self.column(column.name)
        base = column.type_name.partition("(")[0].partition(" ")[0].lower()
        if column.type == "bytes" or base in ("geometry", "point", "linestring", "polygon"):
            return f"IF({name} IS NULL, 'NULL', CONCAT('x''', HEX({name}), ''''))"
        if base == "bit":
            return f"IF({name} IS NULL, 'NULL', CONCAT('b''', BIN({name} + 0), ''''))"
        if base == "float":
            return f"COALESCE({name} + 0.0e0, 'NULL')"  # as a double, so that all digits are written
        if column.type in ("integer", "decimal", "float"):
            return f"COALESCE({name}, 'NULL')"
        return f"QUOTE({name})"

    def literal(self, value: Json, column: Column) -> str:
        if value is None:
            return "NULL"
        data = bytes_of(value)
        if data is not None:
            return f"x'{data.hex()}'"
        if isinstance(value, bool):
            return "1" if value else "0"
        if column.type == "json":
            return quoted(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        text = date_text(value, column)
        return quoted(text if text is not None else plain(value))

    def insert_prefix(self, table: Table) -> str:
        return ""

    def transaction(self, statements: Sequence[str], catalogue: Catalogue, tables: Sequence[Table]) -> str:
        # What was there is put back whatever it is. Afterwards the connection is as strict as that of a generated test,
        # so that both accept the same rows.
        head = [
            "START TRANSACTION",
            "SET @wimble_sql_mode = COALESCE(@wimble_sql_mode, @@SESSION.sql_mode)",
            "SET SESSION foreign_key_checks = 0, unique_checks = 1, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'",
        ]
        tail = ["COMMIT", "SET SESSION foreign_key_checks = 1, sql_mode = @wimble_sql_mode"]
        return "; ".join([*head, *statements, *tail])

    def counters_query(self, catalogue: Catalogue, tables: Sequence[Table] | None) -> str:
        names = {one.name for one in tables} if tables is not None else None
        counted = [
            table
            for table in catalogue.database.tables
            if not table.is_view
            and any(column.is_identity for column in table.columns)
            and (names is None or table.name in names)
        ]
        if not counted:
            return ""
        listed = ", ".join(quoted(table.name.name) for table in counted)
        return (
            "SELECT table_name, CAST(COALESCE(auto_increment, 1) AS CHAR) FROM information_schema.tables "
            f"WHERE table_schema = DATABASE() AND table_name IN ({listed})"
        )

    def set_counter(self, counter: Counter) -> str:
        return f"ALTER TABLE {self.column(counter.sequence)} AUTO_INCREMENT = {counter.state[0]}"

    def counters_past_rows(self, catalogue: Catalogue, tables: Sequence[Table]) -> list[str]:
        return []


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\x00", "\\0")
    return f"'{escaped}'"
