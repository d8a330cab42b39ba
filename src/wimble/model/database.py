"""Plain data about databases: their schemas, the commands that calls ran, and the rows that a test case inserts.

Collections of documents count as tables, documents as rows, and fields as columns. The name of a nested field is its
dotted path.

Names are written as the database stores them, without quotes. Values of rows and parameters are encoded as in hints
(protocol/README.md, "Values in hints"): JSON scalars, `{"$date": ms}`, `{"$bigint": "1"}`, `{"$number": "NaN"}`. Bytes
are `{"$bytes": base64}`. Values that the database stores as JSON or as an array are JSON.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, Protocol, TypeAlias

import msgspec

from wimble.model.interaction import Interaction
from wimble.types import Json

Dialect = Literal["postgres", "mysql", "sqlite", "mongo", "redis"]
"""The database's language. For `redis`, keys are read as rows of tables (databases/redis/key_tables.py)."""

ColumnType = Literal[
    "integer", "decimal", "float", "boolean", "text", "uuid", "date", "time", "timestamp", "interval", "json", "bytes",
    "enum", "array", "objectid", "other",
]  # fmt: skip
"""The type of a column, independent of the database's own name for it. No values are generated for `other`."""

Row: TypeAlias = tuple[Json, ...]


class TableName(msgspec.Struct, frozen=True, order=True):
    """The name of a table. `schema` is empty if the table is found without it."""

    name: str
    schema: str = ""

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name


JsonKind: TypeAlias = Literal["", "array", "object"]


class ColumnRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rules of the SUT's own models for a column, beyond those of the database.

    The API itself never writes a row that breaks them.
    """

    type: ColumnType | None = None
    """The type of a document's field, which has none in the database."""
    element: ColumnType | None = None
    """For `array`: the type of its elements."""
    not_null: bool = False
    values: tuple[Json, ...] = ()
    """The allowed values; empty if any value is allowed."""
    low: float | None = None
    high: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    """In characters."""
    pattern: str | None = None
    """ECMAScript source, matched anywhere in the value, without its flags (which could allow more)."""
    format: str | None = None
    """A format of JSON Schema."""
    is_json: bool = False
    """Whether the value is a text that contains JSON."""
    json_kind: JsonKind = ""
    """The kind of the JSON that the API itself writes there, if it is always the same."""


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of one model. Names are those of the database; `schema` is empty if it is not known."""

    table: str
    schema: str = ""
    columns: dict[str, ColumnRules] = {}


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One column of a table."""

    name: str
    type_name: str
    """The type as the database writes it: `character varying(20)`, `INTEGER`, `decimal(10,2) unsigned`."""
    type: ColumnType
    length: int | None = None
    """Maximum number of characters (for `text`) or bytes (for `bytes`)."""
    precision: int | None = None
    """For `decimal`: total number of digits; for `time` and `timestamp`: digits of the fraction of a second."""
    scale: int | None = None
    """For `decimal`: number of digits after the point."""
    bits: int | None = None
    """For `integer`: 8, 16, 24, 32 or 64."""
    is_unsigned: bool = False
    has_time_zone: bool = False
    is_nullable: bool = True
    default: str | None = None
    """The default's expression, as the database writes it; None if there is none."""
    is_generated: bool = False
    """Whether the value is computed from other columns, so that it cannot be written."""
    is_identity: bool = False
    """Whether the database numbers new rows: serial, identity, AUTO_INCREMENT, SQLite's INTEGER PRIMARY KEY."""
    sequence: str = ""
    """Name of the sequence that numbers the rows; empty if it has none."""
    enum_values: tuple[str, ...] = ()
    element: ColumnType | None = None
    """For `array`: type of the elements."""
    rules: ColumnRules | None = None
    """None if no model is known."""


class UniqueKey(msgspec.Struct, frozen=True):
    """Columns in which no two rows have the same values.

    It may also be a unique index, but not one on expressions or on a part of the rows.
    """

    columns: tuple[str, ...]


class ForeignKey(msgspec.Struct, frozen=True):
    """A constraint: the values of `columns` must equal those of `target_columns` in a row of `target`."""

    columns: tuple[str, ...]
    target: TableName
    target_columns: tuple[str, ...]
    follows_deletes: bool = False
    """Whether rows that reference a deleted row are deleted or set to NULL; otherwise the deletion is refused."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table or view."""

    name: TableName
    columns: tuple[Column, ...]
    """In the order of the table."""
    primary_key: tuple[str, ...] = ()
    unique: tuple[UniqueKey, ...] = ()
    """Unique keys other than the primary key."""
    foreign_keys: tuple[ForeignKey, ...] = ()
    checks: tuple[str, ...] = ()
    """Expressions of the check constraints, in the database's dialect. In constraints from domains of columns, the
    column's name replaces VALUE."""
    is_view: bool = False
    """Whether it is a view. Its rows are read, but never inserted."""

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The sets of columns that identify a row: the primary key, if there is one, then each unique key."""
        return tuple(key for key in (self.primary_key, *(one.columns for one in self.unique)) if key)

    def column(self, name: str) -> Column | None:
        return next((column for column in self.columns if column.name == name), None)


def table_key(name: str, schema: str = "") -> str:
    """Returns the key under which a table is looked up, independent of case."""
    return f"{schema}.{name}".lower() if schema else name.lower()


class Database(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One database of the SUT, as it was after the SUT's start."""

    id: str
    """Unique among the databases of a run, and the same in every run. Commands and rows refer to it."""
    dialect: Dialect
    tables: tuple[Table, ...] = ()
    name: str = ""
    """The name that users know."""

    def table(self, name: TableName) -> Table | None:
        return next((table for table in self.tables if table.name == name), None)

    def table_called(self, name: str, schema: str = "") -> Table | None:
        """Returns a table by its name in any case, or None. If the schema does not fit, uses the name alone."""
        return self._by_key.get(table_key(name, schema)) or self._by_key.get(table_key(name))

    @cached_property
    def _by_key(self) -> dict[str, Table]:
        return {table_key(table.name.name, table.name.schema): table for table in self.tables}


class DatabaseCommand(Interaction, frozen=True, kw_only=True):
    """One command that a call ran on a database, as the driver sent it."""

    database: str
    """`Database.id`."""
    dialect: Dialect | None = None
    """None if it is not known."""
    text: str
    params: tuple[Json, ...] = ()
    """Parameters in order. Named parameters are the members of a single object."""
    returned: int | None = None
    """Number of rows returned; None if the command failed or cannot return any."""
    affected: int | None = None
    """Number of rows inserted, changed or deleted; None if the command failed or cannot do so."""
    error: str = ""
    in_transaction: bool = False
    caller: str = ""
    """Who has called the function at `site`, if that only hands on commands; empty if it does more, or is not known."""

    @property
    def place(self) -> str:
        """The place that has written the command, rather than one that hands on all commands of the program."""
        return self.caller or self.site


class QueryPerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A query that ran for each row which an earlier query of its call had returned."""

    call: int
    text: str
    """The query without its values."""
    site: str
    """Place of its first run: the runs of concurrent work may be sent from different places."""
    n_runs: int
    """Runs for each row."""
    n_rows: int
    table: str = ""
    """The table or collection of the rows, in lower case; "" if it is not known."""


class QueryResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a query that wimble ran over the SUT's own connection."""

    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    affected: int | None = None
    error: str = ""
    """The database's error message; empty if the query succeeded."""


class InsertRows(msgspec.Struct, frozen=True):
    """Rows that are inserted into one table before the first call. Columns that are not named get their defaults."""

    database: str
    table: TableName
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class DatabaseLogin(msgspec.Struct, frozen=True, kw_only=True):
    """The environment variables from which the SUT may read its login to a database; each is empty if not known."""

    user: str = ""
    user_variable: str = ""
    password_variable: str = ""
    url_variable: str = ""
    """Variable with a URL of the database."""
    server_variable: str = ""
    """Variable with a URL that has the same login, for another database on the same server."""
    password_digest: str = ""
    """SHA-256 of the database's id, a space and the password; empty if the SUT gives no password."""


class DatabaseHome(msgspec.Struct, frozen=True, kw_only=True):
    """The location of a database of the SUT, for tests that connect to it themselves. It contains no password."""

    id: str
    driver: str
    """The package with which the SUT connects."""
    host: str
    port: int
    name: str
    is_file: bool = False
    """Whether the database is a file. Then `name` is its path."""
    numbered: tuple[tuple[TableName, str], ...] = ()
    """Tables with the (quoted) sequences that number their rows."""
    is_reset: bool = True
    """False if its content must not be changed, because it may be real data or is too large."""
    left_alone: tuple[TableName, ...] = ()
    """Tables whose content must not be changed."""
    login: DatabaseLogin = DatabaseLogin()


class LearntRules(Protocol):
    """Rules for columns, as what the SUT itself writes has shown. They may change."""

    @property
    def version(self) -> int:
        """The number of changes so far."""
        ...

    def rules(self, database: Database) -> tuple[TableRules, ...]:
        """Returns the rules for the columns of a database."""
        ...


class Databases(Protocol):
    """The databases of a running SUT, accessed over the SUT's own connections."""

    @property
    def homes(self) -> tuple[DatabaseHome, ...]:
        """The locations of all databases in `schemas`, except those in the SUT's own memory."""
        ...

    @property
    def are_away(self) -> bool:
        """Whether the server of one of them currently refuses connections."""
        ...

    @property
    def schemas(self) -> tuple[Database, ...]:
        """All databases that the SUT has connected to so far. If one changes, this returns a new tuple."""
        ...

    def learn_from(self, learnt: LearntRules) -> None:
        """Adds such rules to the schemas from now on; those of the SUT's models come first."""
        ...

    def contents_of(self, database: str, table: TableName) -> object | None:
        """Returns a token for the content of a table (or collection) as it was after the last reset.

        The same object stands for the same rows. Returns None if the content may have changed, or if this is unknown.
        """
        ...

    def query(self, database: str, text: str, params: tuple[Json, ...] = ()) -> QueryResult:
        """Runs a reading query. `text` has the driver's own placeholders. The result contains any error."""
        ...
