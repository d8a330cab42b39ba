"""Databases as the core knows them: their schema, the commands that calls ran on them, the rows a test case brings. Plain data.

Collections of documents count as tables, documents as rows, and fields as columns, named by their dotted path where they are nested.

Names are written as the database stores them, without quotes. Values of rows and parameters are as in hints (protocol/README.md,
"Values in hints"): JSON scalars, `{"$date": ms}`, `{"$bigint": "1"}`, `{"$number": "NaN"}`; bytes are `{"$bytes": base64}`,
and what the database holds as JSON or as an array is JSON.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, Protocol, TypeAlias

import msgspec

from wimble.types import Json

Dialect = Literal["postgres", "mysql", "sqlite", "mongo", "redis"]
"""`redis`: its keys are told as rows of tables (sql/keys.py)."""

ColumnType = Literal[
    "integer", "decimal", "float", "boolean", "text", "uuid", "date", "time", "timestamp", "interval", "json", "bytes",
    "enum", "array", "objectid", "other",
]  # fmt: skip
"""What the database's type comes to; `other`: a type that nobody generates values for."""

Row: TypeAlias = tuple[Json, ...]


class TableName(msgspec.Struct, frozen=True, order=True):
    """A table; `schema` is empty where a bare name finds it."""

    name: str
    schema: str = ""

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name


class ColumnRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the SUT's own models demand of a column, beyond its database: a row without it is one that the API never made."""

    type: ColumnType | None = None
    """Of fields of documents, of which the database tells none."""
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
    """Of one model. Names as the database has them; an empty schema: not told."""

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
    """No two rows agree in all of these columns. Also stands for unique indexes; those on expressions or on some rows only
    are left out."""

    columns: tuple[str, ...]


class ForeignKey(msgspec.Struct, frozen=True):
    """The values of `columns` must be those of `target_columns` in a row of `target`."""

    columns: tuple[str, ...]
    target: TableName
    target_columns: tuple[str, ...]
    follows_deletes: bool = False
    """What points to a row that is deleted goes with it, or points nowhere then; else the deletion is refused."""


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
    """The expressions of its check constraints, and of its columns' domains with the column's name for VALUE, in the database's dialect."""
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
    """What a user calls it."""

    def table(self, name: TableName) -> Table | None:
        return next((table for table in self.tables if table.name == name), None)

    def table_called(self, name: str, schema: str = "") -> Table | None:
        """By names in any case; a schema that is named may be the one where bare names are looked up."""
        return self._by_key.get(table_key(name, schema)) or self._by_key.get(table_key(name))

    @cached_property
    def _by_key(self) -> dict[str, Table]:
        return {table_key(table.name.name, table.name.schema): table for table in self.tables}


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One command that a call ran, as the driver sent it."""

    database: str
    """`Database.id`."""
    call: int
    """Index of the call that caused it."""
    site: str
    """Where the SUT ran it: `file:line:column` with an absolute path; empty where that could not be told."""
    text: str
    params: tuple[Json, ...] = ()
    """In order; what a driver takes by name stands in a single object."""
    returned: int | None = None
    """Rows returned; None where the command cannot return any, or failed."""
    affected: int | None = None
    """Rows inserted, changed or deleted; None where the command cannot, or failed."""
    error: str = ""
    in_transaction: bool = False


class QueryResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a query over the SUT's own connection."""

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
    """From which environment variables the SUT may have what it logs in to a database with; each empty where none is known."""

    user: str = ""
    user_variable: str = ""
    password_variable: str = ""
    url_variable: str = ""
    """Of a URL that leads to the database."""
    server_variable: str = ""
    """Of a URL with the same login that leads to another database on its server."""


class DatabaseHome(msgspec.Struct, frozen=True, kw_only=True):
    """Where a database of the SUT is, for tests that look for it by themselves. Without a password."""

    id: str
    driver: str
    """The package by which the SUT reaches it."""
    host: str
    port: int
    name: str
    is_file: bool = False
    """Then `name` is its path."""
    numbered: tuple[tuple[TableName, str], ...] = ()
    """Tables and the sequences that number their rows, ready to stand in a statement."""
    is_reset: bool = True
    """False: what it holds is left as it is (it may be somebody's, or is too much)."""
    left_alone: tuple[TableName, ...] = ()
    """Tables of which that is so."""
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
        """Of all databases that the SUT has connected to so far; a change of it makes another tuple."""
        ...

    def contents_of(self, database: str, table: TableName) -> object | None:
        """What stands for the rows of a table, or documents of a collection, while they are as they were last put back: the same object, the
        same rows. None where others may be there now, or nobody knows."""
        ...

    def query(self, database: str, text: str, params: tuple[Json, ...] = ()) -> QueryResult:
        """Reads. `text` has the driver's own placeholders. Never raises for what the database refuses."""
        ...

    def insert(self, inserts: tuple[InsertRows, ...]) -> tuple[str, ...]:
        """Inserts in this order. Answers one error for each, empty where it went well; the others are done all the same."""
        ...
