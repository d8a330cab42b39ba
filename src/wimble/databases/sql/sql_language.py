"""SQL as a database language, with the dialects PostgreSQL, MySQL and SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from wimble.databases.conditions.stored_values import Cells, from_json
from wimble.databases.conditions.truth import Truth
from wimble.databases.data_change import DataChange
from wimble.databases.database_language import Conflict, LimitedValue, RowReader, Rows
from wimble.databases.injections.injected_input import InjectedInput, SentInputs
from wimble.databases.injections.probes import Position
from wimble.databases.rows.new_rows import NewRow
from wimble.databases.sql.command_shapes import shape_of
from wimble.databases.sql.ordering import is_order_open
from wimble.databases.sql.refused_lookups import limited_operands_of
from wimble.databases.sql.refused_writes import conflicts_of, limited_values_of, without_key
from wimble.databases.sql.relevant_rows import cells_of, rows_query, tables_called
from wimble.databases.sql.sql_changes import change_in_sql
from wimble.databases.sql.sql_injection import SQL_RULE, input_in_sql, refused_inputs_in_sql, table_named_in
from wimble.databases.sql.sql_positions import positions_in_sql
from wimble.databases.sql.sql_statements import Statement, statement
from wimble.model.database import Database, DatabaseCommand, Dialect, Table, table_key


class SqlQuery(msgspec.Struct, frozen=True, eq=False):
    """A SELECT, UPDATE or DELETE."""

    command: DatabaseCommand
    database: Database
    statement: Statement

    @property
    def is_read(self) -> bool:
        return self.statement.is_read

    @property
    def is_count(self) -> bool:
        return self.statement.is_count

    @property
    def shape(self) -> str:
        return shape_of(self.command.text)

    @property
    def reading(self) -> str:
        return " ".join([self.statement.tree.key, *(name for name, _ in self.statement.tables)])

    @property
    def rows_can_be_replaced(self) -> bool:
        return True

    def readers(self) -> tuple[RowReader, ...] | None:
        tables = tables_called(self.statement.tables, self.database)
        return None if tables is None else tuple(table_reader(table, self.database.dialect) for table in tables)

    def rows_before(self, rows: Rows) -> Rows:
        return rows

    def truth(self, rows: Rows) -> Truth | None:
        return self.statement.truth(rows, tuple(from_json(value) for value in self.command.params))


class SqlLanguage:
    """A dialect of SQL."""

    has_references = True
    has_open_tables = False
    injection_rule = SQL_RULE

    def __init__(self, dialect: Dialect, *, keeps_order: bool) -> None:
        """Creates the language of a dialect.

        keeps_order: whether a query without ORDER BY returns rows in the same order after a reset. Databases that store
        rows by their keys do; PostgreSQL returns rows in their physical order, which a reset changes.
        """
        self._dialect = dialect
        self._keeps_order = keeps_order

    def query(self, command: DatabaseCommand, database: Database) -> SqlQuery | None:
        compiled = statement(command.text, self._dialect)
        return None if compiled is None else SqlQuery(command, database, compiled)

    def change(self, command: DatabaseCommand) -> DataChange | None:
        return change_in_sql(command.text, self._dialect, command.params)

    def conflicts(self, command: DatabaseCommand, database: Database) -> list[Conflict]:
        return conflicts_of(command, database)

    def limited_values(self, command: DatabaseCommand, database: Database) -> list[LimitedValue]:
        written = limited_values_of(command, database) if command.affected or command.returned else []
        return [*written, *limited_operands_of(command, database)]

    def reader_of(self, table: Table) -> RowReader | None:
        return None if table.is_view else table_reader(table, self._dialect)

    def copy_of(self, table: Table, cells: Cells, is_fixed: Callable[[str], bool]) -> NewRow | None:
        return None

    def conflict_readers(self, conflict: Conflict, database: Database) -> tuple[RowReader, ...]:
        compiled = statement(conflict.text, self._dialect)
        tables = (tables_called(compiled.tables, database) if compiled is not None else None) or ()
        targets = (key.target for table in tables for key in table.foreign_keys)
        parents = (database.table_called(target.name, target.schema) for target in targets)
        known = dict.fromkeys([*tables, *(parent for parent in parents if parent is not None)])
        return tuple(table_reader(table, self._dialect) for table in known)

    def rows_before_conflict(self, conflict: Conflict, rows: Sequence[Cells]) -> list[Cells]:
        return without_key(conflict, rows)

    def positions(self, command: DatabaseCommand, value: str) -> list[Position]:
        return positions_in_sql(command, value, self._dialect)

    def injected_input(self, commands: Sequence[DatabaseCommand], inputs: SentInputs) -> InjectedInput | None:
        return input_in_sql(commands, inputs, self._dialect)

    def refused_inputs(self, commands: Sequence[DatabaseCommand], inputs: SentInputs) -> Iterable[InjectedInput]:
        return refused_inputs_in_sql(commands, inputs, self._dialect)

    def command_text(self, command: DatabaseCommand) -> str:
        return command.text

    def source_of(self, command: DatabaseCommand) -> str:
        return table_named_in(command.text)

    def is_order_open(self, command: DatabaseCommand) -> bool:
        if self._keeps_order or not command.returned:
            return False
        return is_order_open(command.text, command.returned)


def table_reader(table: Table, dialect: Dialect) -> RowReader:
    """Returns the reader of one table's rows."""
    key = table_key(table.name.name, table.name.schema)
    return RowReader(key, table.name, rows_query(table, dialect), lambda result: cells_of(table, result))
