"""Queries that run once, or a few times, for each row that an earlier query of the same call has returned (N+1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from wimble.databases.asked_tables import asked_table
from wimble.databases.mongo.verbs import is_read
from wimble.databases.sql.command_shapes import shape_of
from wimble.model.database import DatabaseCommand, QueryPerRow

READS: Final = ("select", "with")
MIN_VALUES: Final = 2
MIN_ROWS_OF_SAME: Final = 3
"""Fewest rows for which a query counts that asks the same each time."""
MAX_RUNS: Final = 3
"""Runs of one query for each row."""


def queries_per_row(commands: Iterable[DatabaseCommand]) -> Iterator[QueryPerRow]:
    """Yields the queries that ran for each row which an earlier query of their call returned."""
    of_calls: dict[int, list[DatabaseCommand]] = {}
    for command in commands:
        of_calls.setdefault(command.call, []).append(command)
    for of_call in of_calls.values():
        if len(of_call) >= MIN_VALUES:
            yield from _queries_of_call(of_call)


def _queries_of_call(commands: Sequence[DatabaseCommand]) -> Iterator[QueryPerRow]:
    by_text: dict[str, list[int]] = {}
    texts = [_without_values(command) for command in commands]
    for index, (command, text) in enumerate(zip(commands, texts, strict=True)):
        if command.place and not command.error and text:
            by_text.setdefault(text, []).append(index)
    for text, indexes in by_text.items():
        count = len(indexes)
        asked = {(commands[index].text, str(commands[index].params)) for index in indexes}
        # All rows may refer to the same one. But what asks the same two or three times may do so without any rows.
        fewest_rows = 1 if count == 1 or len(asked) >= MIN_VALUES else MIN_ROWS_OF_SAME
        first = indexes[0]
        before = {commands[index].returned: commands[index] for index in range(first) if texts[index] != text}
        for n_rows in sorted(rows for rows in before if rows and rows >= fewest_rows):
            n_runs, rest = divmod(count, n_rows)
            if rest == 0 and 1 <= n_runs <= MAX_RUNS:
                yield QueryPerRow(
                    call=commands[first].call,
                    text=text,
                    site=commands[first].place,
                    n_runs=n_runs,
                    n_rows=n_rows,
                    table=asked_table(before[n_rows]),  # of several, the last: the user is looked up before the list
                )


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
