"""Redis' commands as a database language: a command that looks up a key is a query on the tables of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.data_change import DataChange
from wimble.databases.database_language import Conflict, LimitedValue, RowReader, Rows
from wimble.databases.injections.injected_input import InjectedInput, NamedCommands, SentInputs
from wimble.databases.injections.probes import Position
from wimble.databases.redis.key_injection import KEY_RULE, input_in_keys
from wimble.databases.redis.key_positions import positions_in_keys
from wimble.databases.redis.key_tables import as_missed, as_query
from wimble.databases.rows.new_rows import NewRow
from wimble.databases.sql.sql_language import SqlQuery
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import Database, DatabaseCommand, Dialect, Table

DIALECT: Final[Dialect] = "redis"


class KeyQuery(SqlQuery, frozen=True, eq=False):
    """A command that looks up a key, with the equivalent query."""

    @property
    def rows_can_be_replaced(self) -> bool:
        return False

    def rows_before(self, rows: Rows) -> Rows:
        return as_missed(rows, self.command)


class RedisLanguage(NamedCommands):
    """Redis' commands."""

    has_references = False
    has_open_tables = False
    injection_rule = KEY_RULE

    def query(self, command: DatabaseCommand, database: Database) -> KeyQuery | None:
        asked = as_query(command)
        compiled = statement(asked.text, DIALECT) if asked is not None else None
        return None if asked is None or compiled is None else KeyQuery(asked, database, compiled)

    def change(self, command: DatabaseCommand) -> DataChange | None:
        """Returns None: keys are no rows."""
        return None

    def conflicts(self, command: DatabaseCommand, database: Database) -> list[Conflict]:
        """Returns an empty list: Redis has no constraints."""
        return []

    def limited_values(self, command: DatabaseCommand, database: Database) -> list[LimitedValue]:
        return []

    def reader_of(self, table: Table) -> RowReader | None:
        return None

    def copy_of(self, table: Table, cells: Cells, is_fixed: Callable[[str], bool]) -> NewRow | None:
        return None

    def conflict_readers(self, conflict: Conflict, database: Database) -> tuple[RowReader, ...]:
        return ()

    def rows_before_conflict(self, conflict: Conflict, rows: Sequence[Cells]) -> list[Cells]:
        return list(rows)

    def positions(self, command: DatabaseCommand, value: str) -> list[Position]:
        return positions_in_keys(command, value)

    def injected_input(self, commands: Sequence[DatabaseCommand], inputs: SentInputs) -> InjectedInput | None:
        return input_in_keys(commands, inputs)

    def is_order_open(self, command: DatabaseCommand) -> bool:
        return False
