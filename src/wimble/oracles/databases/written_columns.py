"""What the API's own commands have shown of the values that it keeps, which rows made by tests may not have."""

from __future__ import annotations

from collections import Counter
from typing import Final

from wimble.databases.languages import language_of
from wimble.model.database import Database, DatabaseCommand, TableRules
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.oracles.databases.filled_columns import FilledColumns
from wimble.oracles.databases.written_dates import WrittenDates
from wimble.oracles.databases.written_documents import WrittenDocuments
from wimble.oracles.databases.written_numbers import WrittenNumbers

MAX_LOOKS: Final = 40
"""Number of commands from one place of the program that are looked at."""


class WrittenColumns:
    """The columns of dates, of lists, of objects and of small numbers, and those that are always filled."""

    def __init__(self) -> None:
        self._dates = WrittenDates()
        self._documents = WrittenDocuments()
        self._numbers = WrittenNumbers()
        self._filled = FilledColumns()
        self._looks: Counter[str] = Counter()

    def note(self, evaluation: Evaluation) -> None:
        """Learns from the commands of the program's calls."""
        for command in evaluation.interactions_of(DatabaseCommand):
            if command.affected and command.dialect is not None and self._looks[command.place] < MAX_LOOKS:
                self._looks[command.place] += 1
                change = language_of(command.dialect).change(command)
                if change is not None:
                    self._dates.note(change)
                    self._documents.note(change)
                    self._numbers.note(change)
                    self._filled.note(change)

    @property
    def version(self) -> int:
        """The number of changes of the rules."""
        return self._dates.version + self._documents.version + self._numbers.version

    def rules(self, database: Database) -> tuple[TableRules, ...]:
        """Returns rules for rows that are made from now on."""
        return (*self._dates.rules(database), *self._documents.rules(database), *self._numbers.rules(database))

    def explain(self, test_case: TestCase, index: int, message: str) -> bool:
        """Whether an error of a call is about a value that only a made row has. index: the call's."""
        return (
            self._dates.explain(test_case, index, message)
            or self._filled.explain(test_case, message)
            or self._documents.explain(test_case, message, self._filled.is_filled)
            or self._numbers.explain(test_case, message)
        )

    def lacks(self, test_case: TestCase, member: str) -> bool:
        """Whether a made row lacks what the API fills in each of its own: a member, or the key of what it refers to."""
        return self._filled.lacks(test_case, member)

    def are_beyond(self, test_case: TestCase) -> bool:
        """Whether a made row has a number that is far larger than all that the API writes there, or smaller."""
        return self._numbers.are_beyond(test_case)


NOTHING_WRITTEN: Final[WrittenColumns] = WrittenColumns()
"""What is known before any evaluation."""
