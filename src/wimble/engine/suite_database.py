"""The database that generated tests put rows into: which one, and how they find it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from wimble.emit.database import DATABASE_DRIVERS, in_parents_order
from wimble.model.database import DatabaseHome, Databases
from wimble.model.setup import InsertAction
from wimble.model.suite import SuiteDatabase, VerifiedTest

DEFAULT_PORTS = {"postgres": 5432, "postgresql": 5432, "mysql": 3306, "mariadb": 3306}
"""By scheme of URLs."""


def suite_database(
    databases: Databases, tests: Sequence[VerifiedTest], environment: Mapping[str, str]
) -> SuiteDatabase | None:
    """None where no test needs one, or where the tests could not reach it."""
    used = {action.database for test in tests for action in test.test_case.setup if isinstance(action, InsertAction)}
    if not used:
        return None
    for home in databases.homes:
        if home.id in used and home.driver in DATABASE_DRIVERS:
            schema = next(schema for schema in databases.schemas if schema.id == home.id)
            tables = [table for table in schema.tables if table.primary_key and not table.is_view]
            return SuiteDatabase(home=home, tables=in_parents_order(tables), variable=url_variable(home, environment))
    return None


def can_be_written(test: VerifiedTest, database: SuiteDatabase | None) -> bool:
    """Whether the suite's helper can put in the test's rows."""
    tables = {table.name for table in database.tables} if database is not None else set()
    return all(
        database is not None and action.database == database.home.id and action.table in tables
        for action in test.test_case.setup
        if isinstance(action, InsertAction)
    )


def url_variable(home: DatabaseHome, environment: Mapping[str, str]) -> str:
    """The environment variable that holds the database's URL; empty where none does."""
    for name, value in sorted(environment.items()):
        try:
            parts = urlsplit(value)
            port = parts.port or DEFAULT_PORTS.get(parts.scheme)
        except ValueError:
            continue
        if parts.scheme in DEFAULT_PORTS and port == home.port and parts.path.lstrip("/") == home.name:
            return name
    return ""
