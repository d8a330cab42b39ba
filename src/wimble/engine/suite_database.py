"""The database that generated tests put rows into, or change by their calls and leave as it was: which one, and how they find it."""

from __future__ import annotations

import os.path
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from wimble.emit.database import DATABASE_DRIVERS, in_parents_order
from wimble.engine.faults import is_safe
from wimble.model.database import DatabaseHome, Databases
from wimble.model.setup import InsertAction
from wimble.model.suite import SuiteDatabase, VerifiedTest

DEFAULT_PORTS = {"postgres": 5432, "postgresql": 5432, "mysql": 3306, "mariadb": 3306, "mongodb": 27017}
"""By scheme of URLs."""
FILE_SCHEME = re.compile(r"^(?:sqlite|file):(?://)?")
"""What may stand before the path of a file."""


def suite_database(
    databases: Databases, tests: Sequence[VerifiedTest], environment: Mapping[str, str], sut_dir: str
) -> SuiteDatabase | None:
    """None where no test needs one, or where the tests could not reach it."""
    used = _used(databases, tests)
    for home in databases.homes:
        if home.id in used and home.driver in DATABASE_DRIVERS:
            schema = next(schema for schema in databases.schemas if schema.id == home.id)
            tables = [table for table in schema.tables if table.primary_key and not table.is_view]
            variable = url_variable(home, environment, sut_dir)
            return SuiteDatabase(home=home, tables=in_parents_order(tables), variable=variable)
    return None


def _used(databases: Databases, tests: Sequence[VerifiedTest]) -> set[str]:
    """Those that tests put rows into; else those that their calls may change, but for files, which the suite puts back whole."""
    filled = {action.database for test in tests for action in test.test_case.setup if isinstance(action, InsertAction)}
    if filled or all(is_safe(test.test_case) for test in tests):
        return filled
    return {home.id for home in databases.homes if not home.is_file}


def needs_memory(test: VerifiedTest, databases: Databases) -> bool:
    """Whether rows of the test belong into the SUT's own memory, where nobody else can put any."""
    outside = {home.id for home in databases.homes}
    inside = {schema.id for schema in databases.schemas} - outside
    return any(action.database in inside for action in test.test_case.setup if isinstance(action, InsertAction))


def can_be_written(test: VerifiedTest, database: SuiteDatabase | None) -> bool:
    """Whether the suite's helper can put in the test's rows."""
    tables = {table.name for table in database.tables} if database is not None else set()
    return all(
        database is not None and action.database == database.home.id and action.table in tables
        for action in test.test_case.setup
        if isinstance(action, InsertAction)
    )


def url_variable(home: DatabaseHome, environment: Mapping[str, str], sut_dir: str) -> str:
    """The environment variable that holds the database's URL, or its file's path; empty where none does."""
    if home.is_file:
        return next((name for name, value in sorted(environment.items()) if _is_file(value, home.name, sut_dir)), "")
    for name, value in sorted(environment.items()):
        try:
            parts = urlsplit(value)
            port = parts.port or DEFAULT_PORTS.get(parts.scheme)
        except ValueError:
            continue
        # Programs on MongoDB may name the database elsewhere.
        is_named = parts.path.lstrip("/") == home.name or parts.scheme == "mongodb"
        if parts.scheme in DEFAULT_PORTS and port == home.port and is_named:
            return name
    return ""


def _is_file(value: str, file: str, sut_dir: str) -> bool:
    path = FILE_SCHEME.sub("", value).partition("?")[0]
    try:
        return bool(path) and os.path.realpath(Path(sut_dir) / path) == file
    except ValueError:  # a zero in it
        return False
