"""What the catalogue of a database tells: the schema that the search knows, and what only resetting needs."""

from __future__ import annotations

import msgspec

from wimble.model.database import Database, TableName


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    """A counter of the database."""

    name: str
    """Ready to stand in a statement."""
    words: str
    """Its bare name, as texts of commands have it."""
    table: TableName | None = None
    """The table whose rows it numbers."""


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    database: Database
    bodies: dict[str, str] = {}
    """Name of a view or a function -> its text: who names it does what it does."""
    triggers: dict[TableName, str] = {}
    """Texts of what runs when rows of a table change."""
    followers: dict[TableName, tuple[TableName, ...]] = {}
    """Tables whose rows change with those of the table: foreign keys that cascade or set."""
    sequences: tuple[Sequence, ...] = ()
    is_all_powerful: bool = False
    """Whether constraints and triggers can be put off while rows are restored."""
    unreadable: tuple[TableName, ...] = ()
    """Tables without the right to read or to write them."""
