"""The catalogue of a database: the schema, which the search also uses, and facts that only resetting needs."""

from __future__ import annotations

import msgspec

from wimble.model.database import Database, TableName


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    """A sequence, or another counter of the database."""

    name: str
    """The name as statements contain it, quoted if necessary."""
    words: str
    """The name without quotes and schema, as it appears in the text of commands."""
    table: TableName | None = None
    """The table whose rows the sequence numbers; None if there is none."""


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """The schema of a database, and what a command may change beyond the tables that it names."""

    database: Database
    bodies: dict[str, str] = {}
    """Name of a view or a function -> its text. A command that names the view or function may do what the text does."""
    triggers: dict[TableName, str] = {}
    """Table -> the texts of its triggers."""
    followers: dict[TableName, tuple[TableName, ...]] = {}
    """Table -> the tables whose rows a foreign key deletes or changes together with the table's rows."""
    sequences: tuple[Sequence, ...] = ()
    is_all_powerful: bool = False
    """Whether the SUT's user may disable foreign keys (and, in PostgreSQL, triggers) while rows are restored."""
    unreadable: tuple[TableName, ...] = ()
    """Tables that the SUT's user has no right to read or to write."""
