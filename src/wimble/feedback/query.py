"""`query` hints: a command that found rows, or none -> test cases in which it comes out the other way (seed 001 §6).

That it finds rows has two ways: inputs take the values of rows that are there, or rows are inserted that have the inputs' values. Then
they are linked, so that the row's email stays the input's email whatever becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from wimble.feedback.edit import Edit, Proposal, SetupEdit
from wimble.feedback.inputs import InputIndex
from wimble.feedback.origin import Origin, Place
from wimble.feedback.transforms.base import CONVERTED_COST
from wimble.feedback.values import is_number
from wimble.genes import Gene, LinkedGene
from wimble.model.database import Column
from wimble.model.evaluation import QueryHint
from wimble.model.setup import MAX_SETUP, InsertAction
from wimble.model.testcase import GeneAddress, SetupAction, setup_index
from wimble.sql.distance import equal
from wimble.sql.plan import Plan, PlannedRow, key_of
from wimble.sql.planning import planned_rows
from wimble.sql.rows import NewCell, NewRow, rows_wanted
from wimble.sql.statements import Statement, statement
from wimble.sql.values import Value, from_json, json_value
from wimble.types import Json

EXISTING_COST = 1
"""A row that is there is the surest; one that has to be made may be refused."""
INSERT_COST = 2
MAX_EXISTING = 4
"""Rows that are there whose values are tried."""
N_VARIANTS = 2
"""Sets of rows proposed: what the command leaves open is drawn anew for each."""


def query_edits(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Edits for one hint, not yet in order."""
    command = statement(hint.command.text, hint.database.dialect)
    if command is None or command.query is None:
        return []
    params = tuple(from_json(value) for value in hint.command.params)
    plan = planned_rows(command.tree, hint.database, hint.tables, params, rng)
    if plan is None:
        return []
    if not hint.wanted:
        return list(_other_inputs(hint, plan, index, rng))
    return [*_existing_rows(hint, plan, index), *_new_rows(hint, command, params, index, rng)]


# -- rows that are there ------------------------------------------------------------------------------------------


def _existing_rows(hint: QueryHint, plan: Plan, index: InputIndex) -> Iterator[Proposal]:
    """All inputs that one planned row is compared with take the values of one row that is there."""
    for planned in plan.rows:
        origins = _origins(planned, index)
        rows = hint.tables.get(key_of(planned.table), ()) if origins else ()
        for rank, row in enumerate(sorted(rows, key=lambda row: _n_misses(planned, origins, row))[:MAX_EXISTING]):
            places = _places(planned, origins, row)
            if places:
                (address, gene), *also = places
                why = f"finds rows: {', '.join(origins)} of a row of {planned.table.name}"
                yield Proposal(EXISTING_COST + rank, Edit(address, gene, hint.target, why, tuple(also)))


def _origins(planned: PlannedRow, index: InputIndex) -> dict[str, Origin]:
    """Columns that are compared with inputs, and the inputs."""
    found = {}
    for name, operand in sorted(planned.operands.items()):
        origin = _origin(index, json_value(_column(planned, name), operand)) or _origin(index, operand)
        if origin is not None:
            found[name] = origin
    return found


def _column(planned: PlannedRow, name: str) -> Column:
    return next(column for column in planned.table.columns if column.name.lower() == name)


def _n_misses(planned: PlannedRow, origins: dict[str, Origin], row: Mapping[str, Value]) -> int:
    """In how many of the columns that no input decides the row differs from what is wished for."""
    fixed = [name for name in planned.values if name not in origins]
    return sum(1 for name in fixed if not equal(planned.values[name], row.get(name)).value)


def _places(planned: PlannedRow, origins: dict[str, Origin], row: Mapping[str, Value]) -> list[Place]:
    places: dict[GeneAddress, Place] = {}
    for name, origin in origins.items():
        value = json_value(_column(planned, name), row.get(name))
        if value is None or equal(planned.operands[name], row.get(name)).value:
            continue
        for place in origin.write(value):
            places.setdefault(place[0], place)
    return list(places.values())


def _origin(index: InputIndex, operand: Json) -> Origin | None:
    """The likeliest input behind an operand."""
    if not isinstance(operand, str) and not is_number(operand):
        return None
    origins = index.origins(operand, with_guesses=False)
    return origins[0] if origins else None


# -- rows that are not --------------------------------------------------------------------------------------------


def _new_rows(
    hint: QueryHint, command: Statement, params: tuple[Value, ...], index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    before = index.test_case.setup
    for variant in range(N_VARIANTS):
        rows = rows_wanted(command, hint.database, hint.tables, params, rng)
        if not rows or len(before) + len(rows) > MAX_SETUP:
            return
        actions = tuple(_action(hint, row, len(before), index) for row in rows)
        why = f"finds rows: {', '.join(dict.fromkeys(str(row.table.name) for row in rows))} inserted"
        yield Proposal(INSERT_COST + variant, SetupEdit((*before, *actions), hint.target, why))


def _action(hint: QueryHint, row: NewRow, n_before: int, index: InputIndex) -> SetupAction:
    return InsertAction(
        genes=tuple(_linked(cell, n_before, index) for cell in row.cells),
        database=hint.database.id,
        dialect=hint.database.dialect,
        table=row.table.name,
        columns=tuple(cell.column for cell in row.cells),
        keys=(*row.table.primary_key, *(name for key in row.table.unique for name in key.columns)),
    )


def _linked(cell: NewCell, n_before: int, index: InputIndex) -> Gene:
    """The cell's gene, or a link to the row or the input whose value it has to have."""
    if cell.link is not None:
        row, position = cell.link
        return LinkedGene(setup_index(n_before + row), position, (), cell.gene)
    if cell.operand is not None:
        origin = _origin(index, json_value(cell.column, cell.operand)) or _origin(index, cell.operand)
        if origin is not None and origin.place is not None and origin.cost <= CONVERTED_COST:
            address = origin.place[0]
            return LinkedGene(address.call, address.input, address.path, cell.gene)
    return cell.gene


# -- none to be found ---------------------------------------------------------------------------------------------


def _other_inputs(hint: QueryHint, plan: Plan, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Any other value of an input that rows are compared with; then without the rows that the test case brings."""
    for planned in plan.rows:
        for name, origin in _origins(planned, index).items():
            if origin.place is not None and origin.place[1].is_mutable():
                address, gene = origin.place
                why = f"finds no rows: another {name}"
                yield Proposal(origin.cost, Edit(address, gene.mutated(rng, 0.0), hint.target, why))
    if index.test_case.setup:
        yield Proposal(INSERT_COST, SetupEdit((), hint.target, "finds no rows: none inserted"))
