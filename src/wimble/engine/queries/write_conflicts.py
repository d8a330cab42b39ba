"""Hints for rows that would make a database refuse what an evaluation wrote: many APIs answer that with a fault.

No target leads there, since a refused command has no line or branch of its own. So each write of each operation is
tried a few times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.database_language import Conflict, RowReader
from wimble.databases.languages import language_of
from wimble.model.database import Database, DatabaseCommand, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.hints import QueryHint
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.types import OperationId, TargetId

MAX_TRIES: Final = 2
"""Tries per write of one operation; the conflicts of each try have the values of another call."""
MAX_TEXTS: Final = 4
"""Number of commands of one operation that are distinguished at one place of the SUT."""
NO_TARGET: Final = TargetId(-1)

RowsOf: TypeAlias = Callable[[Database, RowReader], Sequence[Cells] | None]


class WriteConflicts:
    """Proposes conflicts, a few times for each write."""

    def __init__(self) -> None:
        self._tries: Counter[tuple[OperationId, str, str]] = Counter()
        self._texts: Counter[tuple[OperationId, str]] = Counter()

    def hints(self, evaluation: Evaluation, schemas: Mapping[str, Database], rows_of: RowsOf) -> Iterator[QueryHint]:
        """Yields a hint for each conflict of the evaluation's writes.

        rows_of: returns the rows that were there before the calls or are there after them, without those that the test
        case inserted itself; None if they cannot be read.
        """
        for command in evaluation.interactions_of(DatabaseCommand):
            database = schemas.get(command.database)
            if database is not None and self._is_due(evaluation, command):
                for conflict in language_of(database.dialect).conflicts(command, database):
                    hint = _hint(evaluation, command, database, conflict, rows_of)
                    if hint is not None:
                        yield hint

    def _is_due(self, evaluation: Evaluation, command: DatabaseCommand) -> bool:
        if (
            command.error
            or not (command.affected or command.returned)
            or command.call >= len(evaluation.test_case.calls)
        ):
            return False
        site = evaluation.test_case.calls[command.call].operation.id, command.place
        key = (*site, command.text)
        if key not in self._tries:
            if self._texts[site] >= MAX_TEXTS:
                return False
            self._texts[site] += 1
        self._tries[key] += 1
        return self._tries[key] <= MAX_TRIES


def _hint(
    evaluation: Evaluation, command: DatabaseCommand, database: Database, conflict: Conflict, rows_of: RowsOf
) -> QueryHint | None:
    tables = {}
    language = language_of(database.dialect)
    for reader in language.conflict_readers(conflict, database):
        rows = rows_of(database, reader)
        if rows is None:
            return None
        rows = [*rows, *_inserted(evaluation, database, reader.name)]
        if conflict.is_found and reader.name == conflict.table.name:
            rows = language.rows_before_conflict(conflict, rows)
        tables[reader.table] = rows
    return QueryHint(
        target=NO_TARGET,
        call=command.call,
        wanted=conflict.is_found,
        command=DatabaseCommand(
            database=command.database, call=command.call, site=command.site, text=conflict.text, params=conflict.params
        ),
        database=database,
        tables=tables,
    )


def _inserted(evaluation: Evaluation, database: Database, table: TableName) -> Iterator[Cells]:
    """Yields rows of the test case's own setup, which calls may have deleted.

    Yields none if the database has no references.
    """
    for inserted in inserted_rows(evaluation.test_case) if language_of(database.dialect).has_references else ():
        if inserted.database == database.id and inserted.table == table:
            names = [name.lower() for name in inserted.columns]
            yield from (dict(zip(names, row, strict=True)) for row in inserted.rows)
