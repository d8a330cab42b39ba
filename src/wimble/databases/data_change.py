"""What a command does to the data of a database."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

ChangeKind: TypeAlias = Literal["insert", "update", "delete"]


class DataChange(NamedTuple):
    """Rows or documents that a command inserts, updates or deletes."""

    kind: ChangeKind
    """A command that replaces rows, or inserts those that it does not find, is an insert."""
    table: str = ""
    """The table or collection without its schema, as the command spells it; empty if the command was not understood."""
    columns: tuple[str, ...] = ()
    """The columns or members that an update sets, in order; empty if they are not known."""
