"""The databases that the suite resets, and how generated tests find them.

These are the databases that tests insert rows into, and those that their calls may change.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from wimble.databases.database_urls import leads_to
from wimble.emit.database_setup import DATABASE_DRIVERS, in_parents_order
from wimble.model.database import DatabaseHome, Databases
from wimble.model.setup import without_setup
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.suite import PasswordPlace, SuiteDatabase, VerifiedTest
from wimble.model.testcase import TestCase

FILE_SCHEME = re.compile(r"^(?:sqlite|file):(?://)?")
"""The scheme that may stand before the path of a file."""


COMPANIONS = ("-wal", "-shm", "-journal")
"""Endings of the files in which SQLite keeps a part of a database, beside its file."""


def files_to_put_back(written: Sequence[str], databases: Sequence[SuiteDatabase], sut_dir: str) -> tuple[str, ...]:
    """Returns the files that a suite puts back whenever the SUT was stopped, relative to the SUT's folder.

    These are the files that the SUT wrote, and all files of a SQLite database of which it wrote one or which tests
    open: a connection that closes may move rows from one file into another.
    """
    owners = {name.removesuffix(ending) for name in written for ending in COMPANIONS if name.endswith(ending)}
    for database in databases:
        file = Path(database.home.name)
        if database.home.is_file and file.is_relative_to(os.path.realpath(sut_dir)):
            owners.add(os.path.relpath(file, os.path.realpath(sut_dir)))
    together = {owner + ending for owner in owners for ending in ("", *COMPANIONS)}
    return tuple(sorted(together.union(written)))


def suite_databases(
    databases: Databases,
    tests: Sequence[VerifiedTest],
    environment: Mapping[str, str],
    sut_dir: str,
    *,
    packages_of: Callable[[str], str] = lambda driver: "",
    find_password: Callable[[str, str], PasswordPlace | None] = lambda database, digest: None,
    shares_start: bool = False,
) -> tuple[SuiteDatabase, ...]:
    """Returns the databases that tests need, can reach, and may change.

    packages_of: returns the folder in which the package of a driver is found. find_password: returns where the password
    of a database, of which it gets id and digest, stands in the project. shares_start: whether tests of a file share a
    start although the SUT keeps what they did.
    """
    used = _used(databases, tests, shares_start=shares_start)
    found = []
    for home in databases.homes:
        if home.id in used and _is_reached(home):
            schema = next(schema for schema in databases.schemas if schema.id == home.id)
            tables = [table for table in schema.tables if not table.is_view and table.name not in home.left_alone]
            variable = url_variable(home, environment, sut_dir) or home.login.url_variable
            made = SuiteDatabase(
                home=home, tables=in_parents_order(tables), variable=variable, packages=packages_of(home.driver)
            )
            if made.needs_password:
                place = find_password(home.id, home.login.password_digest)
                made = msgspec.structs.replace(made, password_place=place)
            found.append(made)
    return tuple(found)


def _used(databases: Databases, tests: Sequence[VerifiedTest], *, shares_start: bool) -> set[str]:
    """Returns the databases that tests insert rows into, and those that their calls may change.

    Database files that only calls may change are left out unless tests share a start: the suite restores these files as
    a whole when it starts the SUT between tests.
    """
    filled = {action.database for test in tests for _, action in test.test_case.setup_of(DatabaseAction)}
    if all(test.test_case.is_safe for test in tests):
        return filled
    return filled | {home.id for home in databases.homes if shares_start or not home.is_file}


def resets_all_databases(databases: Databases) -> bool:
    """Whether a suite resets whatever its tests change in databases, without a start of the SUT.

    False if there are database files, which are restored as a whole while the SUT is stopped.
    """
    put_back = {home.id for home in databases.homes if _is_reached(home) and not home.is_file}
    return all(schema.id in put_back for schema in databases.schemas)


def is_put_back_between_runs(databases: Databases) -> bool:
    """Whether all databases are outside of the SUT, and their rows are put back before each run of a test case."""
    put_back = {home.id for home in databases.homes if home.is_reset}
    return all(schema.id in put_back for schema in databases.schemas)


def has_all_put_back(databases: Databases) -> bool:
    """Whether there are databases, and all are put back between runs: then the state that calls change is probably in
    them.
    """
    return bool(databases.schemas) and is_put_back_between_runs(databases)


def _is_reached(home: DatabaseHome) -> bool:
    """Whether the suite's helper can insert rows there, and undo what tests did."""
    return home.driver in DATABASE_DRIVERS and home.is_reset


def without_unreached_rows(test_case: TestCase, databases: Databases) -> TestCase:
    """Removes rows for databases that no generated test reaches, such as those in the SUT's memory.

    Returns the test case itself if it has no such rows.
    """
    reached = {home.id for home in databases.homes if _is_reached(home)}
    written = test_case
    for number, action in reversed(test_case.setup_of(DatabaseAction)):
        if action.database not in reached:
            written = without_setup(written, number)
    return written


def needs_memory(test: VerifiedTest, databases: Databases) -> bool:
    """Whether the test has rows for a database in the SUT's own memory, where no other process can insert any."""
    outside = {home.id for home in databases.homes}
    inside = {schema.id for schema in databases.schemas} - outside
    return any(action.database in inside for _, action in test.test_case.setup_of(DatabaseAction))


def can_be_written(test: VerifiedTest, databases: Sequence[SuiteDatabase]) -> bool:
    """Whether the suite's helper can insert all rows of the test."""
    tables = {(database.home.id, table.name) for database in databases for table in database.tables}
    return all((action.database, action.table) in tables for _, action in test.test_case.setup_of(DatabaseAction))


def url_variable(home: DatabaseHome, environment: Mapping[str, str], sut_dir: str) -> str:
    """Returns the environment variable that holds the database's URL or its file's path; empty if none does."""
    if home.is_file:
        return next((name for name, value in sorted(environment.items()) if _is_file(value, home.name, sut_dir)), "")
    return next((name for name, value in sorted(environment.items()) if leads_to(value, home)), "")


def _is_file(value: str, file: str, sut_dir: str) -> bool:
    path = FILE_SCHEME.sub("", value).partition("?")[0]
    try:
        return bool(path) and os.path.realpath(Path(sut_dir) / path) == file
    except ValueError:  # it contains a null character
        return False
