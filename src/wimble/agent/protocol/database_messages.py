"""The messages about databases: connections, commands, rows, and the rules of ORM models."""

from __future__ import annotations

import msgspec

from wimble.model.database import ColumnRules
from wimble.types import Json


class CommandMessage(msgspec.Struct):
    """A command that the SUT sent to a database. `call` is null if it belongs to no call of the evaluation."""

    database: str
    text: str
    call: int | None = None
    site: str = ""
    caller: str = ""
    params: list[Json] = []
    returned: int | None = None
    affected: int | None = None
    error: str | None = None
    in_transaction: bool = False


class DatabaseMessage(msgspec.Struct, tag_field="type", tag="database"):
    """Reports the first use of a database. `held`: the process waits for `release` before it continues."""

    id: str
    driver: str
    dialect: str
    host: str = ""
    port: int = 0
    name: str = ""
    is_local: bool = False
    is_in_process: bool = False
    is_reached_late: bool = False
    held: bool = False
    user: str = ""
    user_variable: str = ""
    password_variable: str = ""
    url_variable: str = ""
    server_variable: str = ""
    password_digest: str = ""


class Rows(msgspec.Struct, tag_field="type", tag="rows"):
    """The answer to `query`."""

    n: int
    columns: list[str] = []
    rows: list[list[Json]] = []
    affected: int | None = None
    error: str = ""


class ColumnRulesMessage(msgspec.Struct):
    """See `model.database.ColumnRules`."""

    column: str
    rules: ColumnRules


class TableRulesMessage(msgspec.Struct):
    """The rules of one model of an ORM."""

    table: str
    schema: str
    columns: list[ColumnRulesMessage]


class ModelsMessage(msgspec.Struct, tag_field="type", tag="models"):
    """Reports the models that the process has defined since the previous message of this type."""

    tables: list[TableRulesMessage]


class Query(msgspec.Struct, tag_field="type", tag="query"):
    """A query to run on the SUT's own connection."""

    n: int
    database: str
    text: str
    params: list[Json] = []


class Release(msgspec.Struct, tag_field="type", tag="release"):
    """Lets the process run its first command on the database."""

    database: str
