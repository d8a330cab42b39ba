"""Hints for the keys of rows that differ from the one that a call has read: a column is NULL there, empty, zero, or has
another of few values.

No target leads to these rows where the program does not look at the column before it uses it: the call has succeeded,
and all of its lines are covered. So each input that has found a row by its key is sent a few times with the keys of
other rows, those first that differ in what was not seen yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from wimble.databases.conditions.stored_values import Cells, Value
from wimble.databases.database_language import DatabaseQuery, RowReader
from wimble.databases.mongo.document_values import ObjectId, plain
from wimble.engine.queries.injection_targets import sites_of_call
from wimble.feedback.input_to_state.input_sites import Site
from wimble.model.database import Database
from wimble.model.evaluation import Evaluation
from wimble.model.hints import InjectionHint
from wimble.model.operands import is_number, to_text
from wimble.model.scalar_fields import scalars_in
from wimble.types import OperationId

MAX_KEYS: Final = 4
"""Number of rows that are tried for one input."""
MAX_LOOKS: Final = 6
"""Number of commands of an operation, from one place of the program, that are looked at."""
MAX_ROWS: Final = 200
"""Number of rows of a table that are compared."""
FEW_VALUES: Final = 5
"""A column with at most so many values, some of which occur in several rows, tells kinds of rows apart."""

RowsOf: TypeAlias = Callable[[Database, RowReader], Sequence[Cells] | None]


class OtherRows:
    """Proposes the keys of other rows, once for each input and column."""

    def __init__(self) -> None:
        self._proposed: set[tuple[str, ...]] = set()
        self._looks: Counter[tuple[OperationId, str]] = Counter()

    def hints(
        self, evaluation: Evaluation, queries: Sequence[DatabaseQuery], rows_of: RowsOf
    ) -> Iterator[InjectionHint]:
        """Yields a hint for each input of the evaluation that has found a row by its key."""
        if evaluation.test_case.setup:
            return
        for query in queries:
            command = query.command
            if not query.is_read or query.is_count or command.error or not command.returned:
                continue
            place = evaluation.test_case.calls[command.call].operation.id, command.place
            self._looks[place] += 1
            if self._looks[place] <= MAX_LOOKS:
                yield from self._of_query(evaluation, query, rows_of)

    def _of_query(self, evaluation: Evaluation, query: DatabaseQuery, rows_of: RowsOf) -> Iterator[InjectionHint]:
        sites = [
            site for site in sites_of_call(evaluation, query.command.call) if _stands_in(query, to_text(site.value))
        ]
        for reader in (query.readers() or ()) if sites else ():
            rows = (rows_of(query.database, reader) or ())[:MAX_ROWS]
            for site in sites:
                for column, keys in _other_keys(rows, to_text(site.value)):
                    yield from self._of_site(evaluation, query, site, f"{reader.table}.{column}", keys)

    def _of_site(
        self, evaluation: Evaluation, query: DatabaseQuery, site: Site, column: str, keys: tuple[str, ...]
    ) -> Iterator[InjectionHint]:
        operation = evaluation.test_case.calls[query.command.call].operation
        name = ".".join(map(str, (operation.inputs[site.address.input].name, *site.address.path, *site.inner)))
        key = (operation.id, query.command.place, name, f"other rows by {column}")
        if key not in self._proposed:
            self._proposed.add(key)
            yield InjectionHint(
                key=key, call=query.command.call, address=site.address, inner=site.inner, templates=keys
            )


def _stands_in(query: DatabaseQuery, text: str) -> bool:
    """Whether an input is among the values of a command."""
    command = query.command
    given = (one for one in scalars_in(list(command.params)) if isinstance(one, str) or is_number(one))
    if any(to_text(one) == text for one in given):
        return True
    return re.search(rf"(?<![\w.]){re.escape(text)}(?![\w.])", command.text) is not None


def _other_keys(rows: Sequence[Cells], key: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields each column in which one row alone has the key, with the keys of rows that differ from that row."""
    for column in rows[0] if len(rows) > 1 else ():
        keys = [_as_text(row.get(column)) for row in rows]
        if keys.count(key) == 1 and len(set(keys)) == len(keys) and "" not in keys:
            others = _different(rows, keys.index(key), column)
            yield column, tuple(keys[number] for number in others)


def _different(rows: Sequence[Cells], own: int, key: str) -> list[int]:
    """Returns the numbers of the rows that show most kinds of cells which the rows before them do not show."""
    kinds = _kinds_of(rows, key)
    seen, chosen = set(kinds[own]), list[int]()
    left = [number for number in range(len(rows)) if number != own]
    while left and len(chosen) < MAX_KEYS:
        best = max(left, key=lambda number: (len(kinds[number] - seen), -number))
        if chosen and not kinds[best] - seen:
            break
        chosen.append(best)
        seen |= kinds[best]
        left.remove(best)
    return chosen


def _kinds_of(rows: Sequence[Cells], key: str) -> list[set[tuple[str, str]]]:
    """Returns, for each row, what its cells are like, by column."""
    columns = dict.fromkeys(column for row in rows for column in row if column != key)  # documents may lack some
    values = {column: {_as_text(row.get(column)) for row in rows} for column in columns}
    few = {column for column in columns if len(values[column]) <= FEW_VALUES and len(values[column]) < len(rows)}
    return [{(column, _kind(row.get(column), column in few)) for column in columns} for row in rows]


def _kind(value: Value, is_of_few: bool) -> str:
    if value is None or value in ("", [], {}):
        return "none" if value is None else "empty"
    if is_of_few:
        return _as_text(value)
    if is_number(value):
        return "positive" if value > 0 else "not positive"
    return "some"


def _as_text(value: Value) -> str:
    """Returns a cell as inputs spell it; empty for what no input can hold."""
    value = plain(value) if isinstance(value, ObjectId) else value
    return to_text(value) if isinstance(value, str) or is_number(value) else ""
