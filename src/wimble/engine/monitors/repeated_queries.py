"""Detects queries whose number grows with the number of rows inside one call (N+1).

They are reported as a note, not as a finding, because they do no harm while there are few rows. The rule: the same
query runs, with different values, as often as an earlier query in the call returned rows, or twice or three times as
often; and this was seen for two different numbers of rows.
"""

from __future__ import annotations

from collections.abc import Iterator

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
        for query in evaluation.queries_per_row:
            operation = evaluation.test_case.calls[query.call].operation.id
            counts = self._counts.setdefault((operation, query.text, query.n_runs), set())
            counts.add(query.n_rows)
            if len(counts) > 1 and (operation, query.text) not in self._told:
                self._told.add((operation, query.text))
                yield (
                    f"{operation} runs one query for each row of another ({query.site}: {query.text[:MAX_TEXT]}): "
                    "their number grows with the number of rows"
                )
