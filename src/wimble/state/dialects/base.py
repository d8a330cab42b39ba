"""What resetting says to a database, and how each dialect has it. Cells are SQL literals, as the database itself writes them: so a value of any
type comes back exactly, also of one that nobody here knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from wimble.model.database import Column, Table
from wimble.state.catalogues.base import Catalogue
from wimble.state.lend import Lend
from wimble.types import Json

Literals = tuple[str, ...]
"""A row: one SQL literal per column."""


class Counter(msgspec.Struct, frozen=True):
    """Where a sequence stands; `state` is the dialect's own."""

    sequence: str
    state: tuple[str, ...]


class RowAddress(msgspec.Struct, frozen=True):
    """A hidden column that says where a row is."""

    column: str
    literal: str
    """An expression whose value is the column's SQL literal."""


class Dialect(Protocol):
    """Everything that differs between databases when rows are read and put back."""

    @property
    def tables_per_read(self) -> int:
        """How many tables one query reads at once."""
        ...

    @property
    def takes_batches(self) -> bool:
        """Whether one query may hold several statements, which are done all or none."""
        ...

    @property
    def reads_counters_first(self) -> bool:
        """Whether setting a sequence back takes longer than looking whether it has moved."""
        ...

    @property
    def stops_triggers(self) -> bool:
        """Whether no trigger runs in `transaction`."""
        ...

    @property
    def row_address(self) -> RowAddress | None:
        """How rows of tables without a key are told apart; None: they cannot be."""
        ...

    def read_catalogue(self, lend: Lend, database: str, name: str) -> Catalogue:
        """Raises: Refused."""
        ...

    def name(self, table: Table) -> str: ...
    def column(self, name: str) -> str: ...
    def literal_of(self, column: Column) -> str:
        """An expression whose value is the SQL literal of the column's value, as text."""
        ...

    def literal(self, value: Json, column: Column) -> str:
        """A value as the search has it, for an insert."""
        ...

    def insert_prefix(self, table: Table) -> str:
        """What stands between the columns and VALUES."""
        ...

    def transaction(self, statements: Sequence[str], catalogue: Catalogue, tables: Sequence[Table]) -> str:
        """All or nothing, with constraints and triggers put off as far as they can be."""
        ...

    def counters_query(self, catalogue: Catalogue, tables: Sequence[Table] | None) -> str:
        """Reads (sequence, state...) of the sequences of these tables, or of all; empty where there are none."""
        ...

    def set_counter(self, counter: Counter) -> str: ...

    def counters_past_rows(self, catalogue: Catalogue, tables: Sequence[Table]) -> list[str]:
        """Statements that move sequences behind the keys of rows that were inserted with keys of their own; none where the database does
        that by itself."""
        ...
