"""What all kinds of database share: how a reset, an adoption and the end of a run go, and what is told where the database refuses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from wimble.agent.lending import Connected
from wimble.model.database import TableName
from wimble.state.journal import Journal
from wimble.state.lend import Lend, Refused


class Resettable(ABC):
    """`take_up` first. Nothing here raises Refused but what says so: a database that does not obey is told by `warn`, once."""

    contents: ClassVar[str]
    """What it holds, in the plural."""

    def __init__(self, connected: Connected, lend: Lend, journal: Journal | None, warn: Callable[[str], None]) -> None:
        """journal: None where there is nothing to lose, or nothing is written."""
        self.connected = connected
        self.can_write = False
        self._lend = lend
        self._journal = journal
        self._warn = warn

    @property
    @abstractmethod
    def label(self) -> str:
        """What a user calls it."""

    @property
    @abstractmethod
    def is_touched(self) -> bool:
        """Whether anything may have changed since the last reset."""

    @property
    def left_alone(self) -> tuple[TableName, ...]:
        """Tables that are not reset."""
        return ()

    def contents_of(self, table: TableName) -> object | None:
        """As of `model.database.Databases`."""
        return None

    @abstractmethod
    def forget_adopted(self) -> None:
        """What was adopted is to be taken back, too."""

    @abstractmethod
    def _put_back(self) -> None:
        """Raises: Refused."""

    @abstractmethod
    def _adopt(self) -> None:
        """Raises: Refused."""

    def adopt(self) -> None:
        """What has changed since the last reset stays until `forget_adopted`: a user has logged in, say."""
        if not (self.can_write and self.is_touched):
            return
        try:
            self._adopt()
        except Refused as error:
            self._warn(f"{self.contents} of the {self.label} cannot be read: {error}")

    def reset(self) -> bool:
        """False where that did not work, and something may be changed still."""
        if not (self.can_write and self.is_touched):
            return True
        try:
            self._put_back()
            return True
        except Refused as error:
            self._warn(f"{self.contents} of the {self.label} could not be put back: {error}")
            return False

    def close(self) -> bool:
        """The last reset; then what was saved is not needed any more. False where it is."""
        self.forget_adopted()
        if not self.reset():
            return False
        if self._journal is not None and self.can_write:
            self._journal.remove()
        return True
