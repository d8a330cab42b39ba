"""Setup actions that insert a key into Redis: rows of the tables of keys (databases/redis/key_tables.py)."""

from __future__ import annotations

import shlex
from typing import ClassVar, Final

from wimble.model.database import InsertRows, Row
from wimble.model.setup_kinds.database_action import DatabaseAction, in_one_line
from wimble.types import Json

_COMMANDS: Final = {
    "strings": ("SET", ("key", "value")),
    "hashes": ("HSET", ("key", "field", "value")),
    "sets": ("SADD", ("key", "member")),
    "sorted_sets": ("ZADD", ("key", "score", "member")),
    "lists": ("RPUSH", ("key", "value")),
}
"""Table -> (command, columns that are its arguments)."""


class InsertKey(DatabaseAction, frozen=True, kw_only=True):
    """One row of a table of keys."""

    stores_text: ClassVar[bool] = True

    def _command(self, rows: InsertRows, row: Row) -> str:
        """Returns the command as typed into `redis-cli`."""
        return " ".join(shlex.quote(in_one_line(str(word))) for word in insert_command(rows, row) or ())


def insert_command(wanted: InsertRows, row: Row) -> tuple[Json, ...] | None:
    """Returns the command that inserts a row, with its arguments; None if a value is missing."""
    name, columns = _COMMANDS.get(wanted.table.name, ("", ()))
    cells = dict(zip(wanted.columns, row, strict=True))
    if not name or any(cells.get(column) is None for column in columns):
        return None
    return (name, *(_argument(cells[column]) for column in columns))


def _argument(value: Json) -> Json:
    return str(value) if isinstance(value, (int, float)) else value
