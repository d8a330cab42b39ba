"""The base of all database kinds: reset, rebaseline, end of the run, and warnings where the database refuses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

from wimble.agent.connection_proxy import Connected
from wimble.model.database import Database, InsertRows, QueryResult, TableName
from wimble.state.proxied_database import Refused, RunQuery
from wimble.state.recovery_file import RecoveryFile
from wimble.types import Json


class Resettable(ABC):
    """`attach` comes first. Only methods that say so raise Refused: otherwise a refusal becomes a warning, once."""

    contents: ClassVar[str]
    """What the database holds, in the plural: `rows`."""

    def __init__(
        self, connected: Connected, run_query: RunQuery, journal: RecoveryFile | None, warn: Callable[[str], None]
    ) -> None:
        """journal: None where there is nothing to lose, or nothing is written."""
        self.connected = connected
        self.can_write = False
        self._run_query = run_query
        self._journal = journal
        self._warn = warn

    @property
    @abstractmethod
    def label(self) -> str:
        """What users call it."""

    @property
    @abstractmethod
    def is_touched(self) -> bool:
        """Whether anything may have changed since the last reset."""

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
        """Tables whose rows the database numbers, with the sequences behind them."""
        return ()

    @property
    @abstractmethod
    def schema(self) -> Database | None:
        """None where it could not be read."""

    @abstractmethod
    def attach(self, *, can_write: bool) -> None:
        """Reads the schema and, where rows may be written later, what the database holds."""

    @abstractmethod
    def note(self, text: str, params: Sequence[Json]) -> None:
        """A command of the SUT has run; an empty text: one that is not known."""

    @abstractmethod
    def note_everything(self) -> None:
        """Anything may have changed."""

    @abstractmethod
    def insert(self, inserts: Sequence[InsertRows]) -> tuple[str, ...]:
        """Inserts rows. Returns one error for each, empty where it went well."""

    def query(self, text: str, params: tuple[Json, ...]) -> QueryResult:
        """Reads, on the SUT's own connection."""
        return self._run_query(text, params)

    def contents_of(self, table: TableName) -> object | None:
        """As of `model.database.Databases`."""
        return self._saved_rows(table) if self.can_write and not self._may_have_changed(table) else None

    def _saved_rows(self, table: TableName) -> object | None:
        """What the table held after the last reset; None where that is not known."""
        return None

    def _may_have_changed(self, table: TableName) -> bool:
        """Returns whether a command since the last reset may have changed the table."""
        return True

    @abstractmethod
    def forget_rebaseline(self) -> None:
        """Lets the next reset undo what `rebaseline` kept."""

    @abstractmethod
    def _put_back(self) -> None:
        """Raises: Refused."""

    @abstractmethod
    def _rebaseline(self) -> None:
        """Raises: Refused."""

    def rebaseline(self) -> None:
        """Keeps changes since the last reset until `forget_rebaseline`: a user has logged in, for example."""
        if not (self.can_write and self.is_touched):
            return
        try:
            self._rebaseline()
        except Refused as error:
            self._warn(f"{self.contents} of the {self.label} cannot be read: {error}")

    def reset(self) -> bool:
        """Restores the baseline. False where that failed, and changes may remain."""
        if not (self.can_write and self.is_touched):
            return True
        try:
            self._put_back()
            return True
        except Refused as error:
            self._warn(f"{self.contents} of the {self.label} could not be put back: {error}")
            return False

    def close(self) -> bool:
        """The last reset; removes the recovery file. False where rows could not be restored."""
        self.forget_rebaseline()
        if not self.reset():
            return False
        if self._journal is not None and self.can_write:
            self._journal.remove()
        return True
