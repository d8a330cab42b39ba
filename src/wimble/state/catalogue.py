"""The catalogue of a database: the schema that the search uses, and facts that only resetting needs."""

from __future__ import annotations

import msgspec

from wimble.model.database import Database, TableName


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    """A sequence, or another counter of the database."""

    name: str
    """Quoted, as it stands in a statement."""
    words: str
    """Its bare name, as it appears in the text of commands."""
    table: TableName | None = None
    """The table whose rows it numbers."""


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    database: Database
    bodies: dict[str, str] = {}
    """Name of a view or a function -> its text. A command that names it may do what the text does."""
    triggers: dict[TableName, str] = {}
    """The texts of the triggers on a table."""
    followers: dict[TableName, tuple[TableName, ...]] = {}
    """Tables whose rows change with those of the table: foreign keys that cascade or set."""
    sequences: tuple[Sequence, ...] = ()
    is_all_powerful: bool = False
    """Whether constraints and triggers can be deferred while rows are restored."""
    unreadable: tuple[TableName, ...] = ()
    """Tables without the right to read or to write them."""
