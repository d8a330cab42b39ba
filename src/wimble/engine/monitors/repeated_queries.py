"""Detects queries whose number grows with the number of rows inside one call (N+1).

They are reported as a note, not as a finding, because they do no harm while there are few rows. The rule: one statement
of the program runs the same query, each time with other values, as often as an earlier query in the call returned rows;
and this was seen for two different numbers of rows.
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
    """Counts such queries. Each place is reported once."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], set[int]] = {}
        self._told: set[tuple[str, str]] = set()

    def notes(self, evaluation: Evaluation) -> Iterator[str]:
        """Yields a note for each new place in an evaluation that follows the rule."""
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
                        "their number grows with the number of rows"
                    )


def _repeated(commands: list[DatabaseCommand]) -> Iterator[tuple[tuple[str, str], int]]:
    """Yields places whose query ran once for each row that an earlier query returned, and how often it ran."""
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
    """Returns the text of a query without its values; empty for commands that are not queries."""
    if is_read(command.text):
        from wimble.databases.mongo.mongo_statements import document_statement  # imported only if MongoDB is used

        asked = document_statement(command.text, command.params)
        return asked.shape if asked is not None else ""
    text = shape_of(command.text)
    return text if text.lower().startswith(READS) else ""
