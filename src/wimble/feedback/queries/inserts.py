"""Edits that all database languages share.

Inputs take the values of an existing row, or other values; or rows are inserted that are linked to the inputs with
which the command compares them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Final

from wimble.databases.conditions.stored_values import json_value
from wimble.databases.rows.new_rows import NewCell, NewRow
from wimble.feedback.edit import Edit, Proposal, SetupEdit
from wimble.feedback.input_to_state.operand_sources import COMMON_VALUE_COST, InputIndex
from wimble.feedback.input_to_state.origin import Origin, Place
from wimble.feedback.input_to_state.transforms.transform import CONVERTED_COST
from wimble.genes import Gene, LinkedGene
from wimble.model.database import Database
from wimble.model.hints import QueryHint
from wimble.model.operands import is_number
from wimble.model.setup_kinds.kinds import INSERTS
from wimble.model.testcase import GeneAddress, SetupAction, setup_index
from wimble.types import Json

EXISTING_COST: Final = 1
"""An existing row is tried first, since the database may refuse an inserted one."""
INSERT_COST: Final = 2
LINK_COST: Final = max(CONVERTED_COST, COMMON_VALUE_COST)
"""Most operands are compared with inputs unchanged, even values as common as 0."""
MAX_EXISTING: Final = 4
"""Maximum number of existing rows whose values are tried."""
N_VARIANTS: Final = 2
"""Number of proposed sets of rows. Values that the command does not determine are sampled for each."""


def origin_of(index: InputIndex, operand: Json) -> Origin | None:
    """Returns the most likely input from which an operand came, or None."""
    if not isinstance(operand, str) and not is_number(operand):
        return None
    origins = index.origins(operand, with_guesses=False)
    return origins[0] if origins else None


def existing_rows(hint: QueryHint, rows: Iterable[Sequence[Place]], why: str) -> Iterator[Proposal]:
    """Yields edits that make inputs agree with existing rows.

    rows: for each existing row, nearest first, the changes that make the compared inputs agree with it.
    """
    for rank, places in enumerate(islice(rows, MAX_EXISTING)):
        if places:
            (address, gene), *also = places
            yield Proposal(EXISTING_COST + rank, Edit(address, gene, hint.target, why, tuple(also)))


def written(values: Iterable[tuple[Origin, Json]]) -> list[Place]:
    """Returns the genes that give inputs these values; of two genes for one place, the first."""
    places: dict[GeneAddress, Place] = {}
    for origin, value in values:
        for place in origin.write(value):
            places.setdefault(place[0], place)
    return list(places.values())


def other_inputs(hint: QueryHint, origins: Mapping[str, Origin], rng: Random) -> Iterator[Proposal]:
    """Yields another value for each input with which rows are compared. origins: by column."""
    for name, origin in origins.items():
        if origin.place is not None and origin.place[1].is_mutable():
            address, gene = origin.place
            yield Proposal(
                origin.cost, Edit(address, gene.mutated(rng, 0.0), hint.target, f"finds no rows: another {name}")
            )


def insert_action(database: Database, row: NewRow, n_before: int, index: InputIndex) -> SetupAction:
    """Returns the setup action that inserts a row.

    n_before: number of setup actions before those of this edit.
    """
    return INSERTS[database.dialect](
        genes=tuple(_linked(cell, n_before, index) for cell in row.cells),
        database=database.id,
        table=row.table.name,
        columns=tuple(cell.column for cell in row.cells),
        checks=row.table.checks,
        keys=tuple(name for key in row.table.keys for name in _telling(key, row)),
    )


def inserting(database: Database, row: NewRow) -> SetupAction:
    """Returns the setup action that inserts a copy of a row. Its links count the setup from the first action."""
    own = (
        cell.gene if cell.link is None else LinkedGene(setup_index(cell.link[0]), cell.link[1], (), cell.gene)
        for cell in row.cells
    )
    linked = {cell.column.name for cell in row.cells if cell.link is not None}
    return INSERTS[database.dialect](
        genes=tuple(own),
        database=database.id,
        table=row.table.name,
        columns=tuple(cell.column for cell in row.cells),
        checks=row.table.checks,
        keys=tuple(name for key in row.table.keys for name in key if name not in linked),
    )


def _telling(key: tuple[str, ...], row: NewRow) -> tuple[str, ...]:
    """Returns the columns of a key that distinguish further rows: those that the command does not name, or else all."""
    named = {cell.column.name for cell in row.cells if cell.operand is not None or cell.link is not None}
    return tuple(name for name in key if name not in named) or key


def _linked(cell: NewCell, n_before: int, index: InputIndex) -> Gene:
    """Returns the cell's gene, or a link to the row or the input whose value it must have."""
    if cell.link is not None:
        row, position = cell.link
        return LinkedGene(setup_index(n_before + row), position, (), cell.gene)
    if cell.operand is not None:
        origin = origin_of(index, json_value(cell.column, cell.operand)) or origin_of(index, cell.operand)
        if origin is not None and origin.place is not None and origin.cost <= LINK_COST:
            address = origin.place[0]
            return LinkedGene(address.call, address.input, address.path, cell.gene)
        held = index.held_in(cell.operand) if isinstance(cell.operand, str) else None
        if held is not None:
            address, prefix, suffix = held
            return LinkedGene(address.call, address.input, address.path, cell.gene, prefix, suffix)
    return cell.gene


def without_inserts(hint: QueryHint, index: InputIndex) -> Iterator[Proposal]:
    """Yields the test case without its inserted rows."""
    if index.test_case.setup:
        yield Proposal(INSERT_COST, SetupEdit((), hint.target, "finds no rows: none inserted"))
