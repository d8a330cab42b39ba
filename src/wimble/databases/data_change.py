"""The change that a command makes to the data of a database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from wimble.types import Absent, Json

ChangeKind: TypeAlias = Literal["insert", "update", "delete"]


class DataChange(NamedTuple):
    """Rows or documents that a command inserts, updates or deletes."""

    kind: ChangeKind
    """A command that replaces rows, or inserts those that it does not find, is an insert."""
    table: str = ""
    """The table or collection without its schema, as the command spells it; empty if the command was not understood."""
    assigned: Mapping[str, Json | Absent] = {}
    """The columns or members that an update sets, in order, with their new values, or those of the first row of an
    INSERT that names its columns; empty if they are not known. A value that is computed, or that of a part of a member,
    is ABSENT."""

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.assigned)
