"""The rows that tests put into a database before their calls, and the helper that does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from wimble.emit.javascript import js_string, js_value
from wimble.emit.python_source import py_string, py_value
from wimble.model.database import Table
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
_HELPERS = {
    "pg": _Helper("database-pg.cjs", _in_double_quotes),
    "mysql2": _MYSQL,
    "mysql": _MYSQL,
    "better-sqlite3": _SQLITE,
    "node:sqlite": _SQLITE,
    "sqlite3": _SQLITE,
    "mongodb": _Helper("database-mongodb.cjs"),
}
DATABASE_DRIVERS = frozenset(_HELPERS)
"""Those that tests can speak with."""


def helper_file(database: SuiteDatabase) -> str:
    """Its name in the runtime folder, and in the suite."""
    return _HELPERS[database.home.driver].file


def database_settings(database: SuiteDatabase, working_dir: str, sut_dir: str) -> list[str]:
    """What `database.cjs` has to know. working_dir: the SUT's folder as the suite says it; sut_dir: absolute."""
    return [
        f"const WORKING_DIR = path.resolve(__dirname, {js_string(working_dir)});",
        f"const DRIVER = {js_string(database.home.driver)};",
        f"const HELPER = {js_string('./' + helper_file(database))};",
        f"const URL_VARIABLE = {js_string(database.variable)};",
        f"const CONNECTION = {_connection(database, sut_dir)};",
        f"const TABLES = {js_value([_table(table, database) for table in database.tables])}; // parents before their children",
    ]


def _connection(database: SuiteDatabase, sut_dir: str) -> str:
    home = database.home
    if not home.is_file:
        return js_value({"host": home.host or "127.0.0.1", "port": home.port, "database": home.name})
    file = Path(home.name)
    shown = file.relative_to(sut_dir) if sut_dir and file.is_relative_to(sut_dir) else file
    return f"{{ folder: WORKING_DIR, file: {js_string(str(shown))} }}"


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
    for owner, sequence in database.home.numbered:
        column = next((column for column in table.columns if column.is_identity), None)
        if owner == table.name and column is not None:
            described["numbered"] = {"column": column.name, "sequence": sequence}
    return described


def py_setup_lines(test: VerifiedTest) -> list[str]:
    """`database.insert("members", {"id": 1, "card": "a"})` for each row of a test."""
    lines = []
    for rows in inserted_rows(test.test_case):
        for row in rows.rows:
            start = f"database.insert({py_string(str(rows.table))}, "
            values = dict(zip(rows.columns, row, strict=True))
            lines += f"{start}{py_value(values, column=len(start) + 4)})".splitlines()
    return [*lines, ""] if lines else []


def setup_lines(test: VerifiedTest) -> list[str]:
    """`await database.insert('members', { id: 1, card: 'a' });` for each row of a test."""
    lines = []
    for rows in inserted_rows(test.test_case):
        for row in rows.rows:
            table = js_string(str(rows.table))
            values = dict(zip(rows.columns, row, strict=True))
            start = f"await database.insert({table}, "
            lines += f"{start}{js_value(values, column=len(start) + 6)});".splitlines()
    return [*lines, ""] if lines else []


def hook_lines(suite: Suite, after: str) -> list[str]:
    """What runs before and after each test. after: what the format calls its hook after all tests."""
    if suite.database is None:
        return ["  beforeEach(() => sut.fresh());", f"  {after}(() => sut.stop());"]
    return [
        "  beforeEach(async () => {",
        "    await sut.fresh();",
        "    await database.begin();",
        "  });",
        "  afterEach(() => database.restore());",
        f"  {after}(async () => {{",
        "    await database.close();",
        "    await sut.stop();",
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
