"""The interface of a database language: which rows a command looks for, and what a database would have refused.

SQL, MongoDB's language and Redis' commands implement it in their rooms; `languages.py` is the table of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import msgspec

from wimble.databases.sql.scope import Cells
from wimble.databases.sql.truth import Truth
from wimble.model.database import Database, DatabaseCommand, QueryResult, Table, TableName
from wimble.types import Json

Rows: TypeAlias = Mapping[str, Sequence[Cells]]
"""Rows by table, documents by collection, named as in `RowReader.table`."""


class RowReader(NamedTuple):
    """How the rows of a table, or the documents of a collection, are fetched."""

    table: str
    """Its name in `Rows`."""
    name: TableName
    query: str
    rows: Callable[[QueryResult], Sequence[Cells]]


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A query that tells whether a write would have been refused: it finds rows, or (`is_found`
    False) it finds none."""

    text: str
    params: tuple[Json, ...]
    is_found: bool
    table: Table
    """The table whose rows are in the way, or are missing."""
    key: Mapping[str, Json] = {}
    """Columns of `table` that must have these values. Names are as the database has them."""


class DatabaseQuery(Protocol):
    """A command that looks for rows, compiled."""

    @property
    def command(self) -> DatabaseCommand:
        """The command in the form that the compiler understood; for Redis, the SELECT that it amounts to."""
        ...

    @property
    def database(self) -> Database: ...
    @property
    def is_read(self) -> bool:
        """Whether it changes nothing."""
        ...

    @property
    def is_count(self) -> bool:
        """Whether it returns a row even where it finds none."""
        ...

    @property
    def shape(self) -> str:
        """The command without its values, in one line."""
        ...

    @property
    def reading(self) -> str:
        """What the command does with which tables, without its conditions."""
        ...

    @property
    def rows_can_be_replaced(self) -> bool:
        """Whether an inserted row may take the place of one that the command found."""
        ...

    def readers(self) -> tuple[RowReader, ...] | None:
        """Readers of all tables that the command names; None where the schema lacks one."""
        ...

    def rows_before(self, rows: Rows) -> Rows:
        """Returns the rows as a command that found nothing met them, as far as the rows that are there now show that.
        """
        ...

    def truth(self, rows: Rows) -> Truth | None:
        """Returns whether it finds rows among `rows`, and how far it is from the other outcome; None where
        that is not known."""
        ...


class DatabaseLanguage(Protocol):
    """One language, in one dialect."""

    @property
    def has_references(self) -> bool:
        """Whether rows point to other rows, so that a deleted one may be missed."""
        ...

    @property
    def has_open_tables(self) -> bool:
        """Whether rows may have columns that the schema does not name."""
        ...

    def query(self, command: DatabaseCommand, database: Database) -> DatabaseQuery | None:
        """Returns None for commands that look for nothing, and for those that are not understood."""
        ...

    def conflicts(self, command: DatabaseCommand, database: Database) -> list[Conflict]:
        """Returns the rows whose presence or absence would have made the database refuse what the command has written.
        """
        ...

    def conflict_readers(self, conflict: Conflict, database: Database) -> tuple[RowReader, ...]:
        """Readers of the conflict's tables, and of those that their rows point to."""
        ...

    def rows_before_conflict(self, conflict: Conflict, rows: Sequence[Cells]) -> list[Cells]:
        """Rows of the conflict's table as the write met them: none had the values that it has written."""
        ...

    def is_order_open(self, command: DatabaseCommand) -> bool:
        """Returns whether the command may return the same rows in another order after a reset."""
        ...
