"""The base class of all database kinds: reset, rebaseline, and a warning if the database refuses a query."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from wimble.agent.mocks.connection_proxy import Connected
from wimble.model.database import Database, InsertRows, QueryResult, TableName
from wimble.state.proxied_database import ProcessEnded, Refused, RunQuery
from wimble.state.recovery_file import RecoveryFile
from wimble.types import Json


class Resettable(ABC):
    """A database that can be reset.

    `attach` must be called first. Only methods whose documentation says so raise Refused; the others turn a refusal
    into a warning.
    """

    contents: ClassVar[str]
    """The word for the content of the database in messages: `rows`, `documents` or `keys`."""

    def __init__(
        self, connected: Connected, run_query: RunQuery, journal: RecoveryFile | None, warn: Callable[[str], None]
    ) -> None:
        """journal: None for a database that is never written to, or that ends with the SUT's process."""
        self.connected = connected
        self.can_write = False
        self._run_query = run_query
        self._journal = journal
        self._warn = warn

    @property
    @abstractmethod
    def label(self) -> str:
        """The name of the database in messages."""

    @property
    @abstractmethod
    def is_touched(self) -> bool:
        """Whether anything may have changed since the last reset."""

    @property
    def has_drifted(self) -> bool:
        """Whether a reset that was not exact has left numbers for new rows as they were."""
        return False

    @property
    def left_alone(self) -> tuple[TableName, ...]:
        """Tables that are not reset."""
        return ()

    @property
    def is_file(self) -> bool:
        """Whether the database is one file, which can be copied whole."""
        return False

    @property
    def numbered(self) -> tuple[tuple[TableName, str], ...]:
        """(table, sequence) for each table whose rows a sequence numbers."""
        return ()

    @property
    @abstractmethod
    def schema(self) -> Database | None:
        """The schema; None if it could not be read."""

    @abstractmethod
    def attach(self, *, can_write: bool) -> None:
        """Reads the schema and, if rows may be written later, the content of the database."""

    @abstractmethod
    def note(self, text: str, params: Sequence[Json]) -> None:
        """Records what a command of the SUT may have changed; an empty text stands for an unknown command."""

    @abstractmethod
    def note_everything(self) -> None:
        """Records that anything may have changed."""

    def note_start(self) -> None:
        """Keeps the numbers for new rows that the SUT has used up while it started, and not put back.

        A start that inserts rows unless they are there (`ON CONFLICT DO NOTHING`) uses some up each time. Suites cannot
        put those back, since they first see the database after a start: so new rows get other numbers each time.
        """
        if not self.can_write:
            return
        try:
            self._keep_used_numbers()
        except Refused as error:
            if not self._has_ended(error):
                self._warn(f"numbers for new rows of the {self.label} cannot be read: {error}")

    def _keep_used_numbers(self) -> bool:
        """Implements `note_start`. Returns whether the database has such numbers. Raises: Refused."""
        return False

    @abstractmethod
    def insert(self, inserts: Sequence[InsertRows]) -> tuple[str, ...]:
        """Inserts rows. Returns one error message for each of `inserts`, empty if it succeeded."""

    def query(self, text: str, params: tuple[Json, ...]) -> QueryResult:
        """Runs a reading query on a connection of the SUT's driver."""
        return self._run_query(text, params)

    def contents_of(self, table: TableName) -> object | None:
        """Implements `model.database.Databases.contents_of`."""
        return self._saved_rows(table) if self.can_write and not self._may_have_changed(table) else None

    def _saved_rows(self, table: TableName) -> object | None:
        """Returns the content of the table after the last reset; None if it is not known."""
        return None

    def _may_have_changed(self, table: TableName) -> bool:
        """Returns whether a command since the last reset may have changed the table."""
        return True

    @abstractmethod
    def forget_rebaseline(self) -> None:
        """Makes the content at `attach` the baseline again, so that the next reset undoes what `rebaseline` kept."""

    @abstractmethod
    def baseline(self) -> object:
        """Returns the content that `reset` restores at present, for `use_baseline`."""

    @abstractmethod
    def use_baseline(self, baseline: object) -> None:
        """Has `reset` restore that content from now on. baseline: what `baseline` has returned on the same object."""

    @abstractmethod
    def _put_back(self, *, is_exact: bool) -> None:
        """Restores the baseline, as `reset` says. Raises: Refused."""

    @abstractmethod
    def _rebaseline(self) -> None:
        """Takes the present content as the baseline. Raises: Refused."""

    def rebaseline(self) -> None:
        """Keeps the changes since the last reset (a user has logged in, for example) until `forget_rebaseline`."""
        if not (self.can_write and self.is_touched):
            return
        try:
            self._rebaseline()
        except Refused as error:
            if not self._has_ended(error):
                self._warn(f"{self.contents} of the {self.label} cannot be read: {error}")

    def needs_reset(self, *, is_exact: bool = True) -> bool:
        """Whether `reset` would ask the database."""
        return self.is_touched or (is_exact and self.has_drifted)

    def reset(self, *, is_exact: bool = True) -> bool:
        """Restores the baseline. Returns False if that failed, so that changes may remain.

        is_exact: whether numbers for new rows are put back also where that is slow, and they are not far.
        """
        if not (self.can_write and self.needs_reset(is_exact=is_exact)):
            return True
        try:
            self._put_back(is_exact=is_exact)
            return True
        except Refused as error:
            if self._has_ended(error):
                return True
            if not isinstance(error, ProcessEnded):  # else the next start of the SUT puts them back
                self._warn(f"{self.contents} of the {self.label} could not be put back: {error}")
            return False

    def _has_ended(self, error: Refused) -> bool:
        """Whether the database was in the memory of a process that has ended: there is nothing to put back then."""
        return isinstance(error, ProcessEnded) and self.connected.is_in_process

    def close(self) -> bool:
        """Restores the content at `attach` and removes the recovery file. Returns False if that failed."""
        self.forget_rebaseline()
        if not self.reset():
            return False
        if self._journal is not None and self.can_write:
            self._journal.remove()
        return True
