"""The statements of resetting, by dialect.

Cells are SQL literals as the database itself writes them, so that a value of any type is restored exactly, also of a
type that is not known here.
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
    """The position of a sequence; `state` depends on the dialect."""

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
        """Number of tables that one query reads at once."""
        ...

    @property
    def takes_batches(self) -> bool:
        """Whether one query may hold several statements, which succeed or fail together."""
        ...

    @property
    def reads_counters_first(self) -> bool:
        """Whether setting a sequence takes longer than finding out whether it has moved."""
        ...

    @property
    def stops_triggers(self) -> bool:
        """Whether triggers are disabled in `transaction`."""
        ...

    @property
    def row_address(self) -> RowAddress | None:
        """The identity of rows of tables without a key; None: they have none."""
        ...

    def read_catalogue(self, run_query: RunQuery, database: str, name: str) -> Catalogue:
        """Raises: Refused."""
        ...

    def name(self, table: Table) -> str: ...
    def column(self, name: str) -> str: ...
    def literal_of(self, column: Column) -> str:
        """Returns an expression whose value is the SQL literal of the column's value, as text."""
        ...

    def literal(self, value: Json, column: Column) -> str:
        """Returns a value of the search as a literal, for an insert."""
        ...

    def insert_prefix(self, table: Table) -> str:
        """Returns the text between the columns and VALUES."""
        ...

    def transaction(self, statements: Sequence[str], catalogue: Catalogue, tables: Sequence[Table]) -> str:
        """One transaction, with constraints and triggers deferred as far as possible."""
        ...

    def counters_query(self, catalogue: Catalogue, tables: Sequence[Table] | None) -> str:
        """Reads (sequence, state...) of the sequences of these tables, or of all; empty where there are none."""
        ...

    def set_counter(self, counter: Counter) -> str: ...

    def counters_past_rows(self, catalogue: Catalogue, tables: Sequence[Table]) -> list[str]:
        """Statements that move sequences beyond inserted keys; none where the database does that itself."""
        ...
