"""Queries that grow with the number of rows inside one call (N+1): a note, no finding, for few rows they do no harm.

Rule: one statement of the program runs the same query as often as a query before it in the call returned rows, each
time with other values; seen for two different numbers of rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.databases.mongo.verbs import is_read
from wimble.databases.sql.command_shapes import shape_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation

MAX_TEXT = 100
READS = ("select", "with")


class RepeatedQueries:
    """Remembers what was seen; each place is told once."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], set[int]] = {}
        self._told: set[tuple[str, str]] = set()

    def notes(self, evaluation: Evaluation) -> Iterator[str]:
        for call_index, call in enumerate(evaluation.test_case.calls):
            commands = evaluation.interactions_of(DatabaseCommand, call_index)
            for place, count in _repeated(commands):
                counts = self._counts.setdefault(place, set())
                counts.add(count)
                if len(counts) > 1 and place not in self._told:
                    self._told.add(place)
                    site, text = place
                    yield (
                        f"{call.operation.id} runs one query for each row of another ({site}: {text[:MAX_TEXT]}): "
                        "they grow with the rows"
                    )


def _repeated(commands: list[DatabaseCommand]) -> Iterator[tuple[tuple[str, str], int]]:
    """Places whose query ran once for each row that a query before it has returned, and how often."""
    by_place: dict[tuple[str, str], list[int]] = {}
    texts = [_without_values(command) for command in commands]
    for index, (command, text) in enumerate(zip(commands, texts, strict=True)):
        if command.site and not command.error and text:
            by_place.setdefault((command.site, text), []).append(index)
    for place, indexes in by_place.items():
        count = len(indexes)
        if len({(commands[index].text, str(commands[index].params)) for index in indexes}) < count:
            continue
        first = indexes[0]
        before = [command for command, text in zip(commands[:first], texts, strict=False) if text != place[1]]
        if any(command.returned == count for command in before):
            yield place, count


def _without_values(command: DatabaseCommand) -> str:
    """What the command asks, whatever for; empty for what asks nothing."""
    if is_read(command.text):
        from wimble.databases.mongo.mongo_statements import document_statement  # for those only who have a MongoDB

        asked = document_statement(command.text, command.params)
        return asked.shape if asked is not None else ""
    text = shape_of(command.text)
    return text if text.lower().startswith(READS) else ""
