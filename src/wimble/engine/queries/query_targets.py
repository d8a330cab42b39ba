"""Targets of database commands: rows found, and no rows found, with the distance to the outcome that was missed.

Outcomes are distinguished by the operation that ran the command: if `GET /members/{card}` has found a row, `POST
/loans` still has to find one. So they are where a call runs the same command for a second value (both harbours of a
passage): rows for the first one are not enough. Rows are read only for commands with an uncovered outcome, so the stage
costs little once both outcomes are covered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.conditions.truth import Truth
from wimble.databases.database_language import DatabaseQuery, RowReader, Rows
from wimble.databases.languages import language_of
from wimble.databases.queries_per_row import queries_per_row
from wimble.databases.query_outcome import Outcome, is_found, outcome_of
from wimble.engine.queries.column_limits import ColumnLimits
from wimble.engine.queries.injection_targets import InjectionTargets
from wimble.engine.queries.other_rows import OtherRows
from wimble.engine.queries.row_replacement import BranchesBehind
from wimble.engine.queries.user_rows import UserRows
from wimble.engine.queries.write_conflicts import WriteConflicts
from wimble.model.database import Database, DatabaseCommand, Databases
from wimble.model.evaluation import Additions, Evaluation, Reached, keep_nearest
from wimble.model.hints import Hint, InjectionHint, QueryHint
from wimble.model.targets import Target, TargetTable
from wimble.types import Json, OperationId, TargetId

MAX_TEXTS_PER_SITE = 30
"""Number of commands of one operation that are distinguished at one place of the SUT. If there are more, values are
part of the text, and all further texts count as one.
"""
MAX_TEXTS_ALIKE = 4
"""The same limit for commands that do the same with the same tables. If there are more, the text is composed of
optional filters and columns: the number of texts grows exponentially, but the operation does the same with the rows.
"""
MAX_MEASURED = 20
"""Number of commands of one evaluation whose distance is computed."""
ALWAYS_MEASURED = 40
"""Number of first evaluations in which a command is always measured."""
RESTING_PERIOD = 10
"""A command whose other outcome is still uncovered after `ALWAYS_MEASURED` evaluations is measured in every tenth only,
because measuring reads its rows. An `UPDATE` by a key that was just read, for example, always finds its row.
"""
AGAIN = " (for further values)"
"""Behind the text of a command that the same call has run before, for other values."""
MAX_DETAIL = 100
"""Maximum number of characters of a command in a target's name."""

_SITE = re.compile(r"(.+?):(\d+)(?::(\d+))?")


class _Outcomes(msgspec.Struct, frozen=True):
    found: TargetId
    missed: TargetId


class _ValuesOfCommands:
    """Tells whether a call has run the same command before, for other values."""

    def __init__(self) -> None:
        self._first: dict[tuple[int, str, str], tuple[str, Sequence[Json]]] = {}

    def are_further(self, query: DatabaseQuery) -> bool:
        command = query.command
        own = command.text, command.params
        return self._first.setdefault((command.call, command.site, query.shape), own) != own


class _Gathered:
    """Collects what the commands of one evaluation add to it."""

    def __init__(self, evaluation: Evaluation, hints: Sequence[Hint]) -> None:
        """hints: those of earlier stages."""
        self.evaluation = evaluation
        self.earlier_hints = hints
        self._reached: dict[TargetId, Reached] = {}
        self._hints: list[QueryHint] = []

    def reach(self, target: TargetId, h: float, call: int) -> None:
        """Adds a target that a command of the call reached, unless it was reached more closely already."""
        keep_nearest(self._reached, target, h, call)

    def hint_at(self, query: DatabaseQuery, rows: Rows, targets: Sequence[TargetId], *, wanted: bool = True) -> None:
        """Adds a hint for each target.

        wanted: True if rows are to be found, False if none are to be found.
        """
        command, database = query.command, query.database
        self._hints += [
            QueryHint(target=target, call=command.call, wanted=wanted, command=command, database=database, tables=rows)
            for target in targets
        ]

    def additions(self, conflicts: Sequence[QueryHint], injections: Sequence[InjectionHint]) -> Additions:
        return Additions(reached=self._reached, hints=self._hints, conflicts=conflicts, injections=injections)


class QueryTargets:
    """The stage of the evaluator that adds the targets of commands, and hints for rows.

    The rows of a table are read once for all evaluations that leave the table as the last reset did, and once for
    successive evaluations between which nothing was written.
    """

    def __init__(self, table: TargetTable, databases: Databases, is_covered: Callable[[TargetId], bool]) -> None:
        self._table = table
        self._databases = databases
        self._is_covered = is_covered
        self._behind = BranchesBehind(is_covered)
        self._conflicts = WriteConflicts()
        self._injections = InjectionTargets()
        self._user_rows = UserRows()
        self._limits = ColumnLimits()
        self._other_rows = OtherRows()
        self._outcomes: dict[tuple[str, str, str], _Outcomes] = {}
        self._texts: Counter[tuple[str, ...]] = Counter()
        self._rows: dict[tuple[str, str], Sequence[Cells]] = {}
        self._put_back: dict[tuple[str, str], tuple[object, Sequence[Cells]]] = {}
        """By database and query: the contents of a table after the last reset, as a token, and its rows then."""
        self._truths: dict[tuple[str, str, bytes], Truth | None] = {}
        self._visits: dict[_Outcomes, int] = {}
        self._is_written = True
        """Whether the last evaluation changed something, which is undone before the next one."""

    def additions(
        self, evaluation: Evaluation, *, hints: Sequence[Hint], full: bool, wants_hints: bool = True
    ) -> Additions:
        """Returns targets and hints for the commands of an evaluation.

        hints: the evaluation's, with those that earlier stages added. full: also report covered targets.
        """
        schemas = {database.id: database for database in self._databases.schemas}
        queries = self._queries_of(evaluation, schemas)
        conflicts = tuple(self._conflicts.hints(evaluation, schemas, self._rows_at_any_time)) if wants_hints else ()
        injections = (
            (
                *self._injections.hints(evaluation),
                *self._limits.hints(evaluation, schemas),
                *self._other_rows.hints(evaluation, queries, self._rows_of),
            )
            if wants_hints
            else ()
        )
        user_rows = tuple(self._user_rows.of(evaluation, schemas, self._rows_of)) if wants_hints else ()
        gathered = _Gathered(evaluation, hints)
        self._measure(gathered, queries, full=full, wants_hints=wants_hints)
        return msgspec.structs.replace(
            gathered.additions(conflicts, injections),
            user_rows=user_rows,
            queries_per_row=tuple(queries_per_row(_commands_of_calls(evaluation))),
        )

    def _queries_of(self, evaluation: Evaluation, schemas: Mapping[str, Database]) -> list[DatabaseQuery]:
        """Returns the commands that search for rows. Discards rows that were read before the last write."""
        is_written = bool(evaluation.test_case.setup)
        queries: list[DatabaseQuery] = []
        for command in _commands_of_calls(evaluation):
            database = schemas.get(command.database)
            if database is None:
                continue
            query = language_of(database.dialect).query(command, database)
            is_written = is_written or query is None or not query.is_read
            if query is not None:
                queries.append(query)
        if is_written or self._is_written:
            self._rows.clear()
            self._truths.clear()
        self._is_written = is_written
        return queries

    def _measure(self, gathered: _Gathered, queries: Sequence[DatabaseQuery], *, full: bool, wants_hints: bool) -> None:
        measured, values = 0, _ValuesOfCommands()
        for query in queries:
            for outcomes in self._all_outcomes_of(query, gathered, is_further=values.are_further(query)):
                if full or not (self._is_covered(outcomes.found) and self._is_covered(outcomes.missed)):
                    measured += 1
                    if measured > MAX_MEASURED:
                        return
                    self._add(gathered, query, outcomes, full=full, wants_hints=wants_hints)
                    if wants_hints:
                        self._add_for_own_rows(gathered, query)
                elif wants_hints and self._is_due(outcomes):
                    self._add_for_branches_behind(gathered, query, outcomes)

    def _all_outcomes_of(self, query: DatabaseQuery, gathered: _Gathered, *, is_further: bool) -> list[_Outcomes]:
        """is_further: whether the call has run the command before, for another value."""
        operation = gathered.evaluation.test_case.calls[query.command.call].operation.id
        texts = [query.shape, f"{query.shape}{AGAIN}"] if is_further else [query.shape]
        return [self._outcomes_of(query.command.site, text, query.reading, operation) for text in texts]

    def _add_for_branches_behind(self, gathered: _Gathered, query: DatabaseQuery, outcomes: _Outcomes) -> None:
        """Adds hints for branches that run after the command and may need rows with other values.

        Both outcomes of the command are covered. If the test case inserts rows and the command still finds none, an
        edit of an input may have invalidated these rows (search/generators/edits/edit_repairs.py).
        """
        if is_found(query.command, query, None) is not False:
            self._add_for_own_rows(gathered, query)
            return
        targets = self._behind.waiting(gathered.earlier_hints, query.command)
        if gathered.evaluation.test_case.setup:
            targets.append(outcomes.found)
        rows = self._rows_for(query) if targets else None
        if rows is not None:
            gathered.hint_at(query, query.rows_before(rows), targets)

    def _add_for_own_rows(self, gathered: _Gathered, query: DatabaseQuery) -> None:
        """Adds hints for branches that may need an inserted row in place of a row that was found."""
        command = query.command
        if gathered.evaluation.test_case.setup or not is_found(command, query, None) or not query.is_read:
            return
        if not query.rows_can_be_replaced or not self._behind.may_wait_for_other_rows(gathered.earlier_hints, command):
            return
        rows = self._rows_for(query)
        if rows is not None:
            targets = self._behind.waiting_for_other_rows(gathered.earlier_hints, command, rows)
            gathered.hint_at(query, rows, targets)

    def _add(
        self, gathered: _Gathered, query: DatabaseQuery, outcomes: _Outcomes, *, full: bool, wants_hints: bool
    ) -> None:
        """Adds both outcomes of the command, and the rows of its tables as a hint if an outcome is not covered."""
        command = query.command
        is_measured = self._is_due(outcomes) if not full else False
        rows = self._rows_for(query) if is_measured or query.is_count else None
        truth = None if rows is None else self._truth(query, rows)
        found = is_found(command, query, truth)
        if found is None:
            return
        if rows is not None and not found:
            rows = query.rows_before(rows)
        outcome: Outcome = outcome_of(found, truth)
        for target, h, wanted in ((outcomes.found, outcome.h_found, True), (outcomes.missed, outcome.h_missed, False)):
            if not full and self._is_covered(target):
                continue
            gathered.reach(target, h, command.call)
            if wants_hints and h < 1.0 and rows is not None:
                gathered.hint_at(query, rows, [target], wanted=wanted)

    def _is_due(self, outcomes: _Outcomes) -> bool:
        visits = self._visits[outcomes] = self._visits.get(outcomes, 0) + 1
        return visits <= ALWAYS_MEASURED or visits % RESTING_PERIOD == 0

    def _outcomes_of(self, place: str, text: str, reading: str, operation: OperationId) -> _Outcomes:
        """reading: what the command does with which tables, in a few words."""
        known = self._outcomes.get((operation, place, text))
        if known is None:
            text = self._told_apart((operation, place), text, reading)
            known = self._outcomes.get((operation, place, text))
        if known is None:
            known = self._outcomes[operation, place, text] = self._registered(place, text, operation)
        return known

    def _told_apart(self, site: tuple[OperationId, str], text: str, reading: str) -> str:
        """Returns the text itself, or the common name of all further texts of the place."""
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
                Target("query", file, line, column, f"{how} by {operation}: {_shown(text)}".rstrip(), operation, how)
            )
            for how in ("found", "not found")
        )
        return _Outcomes(found, missed)

    def _rows_for(self, query: DatabaseQuery) -> Rows | None:
        """Returns the rows of the tables that a command names; None if one of them cannot be read."""
        database = query.database
        readers = query.readers()
        if readers is None:
            return None
        rows: dict[str, Sequence[Cells]] = {}
        for one in readers:
            found = self._rows_of(database, one)
            if found is None:
                return None
            rows[one.table] = found
        return rows

    def _rows_at_any_time(self, database: Database, reader: RowReader) -> Sequence[Cells] | None:
        """Returns the present rows, and those after the last reset if they were read then.

        Returns None if they cannot be read.
        """
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

    def _truth(self, query: DatabaseQuery, rows: Rows) -> Truth | None:
        command = query.command
        key = (command.database, command.text, msgspec.json.encode(command.params))
        if key not in self._truths:
            self._truths[key] = query.truth(rows)
        return self._truths[key]


def _commands_of_calls(evaluation: Evaluation) -> list[DatabaseCommand]:
    """Returns the commands that calls of the test case ran, in order."""
    n_calls = len(evaluation.test_case.calls)
    return [one for one in evaluation.interactions_of(DatabaseCommand) if one.call < n_calls]


def place_of_site(site: str) -> tuple[str, int, int]:
    """Returns file, line and column of `file:line` or `file:line:column`.

    Returns an empty file and 0 if the text is neither.
    """
    found = _SITE.fullmatch(site)
    return (found[1], int(found[2]), int(found[3] or 0)) if found is not None else ("", 0, 0)


def _shown(text: str) -> str:
    """Returns a text for a target's name, with what tells it apart."""
    end = AGAIN if text.endswith(AGAIN) else ""
    return text.removesuffix(end)[:MAX_DETAIL] + end
