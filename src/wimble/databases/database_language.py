"""The interface of a database language: which rows a command looks for, and which writes a database would have refused.

The packages `sql`, `mongo` and `redis` implement it; `languages.py` maps each dialect to its implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import msgspec

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.conditions.truth import Truth
from wimble.databases.data_change import DataChange
from wimble.databases.injections.injected_input import InjectedInput, InjectionRule, SentInputs
from wimble.databases.injections.probes import Position
from wimble.databases.rows.new_rows import NewRow
from wimble.model.database import Database, DatabaseCommand, QueryResult, Table, TableName
from wimble.types import Json

Rows: TypeAlias = Mapping[str, Sequence[Cells]]
"""Rows by table, documents by collection, named as in `RowReader.table`."""


class RowReader(NamedTuple):
    """A query that fetches the rows of a table or the documents of a collection."""

    table: str
    """The key of the table or collection in `Rows`."""
    name: TableName
    query: str
    rows: Callable[[QueryResult], Sequence[Cells]]
    """Converts the result of the query to rows."""


class LimitedValue(NamedTuple):
    """A text or number that a command has written or compared, and one that the column cannot hold."""

    column: str
    """`table.column`."""
    value: str | int | float
    beyond: str | int
    """A text with one character too many, or the smallest whole number that is too large."""


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A query that shows whether the database would have refused a write.

    The database refuses the write if the query finds rows (`is_found`), or if it finds none (not `is_found`).
    """

    text: str
    params: tuple[Json, ...]
    is_found: bool
    table: Table
    """The table in which a row that prevents the write exists, or in which a required row is missing."""
    key: Mapping[str, Json] = {}
    """The values that columns of `table` have in such a row. The column names are spelled as in the database."""


class DatabaseQuery(Protocol):
    """A compiled command that looks for rows."""

    @property
    def command(self) -> DatabaseCommand:
        """The command as it was compiled; for Redis, the equivalent SELECT."""
        ...

    @property
    def database(self) -> Database: ...
    @property
    def is_read(self) -> bool:
        """Whether the command only reads."""
        ...

    @property
    def is_count(self) -> bool:
        """Whether the command counts rows, and so returns a row even if it finds none."""
        ...

    @property
    def shape(self) -> str:
        """The command without its values, in one line."""
        ...

    @property
    def reading(self) -> str:
        """The kind of the command and its tables, without its conditions."""
        ...

    @property
    def rows_can_be_replaced(self) -> bool:
        """Whether an inserted row may take the place of one that the command found."""
        ...

    def readers(self) -> tuple[RowReader, ...] | None:
        """Returns the readers of all tables that the command names; None if the schema lacks one of them."""
        ...

    def rows_before(self, rows: Rows) -> Rows:
        """Returns the rows that existed before a command that found nothing, as far as the present rows show them."""
        ...

    def truth(self, rows: Rows) -> Truth | None:
        """Returns whether the command finds rows among `rows`, and its distance to the other outcome.

        None if that is not known.
        """
        ...


class DatabaseLanguage(Protocol):
    """A database language in one dialect."""

    @property
    def has_references(self) -> bool:
        """Whether rows may reference other rows, so that the deletion of a row may be refused."""
        ...

    @property
    def has_open_tables(self) -> bool:
        """Whether rows may have columns that the schema does not name."""
        ...

    def query(self, command: DatabaseCommand, database: Database) -> DatabaseQuery | None:
        """Returns the compiled command; None if it looks for no rows, or is not understood."""
        ...

    def change(self, command: DatabaseCommand) -> DataChange | None:
        """Returns what the command does to the data; None if it only reads, or is not understood."""
        ...

    def conflicts(self, command: DatabaseCommand, database: Database) -> list[Conflict]:
        """Returns queries for the rows whose presence or absence would have made the database refuse the write."""
        ...

    def limited_values(self, command: DatabaseCommand, database: Database) -> list[LimitedValue]:
        """Returns the texts that a command has written to columns with a maximum length, and the numbers that it has
        written to, or compared with, columns with a largest one, where the database refuses what is beyond.
        """
        ...

    def reader_of(self, table: Table) -> RowReader | None:
        """Returns the reader of a table's rows; None if its rows cannot be copied."""
        ...

    def copy_of(self, table: Table, cells: Cells, is_fixed: Callable[[str], bool]) -> NewRow | None:
        """Returns a row with the same values, for tables whose rows may have columns that the schema does not name.

        is_fixed: whether the column of that name keeps its value. None: the schema names all columns.
        """
        ...

    def conflict_readers(self, conflict: Conflict, database: Database) -> tuple[RowReader, ...]:
        """Returns the readers of the conflict's table and of the tables that its rows reference."""
        ...

    def rows_before_conflict(self, conflict: Conflict, rows: Sequence[Cells]) -> list[Cells]:
        """Returns the rows of the conflict's table before the write: none of them had the written values."""
        ...

    def positions(self, command: DatabaseCommand, value: str) -> list[Position]:
        """Returns where an input stands in the command, with what would be syntax there.

        value: the input as a text.
        """
        ...

    @property
    def injection_rule(self) -> InjectionRule: ...

    def injected_input(self, commands: Sequence[DatabaseCommand], inputs: SentInputs) -> InjectedInput | None:
        """Returns the first input of a call that has become syntax of one of its commands in this language."""
        ...

    def refused_inputs(self, commands: Sequence[DatabaseCommand], inputs: SentInputs) -> Iterable[InjectedInput]:
        """Returns inputs outside of literals in commands that the database has refused; their effect is empty."""
        ...

    def command_text(self, command: DatabaseCommand) -> str:
        """Returns the command as it is shown to users, with its parameters only if they are a part of its text."""
        ...

    def source_of(self, command: DatabaseCommand) -> str:
        """Returns the first table or collection that the command names; an empty text if none is known."""
        ...

    def is_order_open(self, command: DatabaseCommand) -> bool:
        """Returns whether the command may return the same rows in another order after a reset."""
        ...
