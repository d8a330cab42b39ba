"""Setup actions that insert a row into an SQL database."""

from __future__ import annotations

from typing import Final

from wimble.model.database import Column, Dialect, InsertRows, Row
from wimble.model.setup_kinds.database_action import DatabaseAction, as_json, in_one_line
from wimble.types import Json

WITHOUT_ZONES: Final[frozenset[Dialect]] = frozenset({"mysql"})
"""Dialects in which a timestamp is written without a time zone."""


class InsertRow(DatabaseAction, frozen=True, kw_only=True):
    """One row of a table."""

    dialect: Dialect

    def _sent(self, column: Column, value: Json) -> Json:
        if column.type == "json" and value is not None:
            return as_json(value)
        if column.type == "timestamp" and isinstance(value, str) and self.dialect in WITHOUT_ZONES:
            return value.replace("T", " ").removesuffix("Z")
        return value

    def _command(self, rows: InsertRows, row: Row) -> str:
        values = ", ".join(_literal(value) for value in row)
        return f"INSERT INTO {rows.table} ({', '.join(rows.columns)}) VALUES ({values})"


def _literal(value: Json) -> str:
    """Returns a value as an SQL literal."""
    if value is None:
        return "NULL"
    if isinstance(value, (bool, int, float)):
        return str(value).upper() if isinstance(value, bool) else str(value)
    text = in_one_line(value if isinstance(value, str) else as_json(value))
    return "'" + text.replace("'", "''") + "'"
