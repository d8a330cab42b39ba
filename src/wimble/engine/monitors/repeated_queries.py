"""Detects queries whose number grows with the number of rows inside one call (N+1).

They are reported as a note, not as a finding, because they do no harm while there are few rows. The rule: the same
query runs, with different values, as often as an earlier query in the call returned rows, or twice or three times as
often; and this was seen for two different numbers of rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.databases.mongo.verbs import is_read
from wimble.databases.sql.command_shapes import shape_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.types import OperationId

MAX_TEXT = 100
READS = ("select", "with")
MIN_VALUES = 2
MAX_RUNS = 3
"""Runs of one query for each row."""


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
            for text, site, n_runs, n_rows in _repeated(commands) if len(commands) > 1 else ():
                counts = self._counts.setdefault((operation, text, n_runs), set())
                counts.add(n_rows)
                if len(counts) > 1 and (operation, text) not in self._told:
                    self._told.add((operation, text))
                    yield (
                        f"{operation} runs one query for each row of another ({site}: {text[:MAX_TEXT]}): "
                        "their number grows with the number of rows"
                    )


def _repeated(commands: list[DatabaseCommand]) -> Iterator[tuple[str, str, int, int]]:
    """Yields (query, place, runs per row, rows) of queries that ran for each row which an earlier query returned.

    The place is that of the first run: the runs of concurrent work may be sent from different places.
    """
    by_text: dict[str, list[int]] = {}
    texts = [_without_values(command) for command in commands]
    for index, (command, text) in enumerate(zip(commands, texts, strict=True)):
        if command.site and not command.error and text:
            by_text.setdefault(text, []).append(index)
    for text, indexes in by_text.items():
        count = len(indexes)
        # Several rows may refer to the same one, but a query that always asks the same does not depend on the rows.
        if count > 1 and len({(commands[index].text, str(commands[index].params)) for index in indexes}) < MIN_VALUES:
            continue
        first = indexes[0]
        before = {commands[index].returned for index in range(first) if texts[index] != text}
        for n_rows in sorted(rows for rows in before if rows):
            n_runs, rest = divmod(count, n_rows)
            if rest == 0 and 1 <= n_runs <= MAX_RUNS:
                yield text, commands[first].site, n_runs, n_rows


def _without_values(command: DatabaseCommand) -> str:
    """Returns the text of a query without its values; empty for commands that are not queries."""
    if is_read(command.text):
        from wimble.databases.mongo.mongo_statements import document_statement  # imported only if MongoDB is used

        asked = document_statement(command.text, command.params)
        return asked.shape if asked is not None else ""
    if command.dialect == "redis":
        from wimble.databases.redis.key_tables import as_query  # imported only if Redis is used

        looked_up = as_query(command)
        is_lookup = looked_up is not None and looked_up.text.lower().startswith(READS)
        return f"{command.text} ?" if is_lookup else ""
    text = shape_of(command.text)
    return text if text.lower().startswith(READS) else ""
