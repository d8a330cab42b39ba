"""All databases of a started SUT: taken up when they are first seen, reset before each test, left as they were found."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias

from wimble.agent.lending import Connected, Lending
from wimble.agent.messages import CommandMessage
from wimble.model.database import Command, Database, DatabaseHome, InsertRows, QueryResult, TableName, TableRules
from wimble.state.dialects.base import Dialect
from wimble.state.dialects.mysql import Mysql
from wimble.state.dialects.postgres import Postgres
from wimble.state.dialects.sqlite import Sqlite
from wimble.state.journal import Journal
from wimble.state.lend import Lend
from wimble.state.models import with_rules
from wimble.state.mongo import MongoDatabase
from wimble.state.reach import takes_connections
from wimble.state.redis import RedisDatabase
from wimble.state.relational import RelationalDatabase
from wimble.types import Json

AnyDatabase: TypeAlias = RelationalDatabase | RedisDatabase | MongoDatabase

DIALECTS: Final[dict[str, Dialect]] = {"postgres": Postgres(), "mysql": Mysql(), "sqlite": Sqlite()}


class SutDatabases:
    """Implements `model.database.Databases`. Its methods talk to the SUT, so none may be called while an evaluation waits for them."""

    def __init__(self, output_dir: Path, *, allow_remote: bool) -> None:
        self._output_dir = output_dir
        self._allow_remote = allow_remote
        self._lending: Lending | None = None
        self._all: dict[str, AnyDatabase] = {}
        self._owed: tuple[InsertRows, ...] = ()
        """Rows for databases that the SUT has not connected to since its last start: put in while its first command is held."""
        self._unseen: set[str] = set()
        """Those that the SUT has not connected to since its last start: it has changed nothing there."""
        self._notes: dict[str, None] = {}
        self._schemas: tuple[Database, ...] = ()
        self._schemas_of: tuple[tuple[Database, ...], tuple[TableRules, ...]] = ((), ())
        """What `_schemas` was made of."""

    # ---- life -------------------------------------------------------------------------------------------------------

    def started(self, lending: Lending) -> None:
        """The SUT runs, perhaps again: what its start has done to a database that it connects to is not known, and memory is new."""
        self._lending, self._owed = lending, ()
        self._all = {name: one for name, one in self._all.items() if not one.connected.is_in_process}
        self._unseen = set(self._all)

    @property
    def has_any(self) -> bool:
        return bool(self._all) or (self._lending is not None and bool(self._lending.connected))

    def take_up(self) -> None:
        """Reads what is new, puts back what an earlier start has left, and lets commands go on that were held for this."""
        lending = self._lending
        if lending is None:
            return
        for connected in list(lending.connected.values()):
            known = self._all.get(connected.id)
            if known is not None and connected.id in self._unseen:
                self._unseen.discard(connected.id)
                known.note_everything()
            if known is None:
                self._take_up(lending, connected)
            elif lending.has_held and known.is_touched:
                known.reset()
        if self._owed:
            self.insert(self._owed)
        lending.release()

    def _take_up(self, lending: Lending, connected: Connected) -> None:
        can_write = connected.is_local or self._allow_remote
        keeps = can_write and not connected.is_in_process
        journal = Journal(self._output_dir, connected.id) if keeps else None
        lend = _lend_of(lending, connected.id)
        dialect = DIALECTS.get(connected.dialect)
        database: AnyDatabase
        if dialect is not None:
            database = RelationalDatabase(connected, lend, dialect, journal, self.note)
        elif connected.dialect == "redis":
            database = RedisDatabase(connected, lend, journal, self.note)
        elif connected.dialect == "mongo":
            database = MongoDatabase(connected, lend, journal, self.note)
        else:
            return
        self._all[connected.id] = database
        database.take_up(can_write=can_write)
        if not can_write:
            self.note(
                f"the {database.label} is on {connected.host}, not on this machine: its rows are neither reset nor added to "
                "(--allow-remote-database allows it)"
            )

    def reset(self) -> bool:
        """Before a test: takes back what the last one has changed. False where something may be changed still."""
        is_clean, self._owed = True, ()
        for database in self._all.values():
            if database.is_touched and self._is_reachable(database):
                is_clean = database.reset() and is_clean
        return is_clean

    def close(self) -> bool:
        """At the end of the run. False where rows could not be put back; they are in the output folder then."""
        done = [
            database.close() if self._is_reachable(database) or not database.is_touched else False
            for database in self._all.values()
        ]
        return all(done)

    def adopt(self) -> None:
        """What has been changed since the last reset belongs to what tests find, until the SUT starts again."""
        for database in self._all.values():
            database.adopt()

    def adopt_memory(self) -> None:
        """The same for databases in the SUT's own memory alone: no generated test can reset those."""
        for database in self._all.values():
            if database.connected.is_in_process:
                database.adopt()

    @property
    def is_out_of_reach(self) -> bool:
        """Whether a database has changes that no process of the SUT can take back now."""
        return any(one.is_touched and one.can_write and not self._is_reachable(one) for one in self._all.values())

    def _is_reachable(self, database: AnyDatabase) -> bool:
        return self._lending is not None and database.connected.id in self._lending.connected

    # ---- what the SUT does ------------------------------------------------------------------------------------------

    def hear(self, commands: Sequence[CommandMessage], n_dropped: int) -> tuple[Command, ...]:
        """Notes what was touched; answers the commands of the evaluation's own calls."""
        for command in commands:
            database = self._all.get(command.database)
            if database is not None:
                database.note(command.text, command.params)
        if n_dropped:
            self.note_everything()
        return tuple([_command(command) for command in commands if command.call is not None])

    def note_everything(self) -> None:
        """The SUT was lost, or said too much: anything may have changed."""
        for database in self._all.values():
            database.note_everything()

    def note(self, text: str) -> None:
        """A word for the user; each is told once."""
        self._notes[text] = None

    def take_notes(self) -> list[str]:
        notes, self._notes = list(self._notes), {}
        return notes

    # ---- for the search ---------------------------------------------------------------------------------------------

    @property
    def schemas(self) -> tuple[Database, ...]:
        plain = tuple(schema for one in self._all.values() if (schema := _schema_of(one)) is not None)
        models = self._lending.models if self._lending is not None else ()
        if (plain, models) != self._schemas_of:
            self._schemas_of = plain, models
            self._schemas = tuple(with_rules(database, models) for database in plain)
        return self._schemas

    @property
    def homes(self) -> tuple[DatabaseHome, ...]:
        return tuple(
            DatabaseHome(
                id=one.connected.id,
                driver=one.connected.driver,
                host=one.connected.host,
                port=one.connected.port,
                name=one.connected.name,
                is_file=one.connected.dialect == "sqlite",
                numbered=_numbered(one),
                is_reset=one.can_write,
                left_alone=one.left_alone,
                login=one.connected.login,
            )
            for one in self._all.values()
            if _schema_of(one) is not None and not one.connected.is_in_process
        )

    @property
    def are_away(self) -> bool:
        return any(not takes_connections(home.host, home.port) for home in self.homes if not home.is_file)

    def contents_of(self, database: str, table: TableName) -> object | None:
        known = self._all.get(database)
        return None if known is None else known.contents_of(table)

    def query(self, database: str, text: str, params: tuple[Json, ...] = ()) -> QueryResult:
        if self._lending is None:
            return QueryResult(error="no SUT runs")
        known = self._all.get(database)
        if isinstance(known, RedisDatabase):
            return known.query(text)
        return self._lending.query(database, text, params)

    def insert(self, inserts: tuple[InsertRows, ...]) -> tuple[str, ...]:
        errors: list[str] = []
        self._owed = ()
        for name, group in groupby(inserts, key=lambda one: one.database):
            database, wanted = self._all.get(name), list(group)
            if database is None:
                errors += ["no such database"] * len(wanted)
            elif self._is_reachable(database):
                errors += database.insert(wanted)
            else:
                self._owed += tuple(wanted)
                errors += [""] * len(wanted)
        return tuple(errors)


def _schema_of(database: AnyDatabase) -> Database | None:
    if isinstance(database, RelationalDatabase):
        return database.catalogue.database if database.catalogue is not None else None
    return database.schema


def _numbered(database: AnyDatabase) -> tuple[tuple[TableName, str], ...]:
    """Tables whose rows the database numbers, and the sequences."""
    if not isinstance(database, RelationalDatabase) or database.catalogue is None:
        return ()
    return tuple((one.table, one.name) for one in database.catalogue.sequences if one.table is not None)


def _lend_of(lending: Lending, database: str) -> Lend:
    return lambda text, params: lending.query(database, text, params)


def _command(message: CommandMessage) -> Command:
    return Command(
        database=message.database,
        call=message.call or 0,
        site=message.site,
        text=message.text,
        params=tuple(message.params),
        returned=message.returned,
        affected=message.affected,
        error=message.error or "",
        in_transaction=message.in_transaction,
    )
