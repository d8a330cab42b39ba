"""What would make a database refuse the writes of an evaluation, as hints: an API that is told so often answers with 500, or not as it means to.

No target leads there: that a command is refused is no line and no branch of its own. So each write of each operation is tried a few times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from wimble.engine.command_languages import RowReader, before_conflict, conflicts_in, readers_for
from wimble.model.database import Command, Database, TableName
from wimble.model.evaluation import Evaluation, QueryHint
from wimble.model.setup import inserted_rows
from wimble.sql.conflicts import Conflict
from wimble.sql.scope import Cells
from wimble.types import OperationId, TargetId

MAX_TRIES: Final = 2
"""Of one write by one operation; each has its conflicts with the values of another call."""
MAX_TEXTS: Final = 4
"""Commands of one operation told apart at one place of the SUT."""
NO_TARGET: Final = TargetId(-1)

RowsOf: TypeAlias = Callable[[Database, RowReader], Sequence[Cells] | None]


class Conflicts:
    """Remembers what was tried."""

    def __init__(self) -> None:
        self._tries: Counter[tuple[OperationId, str, str]] = Counter()
        self._texts: Counter[tuple[OperationId, str]] = Counter()

    def add(self, evaluation: Evaluation, schemas: Mapping[str, Database], rows_of: RowsOf) -> None:
        """Adds to `conflicts`, in place. rows_of: those that were there before the calls or are after them, but for what the test case
        itself has brought; None where they cannot be read."""
        for command in evaluation.commands:
            database = schemas.get(command.database)
            if database is not None and self._is_due(evaluation, command):
                hints = (_hint(evaluation, command, database, one, rows_of) for one in conflicts_in(command, database))
                evaluation.conflicts += tuple(hint for hint in hints if hint is not None)

    def _is_due(self, evaluation: Evaluation, command: Command) -> bool:
        if (
            command.error
            or not (command.affected or command.returned)
            or command.call >= len(evaluation.test_case.calls)
        ):
            return False
        site = evaluation.test_case.calls[command.call].operation.id, command.site
        key = (*site, command.text)
        if key not in self._tries:
            if self._texts[site] >= MAX_TEXTS:
                return False
            self._texts[site] += 1
        self._tries[key] += 1
        return self._tries[key] <= MAX_TRIES


def _hint(
    evaluation: Evaluation, command: Command, database: Database, conflict: Conflict, rows_of: RowsOf
) -> QueryHint | None:
    tables = {}
    for reader in readers_for(conflict, database):
        rows = rows_of(database, reader)
        if rows is None:
            return None
        rows = [*rows, *_brought(evaluation, database, reader.name)]
        if conflict.is_found and reader.name == conflict.table.name:
            rows = before_conflict(conflict, database.dialect, rows)
        tables[reader.table] = rows
    return QueryHint(
        target=NO_TARGET,
        call=command.call,
        wanted=conflict.is_found,
        command=Command(
            database=command.database, call=command.call, site=command.site, text=conflict.text, params=conflict.params
        ),
        database=database,
        tables=tables,
    )


def _brought(evaluation: Evaluation, database: Database, table: TableName) -> Iterator[Cells]:
    """They may have been deleted since. Of documents that is no matter: nothing points to them."""
    for inserted in inserted_rows(evaluation.test_case) if database.dialect != "mongo" else ():
        if inserted.database == database.id and inserted.table == table:
            names = [name.lower() for name in inserted.columns]
            yield from (dict(zip(names, row, strict=True)) for row in inserted.rows)
