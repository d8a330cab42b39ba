"""The interface to the statements that reset a database, which differ between dialects.

Cells are SQL literals that the database itself produces, so that a value is restored exactly, even if its type is not
known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from wimble.model.database import Column, Table
from wimble.state.catalogue import Catalogue
from wimble.state.proxied_database import RunQuery
from wimble.types import Json

Literals = tuple[str, ...]
"""A row: one SQL literal per column."""


class Counter(msgspec.Struct, frozen=True):
    """The position of a sequence. The content of `state` depends on the dialect."""

    sequence: str
    state: tuple[str, ...]


class RowAddress(msgspec.Struct, frozen=True):
    """A hidden column that identifies a row."""

    column: str
    literal: str
    """An expression whose value is the column's SQL literal."""


class Dialect(Protocol):
    """All differences between databases when rows are read and restored."""

    @property
    def is_file(self) -> bool:
        """Whether a database is one file."""
        ...

    @property
    def tables_per_read(self) -> int:
        """The number of tables that one query may read."""
        ...

    @property
    def takes_batches(self) -> bool:
        """Whether one query may contain several statements, which succeed or fail together."""
        ...

    @property
    def reads_counters_first(self) -> bool:
        """Whether sequences are read first and only changed ones are set, since setting takes longer than reading."""
        ...

    @property
    def stops_triggers(self) -> bool:
        """Whether `transaction` disables triggers."""
        ...

    @property
    def row_address(self) -> RowAddress | None:
        """The hidden column that identifies rows of tables without a key; None if the dialect has none."""
        ...

    def read_catalogue(self, run_query: RunQuery, database: str, name: str) -> Catalogue:
        """Reads the schema of the database. Raises: Refused."""
        ...

    def name(self, table: Table) -> str: ...
    def column(self, name: str) -> str: ...
    def literal_of(self, column: Column) -> str:
        """Returns an expression whose value is the SQL literal of the column's value, as text."""
        ...

    def literal(self, value: Json, column: Column) -> str:
        """Returns a value from a test case as a literal, for an insert."""
        ...

    def insert_prefix(self, table: Table) -> str:
        """Returns the text between the columns and VALUES in an INSERT that sets identity columns."""
        ...

    def transaction(self, statements: Sequence[str], catalogue: Catalogue, tables: Sequence[Table]) -> str:
        """Returns one transaction of the statements, with constraints and triggers deferred or disabled if possible."""
        ...

    def counters_query(self, catalogue: Catalogue, tables: Sequence[Table] | None) -> str:
        """Returns a query for (sequence, state...) of the sequences of these tables (None: of all tables).

        An empty text if there are no sequences.
        """
        ...

    def set_counter(self, counter: Counter) -> str: ...

    def counters_past_rows(self, catalogue: Catalogue, tables: Sequence[Table]) -> list[str]:
        """Returns statements that move sequences beyond inserted keys; none if the database does that itself."""
        ...
