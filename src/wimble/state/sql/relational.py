"""Resets and fills a relational database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from wimble.agent.mocks.connection_proxy import Connected
from wimble.model.database import Column, Database, InsertRows, Table, TableName
from wimble.state.catalogue import Catalogue
from wimble.state.proxied_database import Refused, RunQuery
from wimble.state.recovery_file import RecoveryFile
from wimble.state.resettable import Resettable
from wimble.state.sql.dialect import Counter, Dialect
from wimble.state.sql.restoring import restore
from wimble.state.sql.row_numbers import RowNumbers
from wimble.state.sql.saved_rows import Saved, SavedTable
from wimble.state.sql.table_rows import (
    Difference,
    Image,
    difference,
    read_image,
    read_images,
    rearranged,
    stored_columns,
)
from wimble.state.sql.touched_tables import Touched, is_defining
from wimble.types import Json

MAX_ROWS = 20_000
"""The largest number of rows of a table that is reset, since a table is read whenever a test may have changed it."""
MAX_ROUNDS = 3
"""The largest number of rounds of comparing and restoring; a round also restores what triggers changed in the last."""
MAX_SAME_DEFINITION = 3
"""The number of times after which a repeated command such as `CREATE TABLE IF NOT EXISTS` is assumed to change
nothing."""


class Baseline(NamedTuple):
    """What a reset restores."""

    images: dict[TableName, Image]
    columns: dict[TableName, tuple[Column, ...]]
    """Those in which the rows have their cells."""
    counters: tuple[Counter, ...]


class RelationalDatabase(Resettable):
    """A relational database, whose rows and sequences are restored by table."""

    contents = "rows"

    def __init__(
        self,
        connected: Connected,
        run_query: RunQuery,
        dialect: Dialect,
        journal: RecoveryFile | None,
        warn: Callable[[str], None],
    ) -> None:
        super().__init__(connected, run_query, journal, warn)
        self._dialect = dialect
        self.catalogue: Catalogue | None = None
        self._touched: Touched | None = None
        self._images: dict[TableName, Image] = {}
        self._base: dict[TableName, Image] = {}
        """The rows at `attach`. `rebaseline` changes `_images` only."""
        self._numbers = RowNumbers(run_query, dialect)
        self._pending: set[TableName] = set()
        self._is_stale = False
        self._definitions: dict[str, int] = {}

    @property
    def label(self) -> str:
        return f"{self.connected.dialect} database {self.connected.name or self.connected.id}"

    @property
    def is_file(self) -> bool:
        return self._dialect.is_file

    @property
    def schema(self) -> Database | None:
        return self.catalogue.database if self.catalogue is not None else None

    @property
    def numbered(self) -> tuple[tuple[TableName, str], ...]:
        sequences = self.catalogue.sequences if self.catalogue is not None else ()
        return tuple((one.table, one.name) for one in sequences if one.table is not None)

    @property
    def left_alone(self) -> tuple[TableName, ...]:
        tables = self.catalogue.database.tables if self.catalogue is not None else ()
        return tuple(one.name for one in tables if not one.is_view and one.name not in self._images)

    # ---- the initial content ----------------------------------------------------------------------------------------

    def attach(self, *, can_write: bool) -> None:
        """Reads the schema and, if rows may be written later, the rows."""
        try:
            catalogue = self._read_catalogue()
            if can_write:
                self._put_back_saved()
                self._read_rows(catalogue)
                self._save()
                self.can_write = True
        except (Refused, OSError) as error:
            self._warn(f"the {self.label} is not reset between tests: {error}")

    def _read_catalogue(self) -> Catalogue:
        self.catalogue = self._dialect.read_catalogue(self._run_query, self.connected.id, self.connected.name)
        self._touched = Touched(self.catalogue)
        if self.catalogue.unreadable:
            names = ", ".join(str(name) for name in self.catalogue.unreadable[:5])
            self._warn(f"no right to read and write all tables of the {self.label}, so they are not reset: {names}")
        return self.catalogue

    @property
    def _tables(self) -> list[Table]:
        assert self.catalogue is not None
        unreadable = set(self.catalogue.unreadable)
        return [one for one in self.catalogue.database.tables if not one.is_view and one.name not in unreadable]

    def _read_rows(self, catalogue: Catalogue) -> None:
        left_alone = []
        for table in self._tables:
            image = read_image(self._run_query, self._dialect, table, MAX_ROWS)
            if image is None:
                left_alone.append(str(table.name))
            else:
                self._base[table.name] = image
        if left_alone:
            self._warn(
                f"tables of the {self.label} that hold more than {MAX_ROWS:,} rows or cannot be read are not reset: "
                + ", ".join(left_alone[:5])
            )
        self._images = dict(self._base)
        self._numbers.keep_first(catalogue)

    def _save(self) -> None:
        if self._journal is None:
            return
        by_name = {table.name: table for table in self._tables}
        tables = tuple(
            SavedTable(name, tuple(column.name for column in stored_columns(by_name[name])), image)
            for name, image in self._images.items()
        )
        self._journal.write(Saved(self.connected.id, tables, self._numbers.kept()))

    def _put_back_saved(self) -> None:
        """Restores rows that a killed run has changed, from its recovery file. Raises: Refused."""
        saved = self._journal.read(Saved) if self._journal is not None else None
        if saved is None or self._journal is None:
            return
        same = {
            table.name
            for table in self._tables
            for one in saved.tables
            if one.name == table.name and one.columns == tuple(column.name for column in stored_columns(table))
        }
        self._images = {one.name: one.image for one in saved.tables if one.name in same}
        self._numbers.keep(saved.counters)
        self._pending = set(same)
        self._take_back(is_exact=True)
        self._warn(f"rows of the {self.label} that an earlier run had left changed were put back")

    # ---- changes ----------------------------------------------------------------------------------------------------

    def note(self, text: str, params: Sequence[Json]) -> None:
        """Records which tables a command of the SUT may have changed; an empty text stands for an unknown command."""
        if self._touched is None:
            return
        self._pending |= self._touched.by(text)
        if is_defining(text):
            seen = self._definitions[text] = self._definitions.get(text, 0) + 1
            self._is_stale = self._is_stale or seen <= MAX_SAME_DEFINITION

    def note_everything(self) -> None:
        """Records that anything may have changed."""
        if self._touched is not None:
            self._pending |= self._touched.everything
            self._is_stale = True

    def _keep_used_numbers(self) -> bool:
        if self.catalogue is not None:
            self._numbers.keep_used(self.catalogue)
        return self.catalogue is not None

    @property
    def is_touched(self) -> bool:
        return bool(self._pending) or self._is_stale

    @property
    def has_drifted(self) -> bool:
        return self._numbers.has_drifted

    def _saved_rows(self, table: TableName) -> object | None:
        return self._images.get(table)

    def _may_have_changed(self, table: TableName) -> bool:
        return self._is_stale or table in self._pending

    def _rebaseline(self) -> None:
        tables = self._changed_tables()
        if tables and self.catalogue is not None:
            self._images |= read_images(self._run_query, self._dialect, tables)
            self._numbers.keep_of(self.catalogue, tables)
            self._pending.clear()

    def baseline(self) -> object:
        return Baseline(dict(self._images), self._columns, self._numbers.kept())

    @property
    def _columns(self) -> dict[TableName, tuple[Column, ...]]:
        return {table.name: stored_columns(table) for table in self._tables}

    def use_baseline(self, baseline: object) -> None:
        assert isinstance(baseline, Baseline)
        # A table that the SUT has made since then, or whose columns it has changed, stays as it is.
        columns, images = self._columns, dict[TableName, Image]()
        for name, image in baseline.images.items():
            if name in self._images and name in columns:
                then = rearranged(image, baseline.columns[name], columns[name])
                if then is not None:
                    images[name] = then
        self._pending |= {name for name, image in images.items() if self._images[name] is not image}
        self._images |= images
        self._numbers.keep(baseline.counters)

    def forget_rebaseline(self) -> None:
        changed = {
            name for name, image in self._base.items() if name in self._images and self._images[name] is not image
        }
        self._pending |= changed
        self._images |= {name: self._base[name] for name in changed}
        # A table that the SUT has made since `attach` keeps the rows of the last baseline, and so its counter.
        self._numbers.forget_later()

    # ---- restoring --------------------------------------------------------------------------------------------------

    def _put_back(self, *, is_exact: bool) -> None:
        if self._is_stale:
            self._read_catalogue_again()
        if self._pending or (is_exact and self._numbers.has_drifted):
            self._take_back(is_exact=is_exact)

    def _read_catalogue_again(self) -> None:
        before = self.catalogue
        assert before is not None
        after = self._dialect.read_catalogue(self._run_query, self.connected.id, self.connected.name)
        self._is_stale = False
        if after == before:
            return
        old = {table.name: table for table in before.database.tables}
        self.catalogue, self._touched = after, Touched(after)
        present = {table.name: table for table in self._tables}
        for name, table in present.items():
            if name not in self._images:
                self._images[name] = Image(())
                self._pending.add(name)
            elif stored_columns(old[name]) != stored_columns(table):
                self._keep_rows(name, stored_columns(old[name]), stored_columns(table))
        for name in self._images.keys() - present.keys():
            self._warn(f"the table {name} of the {self.label} was dropped by a call: its rows cannot be put back")
            del self._images[name]
        self._pending &= self._images.keys()

    def _keep_rows(self, name: TableName, before: tuple[Column, ...], after: tuple[Column, ...]) -> None:
        """Keeps the rows that a reset restores for a table with other columns than before, if they fit."""
        image = rearranged(self._images[name], before, after)
        base = rearranged(self._base[name], before, after) if name in self._base else None
        if base is not None:
            # The same object, by which `forget_rebaseline` knows that nothing has changed.
            image = base if self._images[name] is self._base[name] else image
            self._base[name] = base
        if image is None:
            self._warn(f"the columns of {name} in the {self.label} were changed by the SUT: its rows stay as they are")
            del self._images[name]
            return
        self._images[name] = image
        self._pending.add(name)

    def _take_back(self, *, is_exact: bool) -> None:
        """Restores the rows and sequences of all tables that may have changed. Raises: Refused."""
        assert self.catalogue is not None
        tables = self._changed_tables()
        dialect, triggers = self._dialect, self.catalogue.triggers
        counters = [] if dialect.reads_counters_first else self._numbers.of_tables(self.catalogue, tables)
        for _ in range(MAX_ROUNDS):
            differences = self._differences(tables)
            if not differences and not counters:
                break
            restore(
                self._run_query, dialect, self.catalogue, differences, [dialect.set_counter(one) for one in counters]
            )
            if dialect.stops_triggers or not any(one.table.name in triggers for one in differences):
                break
        if dialect.reads_counters_first:
            self._numbers.put_back(self.catalogue, self._tables, {table.name for table in tables}, is_exact=is_exact)
        self._pending.clear()

    def _changed_tables(self) -> list[Table]:
        """Returns the tables that are reset, and may have changed."""
        return [table for table in self._tables if table.name in self._pending and table.name in self._images]

    def _differences(self, tables: Sequence[Table]) -> list[Difference]:
        if not tables:
            return []
        current = read_images(self._run_query, self._dialect, tables)
        found = [difference(table, self._images[table.name], current[table.name]) for table in tables]
        return [one for one in found if one is not None]

    # ---- for the search ---------------------------------------------------------------------------------------------

    def insert(self, inserts: Sequence[InsertRows]) -> tuple[str, ...]:
        """Inserts rows, in one query if the database accepts several statements in one.

        Returns one error message for each of `inserts`, empty if it succeeded.
        """
        texts = [self._insert_text(wanted) for wanted in inserts]
        if not self.can_write or self.catalogue is None:
            return tuple(f"the {self.label} is not written to" for _ in inserts)
        for wanted, text in zip(inserts, texts, strict=True):
            if text is not None and self._touched is not None:
                self._pending |= self._touched.by(f"insert into {wanted.table.name}") | {wanted.table}
        tables = {wanted.table for wanted in inserts}
        counters = self._dialect.counters_past_rows(self.catalogue, [one for one in self._tables if one.name in tables])
        known = [text for text in texts if text is not None]
        if self._dialect.takes_batches and not self._run_query("; ".join([*known, *counters]), ()).error:
            errors = dict.fromkeys(known, "")
        else:
            errors = {text: self._run_query(text, ()).error for text in known}
            for counter in counters:
                self._run_query(counter, ())
        return tuple("no such table or column" if text is None else errors[text] for text in texts)

    def _insert_text(self, wanted: InsertRows) -> str | None:
        """Returns the INSERT for some rows; None if the table or one of the columns does not exist."""
        table = self.catalogue.database.table(wanted.table) if self.catalogue is not None else None
        if table is None:
            return None
        columns = [column for name in wanted.columns if (column := table.column(name)) is not None]
        if len(columns) < len(wanted.columns):
            return None
        dialect = self._dialect
        rows = ", ".join(
            f"({', '.join(dialect.literal(value, column) for value, column in zip(row, columns, strict=True))})"
            for row in wanted.rows
        )
        names = ", ".join(dialect.column(column.name) for column in columns)
        prefix = dialect.insert_prefix(table) if any(column.is_identity for column in columns) else ""
        return f"INSERT INTO {dialect.name(table)} ({names}){prefix} VALUES {rows}"
