"""Detects queries whose number grows with the number of rows inside one call (N+1).

They are reported as a note, not as a finding, because they do no harm while there are few rows. The rule: the same
query runs, with different values, as often as an earlier query in the call returned rows, or twice or three times as
often; and this was seen for two different numbers of rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.databases.queries_per_row import queries_per_row
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.types import OperationId

MAX_TEXT = 100


class RepeatedQueries:
    """Counts such queries. Each query is reported once for each operation."""

    def __init__(self) -> None:
        self._counts: dict[tuple[OperationId, str, int], set[int]] = {}
        """By operation, query, and its number of runs for each row: the numbers of rows."""
        self._told: set[tuple[OperationId, str]] = set()

    def notes(self, evaluation: Evaluation) -> Iterator[str]:
        """Yields a note for each new query in an evaluation that follows the rule."""
        for call_index, call in enumerate(evaluation.test_case.calls):
            operation = call.operation.id
            commands = evaluation.interactions_of(DatabaseCommand, call_index)
            for text, site, n_runs, n_rows in queries_per_row(commands):
                counts = self._counts.setdefault((operation, text, n_runs), set())
                counts.add(n_rows)
                if len(counts) > 1 and (operation, text) not in self._told:
                    self._told.add((operation, text))
                    yield (
                        f"{operation} runs one query for each row of another ({site}: {text[:MAX_TEXT]}): "
                        "their number grows with the number of rows"
                    )
