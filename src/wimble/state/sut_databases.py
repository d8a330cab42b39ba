"""All databases of a started SUT.

They are attached when the SUT first connects to them, reset before each test, and restored at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import cast

from wimble.agent.mocks.connection_proxy import Connected, ConnectionProxy
from wimble.agent.protocol.database_messages import CommandMessage
from wimble.model.database import (
    Database,
    DatabaseCommand,
    DatabaseHome,
    Dialect,
    InsertRows,
    LearntRules,
    QueryResult,
    TableName,
    TableRules,
)
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import TestCase
from wimble.state.database_kinds import DATABASE_KINDS
from wimble.state.model_rules import with_rules
from wimble.state.proxied_database import RunQuery
from wimble.state.reachability import takes_connections
from wimble.state.recovery_file import RecoveryFile
from wimble.state.resettable import Resettable
from wimble.types import Json


class SutDatabases:
    """Implements `model.database.Databases`.

    The methods exchange messages with the SUT, so none may be called while an evaluation waits for the SUT.
    """

    def __init__(self, output_dir: Path, *, allow_remote: bool) -> None:
        self._output_dir = output_dir
        self._allow_remote = allow_remote
        self._proxy: ConnectionProxy | None = None
        self._all: dict[str, Resettable] = {}
        self._owed: tuple[InsertRows, ...] = ()
        """Rows for databases that the SUT has not connected to since its last start. They are inserted when it
        connects, while its first command waits."""
        self._unseen: set[str] = set()
        """Databases that the SUT has not connected to since its last start, and so has not changed since."""
        self._has_begun = False
        """Whether a test has begun: what the SUT connects to from then on may be named by an input."""
        self._served: set[str] = set()
        """Databases that have taken connections: only these can be away."""
        self._ignored: set[str] = set()
        """Names of no database: on other machines, first named in a test, and nothing takes connections there."""
        self._notes: dict[str, None] = {}
        self._schemas: tuple[Database, ...] = ()
        self._learnt: LearntRules | None = None
        self._schemas_of: tuple[tuple[Database, ...], tuple[TableRules, ...], int] = ((), (), 0)
        """The inputs that `_schemas` was computed from."""

    # ---- start, reset and end ---------------------------------------------------------------------------------------

    def started(self, proxy: ConnectionProxy) -> None:
        """Takes the connection proxy of a started SUT, and forgets in-process databases of an earlier start."""
        self._proxy, self._owed = proxy, ()
        self._all = {name: one for name, one in self._all.items() if not one.connected.is_in_process}
        self._unseen = set(self._all)

    @property
    def has_any(self) -> bool:
        """Whether the SUT has connected to a database, in this start or an earlier one."""
        return bool(self._all) or (self._proxy is not None and bool(self._proxy.connected))

    def attach(self) -> None:
        """Attaches new databases and undoes changes of an earlier start.

        Then inserts the rows that wait for a connection, and releases the commands that the SUT holds until then.
        """
        proxy = self._proxy
        if proxy is None:
            return
        for connected in list(proxy.connected.values()):
            known = self._all.get(connected.id)
            if known is not None and connected.id in self._unseen:
                self._unseen.discard(connected.id)
                if not known.needs_reset():  # no test has changed anything since it was put back
                    known.note_start()
                known.note_everything()
            if known is None and not self._is_ignored(connected):
                self._attach(proxy, connected)
            elif known is not None and proxy.has_held and known.is_touched:
                known.reset()
        if self._owed:
            self.insert(self._owed)
        proxy.release()

    def _is_ignored(self, connected: Connected) -> bool:
        if self._has_begun and not connected.is_local and connected.id not in self._ignored:
            is_there = takes_connections(connected.host, connected.port, if_unknown=False)
            self._ignored |= set() if is_there else {connected.id}
        return connected.id in self._ignored

    def _attach(self, proxy: ConnectionProxy, connected: Connected) -> None:
        can_write = connected.is_local or self._allow_remote
        keeps = can_write and not connected.is_in_process
        journal = RecoveryFile(self._output_dir, connected.id) if keeps else None
        kind = DATABASE_KINDS.get(connected.dialect)
        if kind is None:
            return
        database = kind(connected, _query_runner(proxy, connected.id), journal, self.note)
        self._all[connected.id] = database
        if not self._has_begun or takes_connections(connected.host, connected.port):
            self._served.add(connected.id)
        database.attach(can_write=can_write)
        if not can_write:
            self.note(
                f"the {database.label} is on {connected.host}, not on this machine: "
                "its rows are neither reset nor added to "
                "(--allow-remote-database allows it)"
            )

    def reset(self, *, is_exact: bool = True) -> bool:
        """Undoes the changes of the last test. Returns False if changes may remain.

        is_exact: as of `Resettable.reset`.
        """
        is_clean, self._owed, self._has_begun = True, (), True
        for database in self._all.values():
            if database.needs_reset(is_exact=is_exact) and self._is_reachable(database):
                is_clean = database.reset(is_exact=is_exact) and is_clean
        return is_clean

    def close(self) -> bool:
        """Restores the content from before the run.

        All of it is compared once more where that is possible: a statement that a killed SUT had sent may have run
        after the reset that followed. Returns False if the restoring failed; the recovery files then remain in the
        output folder.
        """
        done = [self._close(database) for database in self._all.values()]
        return all(done)

    def _close(self, database: Resettable) -> bool:
        if not self._is_reachable(database):
            return not database.is_touched and database.close()
        if database.can_write and not database.connected.is_in_process:
            database.note_everything()
        return database.close()

    def rebaseline(self) -> None:
        """Makes the changes since the last reset part of the state that tests start from."""
        for database in self._all.values():
            database.rebaseline()

    def rebaseline_memory(self) -> None:
        """Does the same as `rebaseline` for in-process databases alone, which no generated test can reset."""
        for database in self._all.values():
            if database.connected.is_in_process:
                database.rebaseline()

    @property
    def can_keep_changes(self) -> bool:
        """Whether a reset restores all content now, so that `use_baseline` leads from one content to another."""
        known = self._all.values()
        return bool(known) and all(
            one.can_write and not one.left_alone and not one.connected.is_in_process and self._is_reachable(one)
            for one in known
        )

    @property
    def is_touched(self) -> bool:
        """Whether anything may have changed since the last reset."""
        return any(one.is_touched for one in self._all.values())

    def baseline(self) -> dict[str, object]:
        """Returns the content that `reset` restores at present, by the id of the database."""
        return {name: one.baseline() for name, one in self._all.items()}

    def use_baseline(self, baseline: Mapping[str, object]) -> None:
        """Has `reset` restore that content from now on. A database that was attached later keeps its own."""
        for name, content in baseline.items():
            self._all[name].use_baseline(content)

    @property
    def is_out_of_reach(self) -> bool:
        """Whether a database has changes that cannot be undone now, since the SUT is not connected to it."""
        return any(one.is_touched and one.can_write and not self._is_reachable(one) for one in self._all.values())

    def _is_reachable(self, database: Resettable) -> bool:
        return self._proxy is not None and database.connected.id in self._proxy.connected

    # ---- commands of the SUT ----------------------------------------------------------------------------------------

    def hear(self, commands: Sequence[CommandMessage], n_dropped: int) -> tuple[DatabaseCommand, ...]:
        """Records which tables the commands may have changed. Returns the commands that belong to calls.

        n_dropped: the number of commands that were not reported.
        """
        for command in commands:
            database = self._all.get(command.database)
            if database is not None:
                database.note(command.text, command.params)
        if n_dropped:
            self.note_everything()
        return tuple([self._command(command) for command in commands if command.call is not None])

    def _command(self, message: CommandMessage) -> DatabaseCommand:
        database = self._all.get(message.database)
        return DatabaseCommand(
            database=message.database,
            dialect=cast("Dialect", database.connected.dialect) if database is not None else None,
            call=message.call or 0,
            site=message.site,
            caller=message.caller,
            text=message.text,
            params=tuple(message.params),
            returned=message.returned,
            affected=message.affected,
            error=message.error or "",
            in_transaction=message.in_transaction,
        )

    def note_everything(self) -> None:
        """Records that anything may have changed: the SUT was lost, or it ran more commands than it reported."""
        for database in self._all.values():
            database.note_everything()

    def note(self, text: str) -> None:
        """Adds a message for the user, which `take_notes` returns once."""
        self._notes[text] = None

    def take_notes(self) -> list[str]:
        """Returns the messages for the user since the last call."""
        notes, self._notes = list(self._notes), {}
        return notes

    # ---- for the search ---------------------------------------------------------------------------------------------

    @property
    def schemas(self) -> tuple[Database, ...]:
        plain = tuple(schema for one in self._all.values() if (schema := one.schema) is not None)
        models = self._proxy.models if self._proxy is not None else ()
        version = self._learnt.version if self._learnt is not None else 0
        if (plain, models, version) != self._schemas_of:
            self._schemas_of = plain, models, version
            self._schemas = tuple(with_rules(one, (*self._learnt_rules(one), *models)) for one in plain)
        return self._schemas

    def learn_from(self, learnt: LearntRules) -> None:
        self._learnt = learnt

    def _learnt_rules(self, database: Database) -> tuple[TableRules, ...]:
        return self._learnt.rules(database) if self._learnt is not None else ()

    @property
    def homes(self) -> tuple[DatabaseHome, ...]:
        return tuple(
            DatabaseHome(
                id=one.connected.id,
                driver=one.connected.driver,
                host=one.connected.host,
                port=one.connected.port,
                name=one.connected.name,
                is_file=one.is_file,
                numbered=one.numbered,
                is_reset=one.can_write,
                left_alone=one.left_alone,
                login=one.connected.login,
            )
            for one in self._all.values()
            if one.schema is not None and not one.connected.is_in_process
        )

    @property
    def are_away(self) -> bool:
        return any(home.id in self._served and not _is_served(home) for home in self.homes)

    def contents_of(self, database: str, table: TableName) -> object | None:
        known = self._all.get(database)
        return None if known is None else known.contents_of(table)

    def query(self, database: str, text: str, params: tuple[Json, ...] = ()) -> QueryResult:
        if self._proxy is None:
            return QueryResult(error="no SUT runs")
        known = self._all.get(database)
        return known.query(text, params) if known is not None else self._proxy.query(database, text, params)

    def apply_setup(self, test_case: TestCase, numbers: Sequence[int]) -> tuple[str, ...]:
        """Inserts the rows of these setup actions, in order. Returns one error message for each, empty if it succeeded.

        Inserts nothing if the SUT has not connected to any database yet, since it may never do so.
        """
        if not self.has_any:
            return ("",) * len(numbers)
        chosen = set(numbers)
        actions = (action for number, action in test_case.setup_of(DatabaseAction) if number in chosen)
        return self.insert(tuple(action.inserted(test_case) for action in actions))

    def insert(self, inserts: tuple[InsertRows, ...]) -> tuple[str, ...]:
        """Inserts rows in this order, also after an error.

        Returns one error message for each of `inserts`, empty if it succeeded or waits for a connection of the SUT.
        """
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


def _is_served(home: DatabaseHome) -> bool:
    return home.is_file or takes_connections(home.host, home.port)


def _query_runner(proxy: ConnectionProxy, database: str) -> RunQuery:
    return lambda text, params: proxy.query(database, text, params)
