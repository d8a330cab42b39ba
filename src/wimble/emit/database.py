"""The rows that tests put into a database before their calls, and the helper that does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from wimble.emit.javascript import js_string, js_value
from wimble.emit.python_source import py_string, py_value
from wimble.model.database import Table, TableName
from wimble.model.keys import insert_command
from wimble.model.setup import inserted_rows
from wimble.model.suite import Suite, SuiteDatabase, VerifiedTest
from wimble.types import Json


class _Helper(msgspec.Struct, frozen=True):
    """What speaks with the databases of a driver, beside `database.cjs`."""

    file: str
    quote: Callable[[str], str] | None = None
    """Of names in SQL; None: it speaks none, and finds its tables itself."""


def _in_double_quotes(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _in_backticks(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


_MYSQL = _Helper("database-mysql.cjs", _in_backticks)
_SQLITE = _Helper("database-sqlite.cjs", _in_double_quotes)
_REDIS = _Helper("database-redis.cjs")
_HELPERS = {
    "pg": _Helper("database-pg.cjs", _in_double_quotes),
    "mysql2": _MYSQL,
    "mysql": _MYSQL,
    "better-sqlite3": _SQLITE,
    "node:sqlite": _SQLITE,
    "sqlite3": _SQLITE,
    "mongodb": _Helper("database-mongodb.cjs"),
    "ioredis": _REDIS,
    "redis": _REDIS,
}
DATABASE_DRIVERS = frozenset(_HELPERS)
"""Those that tests can speak with."""


def helper_file(database: SuiteDatabase) -> str:
    """Its name in the runtime folder, and in the suite."""
    return _HELPERS[database.home.driver].file


def database_settings(databases: Sequence[SuiteDatabase], working_dir: str, sut_dir: str) -> list[str]:
    """What `database.cjs` has to know. working_dir: the SUT's folder as the suite says it; sut_dir: absolute."""
    described: list[Json] = []
    for number, database in enumerate(databases):
        n_before = sum(one.is_of_keys == database.is_of_keys for one in databases[:number])
        own = "WIMBLE_REDIS_URL" if database.is_of_keys else "WIMBLE_DATABASE_URL"
        described.append(
            {
                "name": database.home.id,
                "driver": database.home.driver,
                "helper": "./" + helper_file(database),
                "ownVariable": f"{own}_{n_before + 1}" if n_before else own,
                "variable": database.variable,
                **({"packages": database.packages} if database.packages else {}),
                "place": _place(database, sut_dir),
                **_login(database),
                "tables": [] if database.is_of_keys else [_table(table, database) for table in database.tables],
                "leftAlone": [str(name) for name in database.home.left_alone],
            }
        )
    return [
        f"const WORKING_DIR = path.resolve(__dirname, {js_string(working_dir)});",
        f"const DATABASES = {js_value(described)};",
    ]


def _place(database: SuiteDatabase, sut_dir: str) -> Json:
    home = database.home
    if not home.is_file:
        return {"host": home.host or "127.0.0.1", "port": home.port, "database": home.name}
    file = Path(home.name)
    return {"file": str(file.relative_to(sut_dir) if sut_dir and file.is_relative_to(sut_dir) else file)}


def _login(database: SuiteDatabase) -> dict[str, Json]:
    """What the place alone does not tell; needed where no variable holds a URL of the database."""
    login = database.home.login
    if database.variable:
        return {}
    named = {
        "serverVariable": login.server_variable,
        "userVariable": login.user_variable,
        "passwordVariable": login.password_variable,
        "user": login.user,
    }
    return {name: value for name, value in named.items() if value}


def _table(table: Table, database: SuiteDatabase) -> Json:
    quote = _HELPERS[database.home.driver].quote
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


def py_setup_lines(test: VerifiedTest, databases: Sequence[SuiteDatabase]) -> list[str]:
    """`database.insert("members", {"id": 1, "card": "a"})` for each row of a test."""
    lines: list[str] = []
    for put in _puts(test, databases):
        start = f"database.{put.function}({py_string(put.table)}, " if put.table else f"database.{put.function}("
        end = f", {py_string(put.database)})" if put.database else ")"
        lines += f"{start}{py_value(put.value, column=len(start) + 4)}{end}".splitlines()
    return [*lines, ""] if lines else []


def setup_lines(test: VerifiedTest, databases: Sequence[SuiteDatabase]) -> list[str]:
    """`await database.insert('members', { id: 1, card: 'a' });` for each row of a test."""
    lines: list[str] = []
    for put in _puts(test, databases):
        start = f"await database.{put.function}({js_string(put.table) + ', ' if put.table else ''}"
        end = f", {js_string(put.database)});" if put.database else ");"
        lines += f"{start}{js_value(put.value, column=len(start) + 6)}{end}".splitlines()
    return [*lines, ""] if lines else []


class _Put(msgspec.Struct, frozen=True):
    """One call of the helper."""

    function: str
    table: str
    value: Json
    database: str
    """Its name, where the helper could take another one; else empty."""


def _puts(test: VerifiedTest, databases: Sequence[SuiteDatabase]) -> Iterator[_Put]:
    for rows in inserted_rows(test.test_case):
        (own,) = (one for one in databases if one.home.id == rows.database)
        others = [one for one in databases if one.is_of_keys == own.is_of_keys and rows.table in _names(one)]
        told = own.home.id if len(others) > 1 else ""
        for row in rows.rows:
            if own.is_of_keys:
                yield _Put("redis", "", list(insert_command(rows, row) or ()), told)
            else:
                yield _Put("insert", str(rows.table), dict(zip(rows.columns, row, strict=True)), told)


def _names(database: SuiteDatabase) -> set[TableName]:
    return {table.name for table in database.tables}


def hook_lines(suite: Suite, after: str, *, is_shared: bool) -> list[str]:
    """What runs before and after each test. after: what the format calls its hook after all tests. is_shared: whether the tests share a
    start of the SUT."""
    if not suite.databases:
        fresh = "sut.fresh({ isShared: true })" if is_shared else "sut.fresh()"
        return [f"  beforeEach(() => {fresh});", f"  {after}(() => sut.stop());"]
    options = "isShared: true, whenStopped: database.leave" if is_shared else "whenStopped: database.leave"
    return [
        "  beforeEach(async () => {",
        f"    await sut.fresh({{ {options} }});",
        "    await database.begin();",
        "  });",
        "  afterEach(() => database.restore());",
        f"  {after}(async () => {{",
        "    await sut.stop();",
        "    await database.close();",
        "  });",
    ]


def in_parents_order(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Tables behind those that their foreign keys point to, as far as these make no circle."""
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
