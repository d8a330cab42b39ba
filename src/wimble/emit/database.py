"""The rows that tests put into a database before their calls, and the helper that does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wimble.emit.javascript import js_string, js_value
from wimble.emit.python_source import py_string, py_value
from wimble.model.database import Table
from wimble.model.setup import inserted_rows
from wimble.model.suite import Suite, SuiteDatabase, VerifiedTest
from wimble.types import Json


def database_settings(database: SuiteDatabase, working_dir: str) -> list[str]:
    """What `database.cjs` has to know."""
    home = database.home
    connection = {"host": home.host or "127.0.0.1", "port": home.port, "database": home.name}
    return [
        f"const WORKING_DIR = path.resolve(__dirname, {js_string(working_dir)});",
        f"const DRIVER = {js_string(home.driver)};",
        f"const URL_VARIABLE = {js_string(database.variable)};",
        f"const CONNECTION = {js_value(connection)};",
        f"const TABLES = {js_value([_table(table, database) for table in database.tables])}; // parents before their children",
    ]


def _table(table: Table, database: SuiteDatabase) -> Json:
    quote = _QUOTES[database.home.driver]
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


_QUOTES: dict[str, Callable[[str], str]] = {
    "pg": lambda name: '"' + name.replace('"', '""') + '"',
    "mysql2": lambda name: "`" + name.replace("`", "``") + "`",
}
DATABASE_DRIVERS = frozenset(_QUOTES)
"""Those that tests can speak with, each in a file of its own beside `database.cjs`."""


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
