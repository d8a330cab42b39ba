"""Columns that the API itself fills in each row that it inserts, though the database allows null there.

A test may insert a row without such a value. An error that says no more than that the value is null is no fault of the
program, which never writes such a row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from wimble.databases.data_change import DataChange
from wimble.model.resource_names import plain_name
from wimble.model.setup_kinds.database_action import columns_without_value
from wimble.model.testcase import TestCase
from wimble.oracles.messages.hash_refusals import ABOUT_HASH, HOLDS_HASH

LEAST_INSERTS: Final = 3
"""Number of inserts of a table after which it is known which columns they fill."""
_NULL_FIELD: Final = re.compile(r"Cannot return null for non-nullable field \w+\.(\w+)")
"""What graphql-js says of a field that its schema declares without null."""


class FilledColumns:
    """Learns them from what commands change."""

    def __init__(self) -> None:
        self._inserts: Counter[str] = Counter()
        """By table, in lower case."""
        self._filled: Counter[tuple[str, str]] = Counter()
        """Number of inserts that have filled a column, by table and column, in lower case."""
        self._emptied: set[tuple[str, str]] = set()
        """Columns that a command has set to null."""

    def note(self, change: DataChange) -> None:
        table = change.table.lower()
        self._inserts[table] += change.kind == "insert" and bool(change.assigned)
        for column, value in change.assigned.items():
            key = table, column.lower()
            if value is None:
                self._emptied.add(key)
            elif change.kind == "insert":
                self._filled[key] += 1

    def explain(self, test_case: TestCase, message: str) -> bool:
        """Whether an error says only that a value is null that a row of the test case lacks, and the API's own rows
        never do: of a column, of the row that a column refers to, or that of a password's hash.
        """
        if not test_case.setup:
            return False
        found = _NULL_FIELD.search(message)
        if found is not None:
            return self.lacks(test_case, found[1])
        return ABOUT_HASH.search(message) is not None and any(map(HOLDS_HASH.search, self._lacking(test_case)))

    def lacks(self, test_case: TestCase, member: str) -> bool:
        """Whether a row of the test case lacks a value that the API always fills: the member's, or its key."""
        name = plain_name(member)
        return any(one in (name, f"{name}id") for one in self._lacking(test_case))

    def _lacking(self, test_case: TestCase) -> Iterator[str]:
        """Yields the plain names of columns without a value in rows of the test case that the API always fills."""
        for table, column in columns_without_value(test_case):
            if self.is_filled(table.name, column.name):
                yield plain_name(column.name)

    def is_filled(self, table: str, column: str) -> bool:
        """Whether the API has filled the column in each row that it inserted."""
        key, n_inserts = (table.lower(), column.lower()), self._inserts[table.lower()]
        return n_inserts >= LEAST_INSERTS and self._filled[key] == n_inserts and key not in self._emptied
