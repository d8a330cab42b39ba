"""The numbers that a database gives to new rows: sequences, AUTO_INCREMENT. Inserted rows use them up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from wimble.model.database import Table, TableName
from wimble.state.catalogue import Catalogue
from wimble.state.proxied_database import RunQuery, rows_of, run
from wimble.state.sql.dialect import Counter, Dialect

MAX_DRIFT: Final = 50
"""How far the number of a table's next row may go beyond its place before an inexact reset puts it back: to set it
rebuilds the table in MySQL and MariaDB."""


class RowNumbers:
    """Where the counters of a database stood, to put them back there."""

    def __init__(self, run_query: RunQuery, dialect: Dialect) -> None:
        self._run_query = run_query
        self._dialect = dialect
        self._kept: dict[str, Counter] = {}
        self._first: dict[str, Counter] = {}
        """As `keep_first` has read them. `keep_of` changes `_kept` only."""
        self._drifted: set[TableName] = set()

    @property
    def has_drifted(self) -> bool:
        """Whether counters of tables were not put back, since they are near their place."""
        return bool(self._drifted)

    def kept(self) -> tuple[Counter, ...]:
        return tuple(self._kept.values())

    # ---- keeping ----------------------------------------------------------------------------------------------------

    def keep_first(self, catalogue: Catalogue) -> None:
        """Keeps the present counters of all tables."""
        self._kept = {one.sequence: one for one in self._read(catalogue, None)}
        self._first = dict(self._kept)

    def keep_of(self, catalogue: Catalogue, tables: Sequence[Table]) -> None:
        """Keeps the present counters of some tables, whose rows stay: the keys of these must not be drawn again."""
        self._kept |= {one.sequence: one for one in self._read(catalogue, tables)}
        self._drifted -= {table.name for table in tables}

    def keep_used(self, catalogue: Catalogue) -> None:
        """Keeps the counters that have moved since they were put back, until `forget_later`."""
        self._kept |= {
            one.sequence: one for one in self._read(catalogue, None) if self._kept.get(one.sequence, one) != one
        }

    def keep(self, counters: Iterable[Counter]) -> None:
        """Keeps counters that were read before, or by an earlier run."""
        self._kept = {one.sequence: one for one in counters}

    def forget_later(self) -> None:
        """Keeps the first counters again. A table that the SUT has made since then keeps its own."""
        self._kept = {**self._kept, **self._first}

    # ---- putting back -----------------------------------------------------------------------------------------------

    def of_tables(self, catalogue: Catalogue, tables: Sequence[Table]) -> list[Counter]:
        """Returns the kept counters of these tables, and of sequences that belong to none."""
        names = {table.name for table in tables}
        return [
            self._kept[one.name]
            for one in catalogue.sequences
            if one.name in self._kept and (one.table is None or one.table in names)
        ]

    def put_back(
        self, catalogue: Catalogue, tables: Sequence[Table], touched: set[TableName], *, is_exact: bool
    ) -> None:
        """Puts back the counters of touched tables; those that are near their place only if `is_exact`.

        tables: all that are reset.
        """
        names = touched | self._drifted if is_exact else touched
        read = self._read(catalogue, [table for table in tables if table.name in names])
        moved = [one for one in read if self._kept.get(one.sequence, one) != one]
        back = [one for one in moved if is_exact or not self._is_near(one)]
        if back:
            run(self._run_query, "; ".join(self._dialect.set_counter(self._kept[one.sequence]) for one in back))
        stay = {one.sequence for one in moved} - {one.sequence for one in back}
        staying = {one.table for one in catalogue.sequences if one.table is not None and one.name in stay}
        self._drifted = (self._drifted - names) | staying

    def _is_near(self, moved: Counter) -> bool:
        number, first = moved.state[0], self._kept[moved.sequence].state[0]
        return number.isdecimal() and 0 <= int(number) - int(first) <= MAX_DRIFT

    def _read(self, catalogue: Catalogue, tables: Sequence[Table] | None) -> list[Counter]:
        text = self._dialect.counters_query(catalogue, tables)
        return [Counter(row[0], tuple(row[1:])) for row in rows_of(self._run_query, text)] if text else []
