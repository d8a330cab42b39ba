"""Databases as the core knows them: their schema, the commands that calls ran on them, the rows that a test case
inserts. Plain data.

Collections of documents count as tables, documents as rows, and fields as columns, named by their dotted path where
they are nested.

Names are written as the database stores them, without quotes. Values of rows and parameters are as in hints
(protocol/README.md, "Values in hints"): JSON scalars, `{"$date": ms}`, `{"$bigint": "1"}`, `{"$number": "NaN"}`; bytes
are `{"$bytes": base64}`, and what the database holds as JSON or as an array is JSON.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, Protocol, TypeAlias

import msgspec

from wimble.model.interaction import Interaction
from wimble.types import Json

Dialect = Literal["postgres", "mysql", "sqlite", "mongo", "redis"]
"""For `redis`, keys are read as rows of tables (databases/redis/key_tables.py)."""

ColumnType = Literal[
    "integer", "decimal", "float", "boolean", "text", "uuid", "date", "time", "timestamp", "interval", "json", "bytes",
    "enum", "array", "objectid", "other",
]  # fmt: skip
"""The type of a column, whatever the database calls it; `other`: no values are generated for it."""

Row: TypeAlias = tuple[Json, ...]


class TableName(msgspec.Struct, frozen=True, order=True):
    """The name of a table; `schema` is empty where the bare name finds it."""

    name: str
    schema: str = ""

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name


class ColumnRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rules of the SUT's own models for a column, beyond those of its database: the API never makes a row that
    breaks them."""

    type: ColumnType | None = None
    """For fields of documents, which have no type in the database."""
    not_null: bool = False
    values: tuple[Json, ...] = ()
    """The only ones; empty: any."""
    low: float | None = None
    high: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    """In characters."""
    pattern: str | None = None
    """ECMAScript source, matched anywhere; without its flags, which allow more."""
    format: str | None = None
    """As in JSON Schema."""
    is_json: bool = False
    """A text that holds JSON."""


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of one model. Names as the database has them; an empty schema: not known."""

    table: str
    schema: str = ""
    columns: dict[str, ColumnRules] = {}


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One column of a table."""

    name: str
    type_name: str
    """As the database writes it: `character varying(20)`, `INTEGER`, `decimal(10,2) unsigned`."""
    type: ColumnType
    length: int | None = None
    """Most characters (of `text`) or bytes (of `bytes`)."""
    precision: int | None = None
    """Of `decimal`: digits in all; of `time` and `timestamp`: digits of the fraction of a second."""
    scale: int | None = None
    """Of `decimal`: digits after the point."""
    bits: int | None = None
    """Of `integer`: 8, 16, 24, 32 or 64."""
    is_unsigned: bool = False
    has_time_zone: bool = False
    is_nullable: bool = True
    default: str | None = None
    """The expression, as the database writes it; None where there is none."""
    is_generated: bool = False
    """Computed from other columns: it cannot be written."""
    is_identity: bool = False
    """The database numbers new rows by itself: serial, identity, AUTO_INCREMENT, SQLite's INTEGER PRIMARY KEY."""
    sequence: str = ""
    """The sequence behind it, where it has a name."""
    enum_values: tuple[str, ...] = ()
    element: ColumnType | None = None
    """Of `array`."""
    rules: ColumnRules | None = None
    """None: no model is known."""


class UniqueKey(msgspec.Struct, frozen=True):
    """No two rows agree in all of these columns. Also stands for unique indexes, except those on expressions or on some
    rows only."""

    columns: tuple[str, ...]


class ForeignKey(msgspec.Struct, frozen=True):
    """The values of `columns` must be those of `target_columns` in a row of `target`."""

    columns: tuple[str, ...]
    target: TableName
    target_columns: tuple[str, ...]
    follows_deletes: bool = False
    """Whether rows that reference a deleted row are deleted or set to NULL; otherwise the deletion is refused."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table, or a view."""

    name: TableName
    columns: tuple[Column, ...]
    """In the table's order."""
    primary_key: tuple[str, ...] = ()
    unique: tuple[UniqueKey, ...] = ()
    """Without the primary key."""
    foreign_keys: tuple[ForeignKey, ...] = ()
    checks: tuple[str, ...] = ()
    """The expressions of its check constraints, in the database's dialect. Those of its columns' domains have the
    column's name for VALUE."""
    is_view: bool = False
    """Its rows are read, and never inserted."""

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """Columns that tell rows apart: those of the primary key, where there is one, then those of each unique key."""
        return tuple(key for key in (self.primary_key, *(one.columns for one in self.unique)) if key)

    def column(self, name: str) -> Column | None:
        return next((column for column in self.columns if column.name == name), None)


def table_key(name: str, schema: str = "") -> str:
    return f"{schema}.{name}".lower() if schema else name.lower()


class Database(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One database of the SUT, as it was after the SUT's start."""

    id: str
    """Unique among the databases of a run and the same in every run; commands and rows name it."""
    dialect: Dialect
    tables: tuple[Table, ...] = ()
    name: str = ""
    """What users call it."""

    def table(self, name: TableName) -> Table | None:
        return next((table for table in self.tables if table.name == name), None)

    def table_called(self, name: str, schema: str = "") -> Table | None:
        """Finds a table by names in any case; a named schema may be the one where bare names are looked up."""
        return self._by_key.get(table_key(name, schema)) or self._by_key.get(table_key(name))

    @cached_property
    def _by_key(self) -> dict[str, Table]:
        return {table_key(table.name.name, table.name.schema): table for table in self.tables}


class DatabaseCommand(Interaction, frozen=True, kw_only=True):
    """One command that a call ran on a database, as the driver sent it."""

    database: str
    """`Database.id`."""
    text: str
    params: tuple[Json, ...] = ()
    """In order; named parameters are members of a single object."""
    returned: int | None = None
    """Rows returned; None where the command cannot return any, or failed."""
    affected: int | None = None
    """Rows inserted, changed or deleted; None where the command cannot, or failed."""
    error: str = ""
    in_transaction: bool = False


class QueryResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a query over the SUT's own connection."""

    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    affected: int | None = None
    error: str = ""
    """The database's message; empty where the query went well."""


class InsertRows(msgspec.Struct, frozen=True):
    """Rows for one table, to be there before the first call. Columns that are not named get their defaults."""

    database: str
    table: TableName
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """The environment variables from which the SUT may have its login to a database; each empty where none is known."""

    user: str = ""
    user_variable: str = ""
    password_variable: str = ""
    url_variable: str = ""
    """Holds a URL of the database."""
    server_variable: str = ""
    """Holds a URL with the same login to another database on the server."""


class DatabaseHome(msgspec.Struct, frozen=True, kw_only=True):
    """Where a database of the SUT is, for tests that connect to it themselves. Without a password."""

    id: str
    driver: str
    """The package by which the SUT reaches it."""
    host: str
    port: int
    name: str
    is_file: bool = False
    """Then `name` is its path."""
    numbered: tuple[tuple[TableName, str], ...] = ()
    """Tables and the sequences that number their rows, quoted."""
    is_reset: bool = True
    """False: its content is not changed (it may be somebody's, or is too much)."""
    left_alone: tuple[TableName, ...] = ()
    """Tables whose content is not changed."""
    login: Login = Login()


class Databases(Protocol):
    """The databases of a running SUT, reached over its own connections."""

    @property
    def homes(self) -> tuple[DatabaseHome, ...]:
        """Of all databases in `schemas` that are not in the SUT's own memory."""
        ...

    @property
    def are_away(self) -> bool:
        """Whether a server of one of them takes no connections now."""
        ...

    @property
    def schemas(self) -> tuple[Database, ...]:
        """All databases that the SUT has connected to so far; a change of one makes a new tuple."""
        ...

    def contents_of(self, database: str, table: TableName) -> object | None:
        """A token for the rows of a table, or the documents of a collection, while they are those of the last reset:
        the same object stands for the same rows. None where they may differ, or that is not known."""
        ...

    def query(self, database: str, text: str, params: tuple[Json, ...] = ()) -> QueryResult:
        """Reads. `text` has the driver's own placeholders. Never raises for a query that the database refuses."""
        ...
