"""Columns in which the API itself keeps lists, or objects, as its own commands have shown.

Databases accept any JSON there, and those without a type for it any text. A program that takes each element of such a
list is not at fault if a row of a test has an object or a number in its place. So made rows have lists there, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from wimble.databases.data_change import DataChange
from wimble.json_texts import held_json
from wimble.model.database import ColumnRules, Database, JsonKind, TableRules
from wimble.model.setup import value_of
from wimble.model.setup_kinds.database_action import DatabaseAction, default_of
from wimble.model.testcase import TestCase
from wimble.types import ABSENT, Absent, Json

LEAST_WRITTEN: Final = 3
"""Number of values after which it is known of which kind they are."""
_OF_ANOTHER_KIND: Final = re.compile(
    r"\bis not iterable\b|\bis not a function\b|\bSpread syntax requires\b"
    r"|\bCannot convert undefined or null to object\b"
    r"|\bof undefined \(reading '(?:length|map|filter|forEach|find|some|every|reduce|join|slice|includes|push|at)'\)"
)
"""Errors of a program that takes another kind of value for a list, or for an object of lists."""
_OF_NULL: Final = re.compile(r"\bof null \(reading ")


class WrittenDocuments:
    """Learns them from what commands change."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], JsonKind] = {}
        """By table and column, in lower case: the kind of all values so far; "" if they are of several, or no JSON."""
        self._n_written: Counter[tuple[str, str]] = Counter()
        self.version = 0
        """The number of changes of what is known."""

    def note(self, change: DataChange) -> None:
        for column, value in change.assigned.items():
            if value is ABSENT or value is None:
                continue
            key, kind = (change.table.lower(), column.lower()), _kind_of(value)
            known = self._of(*key)
            self._kinds[key] = kind if self._kinds.get(key, kind) == kind else ""
            self._n_written[key] += 1
            self.version += self._of(*key) != known

    def rules(self, database: Database) -> tuple[TableRules, ...]:
        """Returns the kinds as rules for columns of JSON and of texts."""
        rules: list[TableRules] = []
        for table in database.tables:
            columns = {
                column.name: ColumnRules(json_kind=kind)
                for column in table.columns
                if column.type in ("text", "json") and (kind := self._of(table.name.name, column.name))
            }
            if columns:
                rules.append(TableRules(table=table.name.name, schema=table.name.schema, columns=columns))
        return tuple(rules)

    def _of(self, table: str, column: str) -> JsonKind:
        key = table.lower(), column.lower()
        return self._kinds.get(key, "") if self._n_written[key] >= LEAST_WRITTEN else ""

    def explain(self, test_case: TestCase, message: str, is_filled: Callable[[str, str], bool]) -> bool:
        """Whether an error says only that a value is of another kind than the API writes there, and a row of the test
        case has such a value, or none. is_filled: whether the API fills a column of a table in each row.
        """
        is_about_kind, is_about_null = _OF_ANOTHER_KIND.search(message), _OF_NULL.search(message)
        if not test_case.setup or not (is_about_kind or is_about_null):
            return False
        return any(is_about_kind or value is None for value in self._breaking(test_case, is_filled))

    def _breaking(self, test_case: TestCase, is_filled: Callable[[str, str], bool]) -> Iterator[Json]:
        """Yields values of rows that are of another kind than those that the API writes; None where there is none."""
        for _, action in test_case.setup_of(DatabaseAction):
            for column, gene in zip(action.columns, action.genes, strict=True):
                table, kind = action.table.name, self._of(action.table.name, column.name)
                value = value_of(test_case, gene) if kind else ABSENT
                if kind and value is ABSENT:
                    value = default_of(column)
                if value is None and is_filled(table, column.name):
                    yield None
                elif value is not ABSENT and value is not None and _kind_of(value) != kind:
                    yield value


def _kind_of(value: Json | Absent) -> JsonKind:
    held = held_json(value) if isinstance(value, str) else value
    if isinstance(held, list):
        return "array"
    return "object" if isinstance(held, dict) else ""
