"""The settings and hooks of `database.cjs`, the helper with which tests fill and reset databases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from wimble.emit.javascript import js_string, js_value
from wimble.emit.mock_files import has_mocks
from wimble.model.database import Table
from wimble.model.suite import Suite, SuiteDatabase
from wimble.types import Json


class _Helper(msgspec.Struct, frozen=True):
    """The helper file for a driver's databases, which `database.cjs` loads."""

    file: str
    quote: Callable[[str], str] | None = None
    """Quotes names in SQL; None for databases without SQL, whose tables the helper finds by itself."""
    own_variable: str = "WIMBLE_DATABASE_URL"
    """The environment variable in which a user can give the URL of another database."""
    own_password: str = "WIMBLE_DATABASE_PASSWORD"
    """The environment variable in which a user gives the password of the database, if it is not found elsewhere."""
    has_tables: bool = True
    """Whether tests insert rows into tables; otherwise they run commands."""


def _in_double_quotes(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _in_backticks(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


_POSTGRES = _Helper("database-pg.cjs", _in_double_quotes)
_MYSQL = _Helper("database-mysql.cjs", _in_backticks)
_SQLITE = _Helper("database-sqlite.cjs", _in_double_quotes)
_REDIS = _Helper(
    "database-redis.cjs", own_variable="WIMBLE_REDIS_URL", own_password="WIMBLE_REDIS_PASSWORD", has_tables=False
)
_HELPERS = {
    "pg": _POSTGRES,
    "postgres": _POSTGRES,
    "mysql2": _MYSQL,
    "mysql": _MYSQL,
    "mariadb": _MYSQL,
    "better-sqlite3": _SQLITE,
    "libsql": _SQLITE,
    "node:sqlite": _SQLITE,
    "sqlite3": _SQLITE,
    "mongodb": _Helper("database-mongodb.cjs"),
    "ioredis": _REDIS,
    "redis": _REDIS,
}
DATABASE_DRIVERS = frozenset(_HELPERS)
"""The drivers that have a helper."""


def helper_file(database: SuiteDatabase) -> str:
    """Returns the name of the helper file for a database, in the runtime folder and in the suite."""
    return _helper(database).file


def has_tables(database: SuiteDatabase) -> bool:
    """Returns whether tests insert rows into tables of the database; otherwise they run commands on it."""
    return _helper(database).has_tables


def _helper(database: SuiteDatabase) -> _Helper:
    return _HELPERS[database.home.driver]


def database_settings(databases: Sequence[SuiteDatabase], working_dir: str, sut_dir: str) -> list[str]:
    """Returns the settings of `database.cjs` as source lines.

    working_dir: the SUT's folder, relative to the suite. sut_dir: the SUT's folder as an absolute path.
    """
    described: list[Json] = [_described(database, databases, sut_dir) for database in databases]
    return [
        f"const WORKING_DIR = path.resolve(__dirname, {js_string(working_dir)});",
        f"const DATABASES = {js_value(described)};",
    ]


def _described(database: SuiteDatabase, databases: Sequence[SuiteDatabase], sut_dir: str) -> Json:
    has_rows = _helper(database).has_tables
    return {
        "name": database.home.id,
        "driver": database.home.driver,
        "helper": "./" + helper_file(database),
        "ownVariable": _helper(database).own_variable + _number_of(database, databases),
        "variable": database.variable,
        **({"packages": database.packages} if database.packages else {}),
        "place": _place(database, sut_dir),
        **_login(database, databases),
        "tables": [_table(table, database) for table in database.tables] if has_rows else [],
        "leftAlone": [str(name) for name in database.home.left_alone],
    }


def _number_of(database: SuiteDatabase, databases: Sequence[SuiteDatabase]) -> str:
    """Returns the ending of a variable of the database: several databases of one kind have variables of their own."""
    own = _helper(database).own_variable
    n_before = sum(_helper(one).own_variable == own for one in databases[: databases.index(database)])
    return f"_{n_before + 1}" if n_before else ""


def _own_password(database: SuiteDatabase, databases: Sequence[SuiteDatabase]) -> str:
    return _helper(database).own_password + _number_of(database, databases)


def password_needs(databases: Sequence[SuiteDatabase]) -> tuple[str, ...]:
    """Returns a sentence for each database whose password has to be given to the suite."""
    return tuple(
        f"the environment variable {_own_password(database, databases)}: the password of"
        f" {database.home.login.user or 'the user'} for {database.home.id}, which stands neither in a variable nor in "
        "a file of the project"
        for database in databases
        if database.needs_password
    )


def _place(database: SuiteDatabase, sut_dir: str) -> Json:
    home = database.home
    if not home.is_file:
        return {"host": home.host or "127.0.0.1", "port": home.port, "database": home.name}
    file = Path(home.name)
    return {"file": str(file.relative_to(sut_dir) if sut_dir and file.is_relative_to(sut_dir) else file)}


def _login(database: SuiteDatabase, databases: Sequence[SuiteDatabase]) -> dict[str, Json]:
    """Returns the login, which the helper needs if no environment variable holds a URL of the database."""
    login = database.home.login
    if database.variable:
        return {}
    place = database.password_place
    named: dict[str, Json] = {
        "serverVariable": login.server_variable,
        "userVariable": login.user_variable,
        "passwordVariable": login.password_variable,
        "ownPassword": "" if database.home.is_file else _own_password(database, databases),
        "passwordPlace": msgspec.structs.asdict(place) if place else None,
        "user": login.user,
    }
    return {name: value for name, value in named.items() if value}


def _table(table: Table, database: SuiteDatabase) -> Json:
    quote = _helper(database).quote
    if quote is None:
        return {"name": str(table.name)}
    described: dict[str, Json] = {
        "name": str(table.name),
        "sql": ".".join(quote(part) for part in (table.name.schema, table.name.name) if part),
        "key": list(table.primary_key),
        "columns": [column.name for column in table.columns if not column.is_generated],
    }
    if table.unique:
        described["unique"] = [list(one.columns) for one in table.unique]
    for owner, sequence in database.home.numbered:
        column = next((column for column in table.columns if column.is_identity), None)
        if owner == table.name and column is not None:
            described["numbered"] = {"column": column.name, "sequence": sequence}
    return described


def hook_lines(suite: Suite, after: str, *, start: str) -> list[str]:
    """Returns the source lines of the hooks before and after each test, and after all tests.

    after: the format's name of the hook after all tests. start: an option of `sut.fresh`, such as `isShared: true`;
    empty for none.
    """
    checked = ["  afterEach(() => mocks.check());"] if has_mocks(suite) else []
    if not suite.databases:
        fresh = f"sut.fresh({{ {start} }})" if start else "sut.fresh()"
        return [f"  beforeEach(() => {fresh});", *checked, f"  {after}(() => sut.stop());"]
    options = f"{start}, whenStopped: database.leave" if start else "whenStopped: database.leave"
    return [
        "  beforeEach(async () => {",
        f"    await sut.fresh({{ {options} }});",
        "    await database.begin();",
        "  });",
        "  afterEach(() => database.restore());",
        *checked,
        f"  {after}(async () => {{",
        "    await sut.stop();",
        "    await database.close();",
        "  });",
    ]


def in_parents_order(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Returns the tables in an order in which each follows those that its foreign keys reference, except in cycles."""
    by_name = {table.name: table for table in tables}
    ordered: dict[Table, None] = {}

    def visit(table: Table, path: tuple[Table, ...]) -> None:
        if table in ordered or table in path:
            return
        for key in table.foreign_keys:
            if key.target in by_name:
                visit(by_name[key.target], (*path, table))
        ordered[table] = None

    for table in tables:
        visit(table, ())
    return tuple(ordered)
