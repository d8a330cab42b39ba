"""What the API's own commands have shown of the values that it keeps, which rows made by tests may not have."""

from __future__ import annotations

from typing import Final

from wimble.model.database import Database, TableRules
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.oracles.databases.filled_columns import FilledColumns
from wimble.oracles.databases.written_dates import WrittenDates


class WrittenColumns:
    """The columns of dates, and those that are always filled."""

    def __init__(self) -> None:
        self._dates = WrittenDates()
        self._filled = FilledColumns()

    def note(self, evaluation: Evaluation) -> None:
        self._dates.note(evaluation)
        self._filled.note(evaluation)

    @property
    def version(self) -> int:
        """The number of changes of the rules."""
        return self._dates.version

    def rules(self, database: Database) -> tuple[TableRules, ...]:
        """Returns rules for rows that are made from now on."""
        return self._dates.rules(database)

    def explain(self, test_case: TestCase, index: int, message: str) -> bool:
        """Whether an error of a call is about a value that only a made row has. index: the call's."""
        return self._dates.explain(test_case, index, message) or self._filled.explain(test_case, message)


NOTHING_WRITTEN: Final[WrittenColumns] = WrittenColumns()
"""What is known before any evaluation."""
