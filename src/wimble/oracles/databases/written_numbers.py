"""Columns in which the API itself keeps small numbers only, as its own commands have shown.

A program that refuses a hall of more than 26 rows may build a list of all its seats. A test that inserts a row with
2,147,483,647 of them shows no fault: the program never writes it. So rows that are made from now on have numbers of
the same size there, and what a larger one has brought about is dropped. The search sends large numbers, zeros and
negative ones to all inputs, so that a column for which no such value has been written is one that the API guards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.databases.data_change import DataChange
from wimble.model.database import ColumnRules, Database, Table, TableRules
from wimble.model.setup import value_of
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import TestCase
from wimble.types import ABSENT

LEAST_WRITES: Final = 5
"""Number of values that the API has written into a column after which their size is known."""
LEAST_DIFFERENT: Final = 3
"""Number of different ones among them. What is always the same, such as a first balance, says nothing of others."""
SMALL: Final = 10_000
_TYPES: Final = ("integer", "decimal", "float")
_ABOUT_SIZE: Final = re.compile(
    r"\bcannot represent\b.*(?:NaN|Infinity|32-bit)|\bInvalid (?:array|string|typed array) length\b"
    r"|\bInvalid count value\b|\bout of range\b|\bArray buffer allocation failed\b|\bheap out of memory\b"
    r"|\binvalid size error\b|\bnot a safe integer\b",
    re.IGNORECASE,
)
"""In errors of engines, of GraphQL and of databases about what is too large, or is no number since it was divided by
zero."""


class _Written(msgspec.Struct):
    """The numbers that commands have written into one column."""

    count: int = 0
    low: float = 0.0
    high: float = 0.0
    different: set[float] = msgspec.field(default_factory=set)
    is_computed: bool = False
    """Whether a command has computed a value within the database, or written something that is no number."""

    def add(self, number: float) -> None:
        self.low = min(self.low, number) if self.count else number
        self.high = max(self.high, number) if self.count else number
        self.count += 1
        if len(self.different) < LEAST_DIFFERENT:
            self.different.add(number)

    def limits(self) -> tuple[float | None, float | None]:
        """The lowest and the highest number that made rows may have; None for no limit."""
        if self.is_computed or self.count < LEAST_WRITES or len(self.different) < LEAST_DIFFERENT:
            return None, None
        low = 1.0 if self.low >= 1 else 0.0 if self.low >= 0 else None
        return low, float(SMALL) if self.high <= SMALL else None


class WrittenNumbers:
    """Learns them from what commands change."""

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str], _Written] = {}
        """By table and column, in lower case."""
        self.version = 0
        """The number of changes of the limits."""

    def note(self, change: DataChange) -> None:
        for column, value in change.assigned.items():
            if value is None:
                continue
            written = self._columns.setdefault((change.table.lower(), column.lower()), _Written())
            before = written.limits()
            if isinstance(value, int | float) and not isinstance(value, bool):
                written.add(value)
            else:
                written.is_computed = True
            self.version += written.limits() != before

    def rules(self, database: Database) -> tuple[TableRules, ...]:
        """Returns the limits as rules for columns of numbers that identify no row."""
        rules: list[TableRules] = []
        for table in database.tables:
            columns: dict[str, ColumnRules] = {}
            for name in _plain_numbers(table):
                low, high = self._limits(table.name.name, name)
                if low is not None or high is not None:
                    columns[name] = ColumnRules(low=low, high=high)
            if columns:
                rules.append(TableRules(table=table.name.name, schema=table.name.schema, columns=columns))
        return tuple(rules)

    def _limits(self, table: str, column: str) -> tuple[float | None, float | None]:
        written = self._columns.get((table.lower(), column.lower()))
        return (None, None) if written is None else written.limits()

    def explain(self, test_case: TestCase, message: str) -> bool:
        """Whether an error says only that a number is too large, or none, and a row of the test case has such a one."""
        return _ABOUT_SIZE.search(message) is not None and self.are_beyond(test_case)

    def are_beyond(self, test_case: TestCase) -> bool:
        """Whether a row that the test case inserts has a number of another size than the API writes there."""
        return any(self._beyond(test_case))

    def _beyond(self, test_case: TestCase) -> Iterator[bool]:
        for _, action in test_case.setup_of(DatabaseAction):
            for column, gene in zip(action.columns, action.genes, strict=True):
                low, high = self._limits(action.table.name, column.name)
                value = ABSENT if low is None and high is None else value_of(test_case, gene)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    yield (low is not None and value < low) or (high is not None and value > high)


def _plain_numbers(table: Table) -> Iterator[str]:
    """Yields the columns of numbers that belong to no key."""
    keys = {name for key in table.keys for name in key} | {name for one in table.foreign_keys for name in one.columns}
    for column in table.columns:
        if column.type in _TYPES and column.name not in keys and not column.is_identity:
            yield column.name
