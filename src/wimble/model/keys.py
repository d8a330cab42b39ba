"""Keys of Redis that tests bring, as rows of the tables that they are told as (sql/keys.py) -> the commands that put them in."""

from __future__ import annotations

from typing import Final

from wimble.model.database import InsertRows, Row
from wimble.types import Json

_COMMANDS: Final = {
    "strings": ("SET", ("key", "value")),
    "hashes": ("HSET", ("key", "field", "value")),
    "sets": ("SADD", ("key", "member")),
    "sorted_sets": ("ZADD", ("key", "score", "member")),
    "lists": ("RPUSH", ("key", "value")),
}
"""By table: the command, and the columns that are its arguments."""


def insert_command(wanted: InsertRows, row: Row) -> tuple[Json, ...] | None:
    """The command that puts a row in, and its arguments; None where something is missing."""
    name, columns = _COMMANDS.get(wanted.table.name, ("", ()))
    cells = dict(zip(wanted.columns, row, strict=True))
    if not name or any(cells.get(column) is None for column in columns):
        return None
    return (name, *(_argument(cells[column]) for column in columns))


def _argument(value: Json) -> Json:
    return str(value) if isinstance(value, (int, float)) else value
