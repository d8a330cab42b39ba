"""Targets of databases: both outcomes of each command, rows found and none, with how far they were missed.

An operation has outcomes of its own of a command that many run: what `GET /members/{card}` found, `POST /loans` still has to find.

Costs nothing until the SUT runs a command, and little where both outcomes are covered: rows are read only for commands whose other
outcome is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from wimble.engine.behind import Behind
from wimble.engine.command_languages import (
    AnyStatement,
    RowReader,
    asked,
    before_it,
    readers_of,
    reading_of,
    shown,
    truth_of,
    understood,
)
from wimble.engine.conflicts import Conflicts
from wimble.model.database import Command, Database, Databases, Dialect
from wimble.model.evaluation import Evaluation, QueryHint, keep_nearest
from wimble.model.targets import Target, TargetTable
from wimble.sql.outcome import Outcome, is_found, outcome_of
from wimble.sql.scope import Cells
from wimble.sql.statements import Statement
from wimble.sql.truth import Truth
from wimble.types import OperationId, TargetId

MAX_TEXTS_PER_SITE = 30
"""Commands of one operation told apart at one place of the SUT; more are one that has its values written into its text."""
MAX_TEXTS_ALIKE = 4
"""The same of commands that do the same with the same tables; more are one that is put together from optional filters and columns. Their
number grows with the power of these, and what the operation does with what they find does not."""
MAX_MEASURED = 20
"""Commands of one evaluation whose distance is worked out."""
ALWAYS_MEASURED = 40
RESTING_PERIOD = 10
"""A command whose other outcome has not come in so many evaluations is measured in every tenth only: rows have to be read for it, and an
`UPDATE` by a key that was just read will always find its row."""
MAX_DETAIL = 100
"""Characters of a command in a target's name."""

_SITE = re.compile(r"(.+?):(\d+)(?::(\d+))?")

Rows: TypeAlias = dict[str, Sequence[Cells]]


class _Outcomes(msgspec.Struct, frozen=True):
    found: TargetId
    missed: TargetId


class _Query(NamedTuple):
    """A command that looks for something."""

    command: Command
    database: Database
    compiled: AnyStatement

    @property
    def dialect(self) -> Dialect:
        return self.database.dialect


class QueryTargets:
    """Adds what commands came to to evaluations. Rows of a table are read once for all evaluations that
    leave it as it was put back, and for all between which nothing was written."""

    def __init__(self, table: TargetTable, databases: Databases, is_covered: Callable[[TargetId], bool]) -> None:
        self._table = table
        self._databases = databases
        self._is_covered = is_covered
        self._behind = Behind(is_covered)
        self._conflicts = Conflicts()
        self._outcomes: dict[tuple[str, str, str], _Outcomes] = {}
        self._texts: Counter[tuple[str, ...]] = Counter()
        self._rows: dict[tuple[str, str], Sequence[Cells]] = {}
        self._put_back: dict[tuple[str, str], tuple[object, Sequence[Cells]]] = {}
        """Of tables that hold what they held after the last reset, by their query: what stands for that, and the rows."""
        self._truths: dict[tuple[str, str, bytes], Truth | None] = {}
        self._visits: dict[_Outcomes, int] = {}
        self._is_written = True
        """Whether the last evaluation changed something, which is taken back before this one."""

    def add(self, evaluation: Evaluation, *, full: bool, hints: bool) -> None:
        """Adds to `reached` and `hints`, in place. full: covered targets, too."""
        schemas = {database.id: database for database in self._databases.schemas}
        is_written = bool(evaluation.test_case.setup)
        measured = 0
        queries: list[_Query] = []
        for command in evaluation.commands:
            database = schemas.get(command.database)
            if database is None or command.call >= len(evaluation.test_case.calls):
                continue
            told = asked(command, database.dialect)
            compiled = understood(told, database.dialect) if told is not None else None
            is_written = is_written or compiled is None or not compiled.is_read
            if told is not None and compiled is not None:
                queries.append(_Query(told, database, compiled))
        if is_written or self._is_written:
            self._rows.clear()
            self._truths.clear()
        self._is_written = is_written
        if hints:
            self._conflicts.add(evaluation, schemas, self._rows_at_any_time)
        for query in queries:
            operation = evaluation.test_case.calls[query.command.call].operation.id
            text = shown(query.command, query.compiled)
            outcomes = self._outcomes_of(query.command.site, text, reading_of(query.compiled), operation)
            if full or not (self._is_covered(outcomes.found) and self._is_covered(outcomes.missed)):
                measured += 1
                if measured > MAX_MEASURED:
                    return
                self._add(evaluation, query, outcomes, full=full, hints=hints)
                if hints:
                    self._add_for_own_rows(evaluation, query)
            elif hints and self._is_due(outcomes):
                self._add_for_what_is_behind(evaluation, query, outcomes)

    def _add_for_what_is_behind(self, evaluation: Evaluation, query: _Query, outcomes: _Outcomes) -> None:
        """What the command comes to is covered, but branches of this call may wait for a row with other values. Where the call brings rows and
        none is found, a change of an input may have come between them (search/repairs.py)."""
        if is_found(query.command, query.compiled, None) is not False:
            self._add_for_own_rows(evaluation, query)
            return
        targets = self._behind.waiting(evaluation, query.command)
        if evaluation.test_case.setup:
            targets.append(outcomes.found)
        rows = self._rows_for(query) if targets else None
        if rows is not None:
            _hint_at(evaluation, query, before_it(query.command, query.dialect, rows), targets)

    def _add_for_own_rows(self, evaluation: Evaluation, query: _Query) -> None:
        """Branches behind a row that was there may wait for one of the test case's own in its place."""
        command, _, compiled = query
        if evaluation.test_case.setup or not is_found(command, compiled, None) or not compiled.is_read:
            return
        is_sql = isinstance(compiled, Statement) and query.dialect != "redis"
        if not is_sql or not self._behind.may_wait_for_other_rows(evaluation, command):
            return
        rows = self._rows_for(query)
        if rows is not None:
            _hint_at(evaluation, query, rows, self._behind.waiting_for_other_rows(evaluation, command, rows))

    def _add(self, evaluation: Evaluation, query: _Query, outcomes: _Outcomes, *, full: bool, hints: bool) -> None:
        command, _, compiled = query
        is_measured = self._is_due(outcomes) if not full else False
        rows = self._rows_for(query) if is_measured or compiled.is_count else None
        truth = None if rows is None else self._truth(query, rows)
        found = is_found(command, compiled, truth)
        if found is None:
            return
        if rows is not None and not found:
            rows = before_it(command, query.dialect, rows)
        outcome: Outcome = outcome_of(found, truth)
        for target, h, wanted in ((outcomes.found, outcome.h_found, True), (outcomes.missed, outcome.h_missed, False)):
            if not full and self._is_covered(target):
                continue
            keep_nearest(evaluation.reached, target, h, command.call)
            if hints and h < 1.0 and rows is not None:
                _hint_at(evaluation, query, rows, [target], wanted=wanted)

    def _is_due(self, outcomes: _Outcomes) -> bool:
        visits = self._visits[outcomes] = self._visits.get(outcomes, 0) + 1
        return visits <= ALWAYS_MEASURED or visits % RESTING_PERIOD == 0

    def _outcomes_of(self, place: str, text: str, reading: str, operation: OperationId) -> _Outcomes:
        """reading: what it does with which tables, in a few words."""
        known = self._outcomes.get((operation, place, text))
        if known is None:
            text = self._told_apart((operation, place), text, reading)
            known = self._outcomes.get((operation, place, text))
        if known is None:
            known = self._outcomes[operation, place, text] = self._registered(place, text, operation)
        return known

    def _told_apart(self, site: tuple[OperationId, str], text: str, reading: str) -> str:
        """A text that was not seen there before, or what stands for all further ones."""
        if self._texts[site] >= MAX_TEXTS_PER_SITE:
            return ""
        if self._texts[*site, reading] >= MAX_TEXTS_ALIKE:
            return f"other {reading}"
        self._texts[site] += 1
        self._texts[*site, reading] += 1
        return text

    def _registered(self, place: str, text: str, operation: OperationId) -> _Outcomes:
        file, line, column = place_of_site(place)
        found, missed = (
            self._table.register(
                Target("query", file, line, column, f"{how} by {operation}: {text[:MAX_DETAIL]}".rstrip())
            )
            for how in ("found", "not found")
        )
        return _Outcomes(found, missed)

    def _rows_for(self, query: _Query) -> Rows | None:
        """The rows of the tables that a command names; None where one of them cannot be read."""
        database = query.database
        readers = readers_of(query.compiled, database)
        if readers is None:
            return None
        rows: Rows = {}
        for one in readers:
            found = self._rows_of(database, one)
            if found is None:
                return None
            rows[one.table] = found
        return rows

    def _rows_at_any_time(self, database: Database, reader: RowReader) -> Sequence[Cells] | None:
        """Those that are there now, and those that were when all was last put back, as far as they have been read."""
        rows = self._rows_of(database, reader)
        _, before = self._put_back.get((database.id, reader.query), (None, ()))
        return None if rows is None else [*rows, *(row for row in before if row not in rows)]

    def _rows_of(self, database: Database, reader: RowReader) -> Sequence[Cells] | None:
        contents = self._databases.contents_of(database.id, reader.name)
        put_back, rows = self._put_back.get((database.id, reader.query), (None, ()))
        if contents is not None and contents is put_back:
            return rows
        known = self._rows.get((database.id, reader.table))
        if known is None:
            result = self._databases.query(database.id, reader.query)
            if result.error:
                return None
            known = self._rows[database.id, reader.table] = reader.rows(result)
        if contents is not None:
            self._put_back[database.id, reader.query] = contents, known
        return known

    def _truth(self, query: _Query, rows: Rows) -> Truth | None:
        command = query.command
        key = (command.database, command.text, msgspec.json.encode(command.params))
        if key not in self._truths:
            self._truths[key] = truth_of(command, query.compiled, rows)
        return self._truths[key]


def _hint_at(
    evaluation: Evaluation, query: _Query, rows: Rows, targets: Sequence[TargetId], *, wanted: bool = True
) -> None:
    """For each target, that rows are wanted, or none."""
    command, database, _ = query
    hints = (
        QueryHint(target=target, call=command.call, wanted=wanted, command=command, database=database, tables=rows)
        for target in targets
    )
    evaluation.hints = (*evaluation.hints, *hints)


def place_of_site(site: str) -> tuple[str, int, int]:
    """File, line and column of `file:line` or `file:line:column`; no file and 0 where it is neither."""
    found = _SITE.fullmatch(site)
    return (found[1], int(found[2]), int(found[3] or 0)) if found is not None else ("", 0, 0)
