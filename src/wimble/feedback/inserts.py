"""What edits for all kinds of database share: inputs that take the values of a row that is there or any other, and rows or documents as setup
actions, linked to the inputs that they are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Final

from wimble.feedback.edit import Edit, Proposal, SetupEdit
from wimble.feedback.inputs import COMMON_VALUE_COST, InputIndex
from wimble.feedback.origin import Origin, Place
from wimble.feedback.transforms.base import CONVERTED_COST
from wimble.feedback.values import is_number
from wimble.genes import Gene, LinkedGene
from wimble.model.database import Database
from wimble.model.evaluation import QueryHint
from wimble.model.setup import InsertAction
from wimble.model.testcase import GeneAddress, SetupAction, setup_index
from wimble.sql.rows import NewCell, NewRow
from wimble.sql.values import json_value
from wimble.types import Json

EXISTING_COST: Final = 1
"""A row that is there is the surest; one that has to be made may be refused."""
INSERT_COST: Final = 2
SYNTAX_COST: Final = 0
"""What may become syntax of the command comes before what would settle its outcomes, after which it is hinted at no more."""
QUOTED_END: Final = "'s"
"""At the very end of a text, a quote could not be told from an escaped one."""
LINK_COST: Final = max(CONVERTED_COST, COMMON_VALUE_COST)
"""Operands are compared with inputs as they are, mostly, be they as common as 0."""
MAX_EXISTING: Final = 4
"""Rows that are there whose values are tried."""
N_VARIANTS: Final = 2
"""Sets of rows proposed: what the command leaves open is drawn anew for each."""


def origin_of(index: InputIndex, operand: Json) -> Origin | None:
    """The likeliest input behind an operand."""
    if not isinstance(operand, str) and not is_number(operand):
        return None
    origins = index.origins(operand, with_guesses=False)
    return origins[0] if origins else None


def existing_rows(hint: QueryHint, rows: Iterable[Sequence[Place]], why: str) -> Iterator[Proposal]:
    """rows: of each row that is there, the nearest first, what makes the inputs that rows are compared with agree with it."""
    for rank, places in enumerate(islice(rows, MAX_EXISTING)):
        if places:
            (address, gene), *also = places
            yield Proposal(EXISTING_COST + rank, Edit(address, gene, hint.target, why, tuple(also)))


def written(values: Iterable[tuple[Origin, Json]]) -> list[Place]:
    """The genes that give inputs these values; of two for one place the first."""
    places: dict[GeneAddress, Place] = {}
    for origin, value in values:
        for place in origin.write(value):
            places.setdefault(place[0], place)
    return list(places.values())


def other_inputs(hint: QueryHint, origins: Mapping[str, Origin], rng: Random) -> Iterator[Proposal]:
    """Any other value of an input that rows are compared with. origins: by column."""
    for name, origin in origins.items():
        if origin.place is not None and origin.place[1].is_mutable():
            address, gene = origin.place
            yield Proposal(
                origin.cost, Edit(address, gene.mutated(rng, 0.0), hint.target, f"finds no rows: another {name}")
            )


def insert_action(database: Database, row: NewRow, n_before: int, index: InputIndex) -> SetupAction:
    """n_before: setup actions that come before those of this edit."""
    return InsertAction(
        genes=tuple(_linked(cell, n_before, index) for cell in row.cells),
        database=database.id,
        dialect=database.dialect,
        table=row.table.name,
        columns=tuple(cell.column for cell in row.cells),
        checks=row.table.checks,
        keys=tuple(name for key in row.table.keys for name in _telling(key, row)),
    )


def _telling(key: tuple[str, ...], row: NewRow) -> tuple[str, ...]:
    """Of the columns of a key, those that tell another row like this one apart: where the command names some of them, the others do."""
    named = {cell.column.name for cell in row.cells if cell.operand is not None or cell.link is not None}
    return tuple(name for name in key if name not in named) or key


def _linked(cell: NewCell, n_before: int, index: InputIndex) -> Gene:
    """The cell's gene, or a link to the row or the input whose value it has to have."""
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
    """The test case without the rows that it brings."""
    if index.test_case.setup:
        yield Proposal(INSERT_COST, SetupEdit((), hint.target, "finds no rows: none inserted"))
