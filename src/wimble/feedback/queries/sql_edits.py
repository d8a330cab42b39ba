"""`query` hints: edits by which a command finds rows, or finds none, if it was the other way ([WB-Advanced] §6).

There are two ways to find rows: inputs take the values of existing rows, or rows with the inputs' values are inserted.
Inserted rows are linked to the inputs, so that a row's email changes together with the input's email.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from random import Random

from wimble.databases.conditions.stored_values import Value, from_json, json_value, text_of
from wimble.databases.conditions.value_distance import equal
from wimble.databases.sql.row_plan import Plan, PlannedRow, key_of
from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.rows_to_insert import rows_wanted
from wimble.databases.sql.sql_statements import near_misses, statement
from wimble.databases.sql.wanted_rows import planned_rows
from wimble.feedback.edit import Proposal, SetupEdit
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.input_to_state.origin import Origin, Place
from wimble.feedback.queries.inserts import (
    INSERT_COST,
    N_VARIANTS,
    existing_rows,
    insert_action,
    origin_of,
    other_inputs,
    without_inserts,
    written,
)  # fmt: skip
from wimble.model.database import Column
from wimble.model.hints import QueryHint
from wimble.model.setup import MAX_SETUP, value_of, without_setup
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import TestCase
from wimble.types import Json


def sql_edits(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns edits for one hint, unordered."""
    command = statement(hint.command.text, hint.database.dialect)
    if command is None or command.query is None:
        return []
    params = tuple(from_json(value) for value in hint.command.params)
    request = RowRequest(command, hint.database, hint.tables, params, hint.kept_params)
    plan = planned_rows(request, rng)
    if plan is None:
        return []
    if not hint.wanted:
        return [*_other_inputs(hint, plan, index, rng), *_near_misses(hint, request, index, rng)]
    return [*_existing_rows(hint, plan, index), *_new_rows(hint, request, index, rng)]


# -- existing rows ------------------------------------------------------------------------------------------------


def _existing_rows(hint: QueryHint, plan: Plan, index: InputIndex) -> Iterator[Proposal]:
    """Yields edits by which all inputs that a planned row is compared with take the values of one existing row."""
    for planned in plan.rows:
        origins = _origins(planned, index)
        rows = hint.tables.get(key_of(planned.table), ()) if origins else ()
        nearest = sorted(rows, key=lambda row: _n_misses(planned, origins, row))
        why = f"finds rows: {', '.join(origins)} of a row of {planned.table.name}"
        yield from existing_rows(hint, (_places(planned, origins, row) for row in nearest), why)


def _origins(planned: PlannedRow, index: InputIndex) -> dict[str, Origin]:
    """Returns the columns that are compared with inputs, with the origins of the operands."""
    found = {}
    for name, operand in sorted(planned.operands.items()):
        origin = origin_of(index, json_value(_column(planned, name), operand)) or origin_of(index, operand)
        if origin is not None:
            found[name] = origin
    return found


def _column(planned: PlannedRow, name: str) -> Column:
    return next(column for column in planned.table.columns if column.name.lower() == name)


def _n_misses(planned: PlannedRow, origins: dict[str, Origin], row: Mapping[str, Value]) -> int:
    """Returns the number of columns, not determined by an input, in which the row differs from the plan."""
    fixed = [name for name in planned.values if name not in origins]
    return sum(1 for name in fixed if not equal(planned.values[name], row.get(name)).value)


def _places(planned: PlannedRow, origins: dict[str, Origin], row: Mapping[str, Value]) -> list[Place]:
    values = ((name, json_value(_column(planned, name), row.get(name))) for name in origins)
    return written(
        (origins[name], value)
        for name, value in values
        if value is not None and not equal(planned.operands[name], row.get(name)).value
    )


# -- new rows -----------------------------------------------------------------------------------------------------


def _new_rows(hint: QueryHint, request: RowRequest, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields rows as setup actions, linked to the inputs with which the command compares them."""
    before = index.test_case.setup
    for variant in range(N_VARIANTS):
        wanted = rows_wanted(request, rng)
        rows = wanted.rows
        if not rows or len(before) + len(rows) > MAX_SETUP:
            return
        actions = tuple(insert_action(hint.database, row, len(before), index) for row in rows)
        why = f"finds rows: {', '.join(dict.fromkeys(str(row.table.name) for row in rows))} inserted"
        followed = [_followed(old, new, index) for old, new in wanted.renamed]
        if not all(followed):
            continue  # the command would still search for another row
        also = tuple(place for places in followed for place in places)
        yield Proposal(INSERT_COST + variant, SetupEdit((*before, *actions), hint.target, why, also))


def _followed(operand: Value, wanted: Value, index: InputIndex) -> tuple[Place, ...]:
    """Returns the places to change if no row can satisfy an operand that comes from an input.

    The input takes a value that a row can have.
    """
    origin = origin_of(index, operand)
    wanted = text_of(wanted) if isinstance(wanted, datetime) else wanted
    return tuple(place for place in origin.write(wanted) if place[0].call >= 0) if origin is not None else ()


# -- no rows wanted -----------------------------------------------------------------------------------------------


def _other_inputs(hint: QueryHint, plan: Plan, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields another value for an input with which rows are compared; then the test case without its inserted rows."""
    for planned in plan.rows:
        yield from other_inputs(hint, _origins(planned, index), rng)
    yield from without_inserts(hint, index)


def _near_misses(hint: QueryHint, request: RowRequest, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Replaces the inserted rows by rows that fail one condition of the command.

    Other commands that search for these rows then still find them.
    """
    test_case = index.test_case
    names = {name for name, _ in request.statement.tables}
    replaced = [number for number, action in test_case.setup_of(DatabaseAction) if action.table.name.lower() in names]
    if not replaced:
        return
    kept = test_case
    for number in reversed(replaced):
        kept = without_setup(kept, number)
    tables = _without_rows(hint, test_case, replaced)
    for missed in near_misses(request.statement, hint.database.dialect):
        wanted = rows_wanted(RowRequest(missed, hint.database, tables, request.params), rng)
        if wanted.rows and len(kept.setup) + len(wanted.rows) <= MAX_SETUP:
            actions = tuple(insert_action(hint.database, row, len(kept.setup), index) for row in wanted.rows)
            also = tuple(place for old, new in wanted.renamed for place in _followed(old, new, index))
            why = "finds no rows: one condition is missed"
            yield Proposal(INSERT_COST, SetupEdit((*kept.setup, *actions), hint.target, why, also))


def _without_rows(
    hint: QueryHint, test_case: TestCase, numbers: list[int]
) -> Mapping[str, Sequence[Mapping[str, Json]]]:
    """Returns the existing rows without those of these setup actions, identified by their keys."""
    gone: list[dict[str, Json]] = []
    for number in numbers:
        action = test_case.setup[number]
        assert isinstance(action, DatabaseAction)
        gone.append(
            {
                column.name.lower(): value_of(test_case, gene)
                for column, gene in zip(action.columns, action.genes, strict=True)
                if column.name in action.keys
            }
        )
    return {
        name: [
            row
            for row in rows
            if not any(keys and all(equal(row.get(key), value).value for key, value in keys.items()) for keys in gone)
        ]
        for name, rows in hint.tables.items()
    }
