"""The content of a recovery file of a relational database."""

from __future__ import annotations

import msgspec

from wimble.model.database import TableName
from wimble.state.sql.dialect import Counter
from wimble.state.sql.table_rows import Image


class SavedTable(msgspec.Struct, frozen=True):
    """The rows of a table before the run, with the names of its columns."""

    name: TableName
    columns: tuple[str, ...]
    image: Image


class Saved(msgspec.Struct, frozen=True):
    """The content of a database before the run."""

    database: str
    tables: tuple[SavedTable, ...]
    counters: tuple[Counter, ...]
