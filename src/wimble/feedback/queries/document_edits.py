"""`query` hints of MongoDB: edits by which a command finds documents, or finds none, if it was the other way.

As for rows (`sql_edits.py`), inputs take the values of existing documents, or documents with the inputs' values are
inserted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from wimble.databases.mongo.document_values import Value, plain
from wimble.databases.mongo.documents_to_insert import document_wanted
from wimble.databases.mongo.filter_conditions import operands_of, programs_of
from wimble.databases.mongo.matching import values_at
from wimble.databases.mongo.mongo_statements import DocumentStatement, document_statement
from wimble.databases.mongo.wanted_documents import PlannedDocument, planned_document
from wimble.feedback.edit import Edit, Proposal, SetupEdit
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.input_to_state.origin import Origin, Place
from wimble.feedback.queries.inserts import (
    INSERT_COST,
    N_VARIANTS,
    QUOTED_END,
    SYNTAX_COST,
    existing_rows,
    insert_action,
    origin_of,
    other_inputs,
    without_inserts,
    written,
)  # fmt: skip
from wimble.genes import AnyGene
from wimble.model.database import TableName
from wimble.model.hints import QueryHint
from wimble.model.setup import MAX_SETUP
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import Json

OPERATOR: Final[Json] = {"$ne": None}
"""Matches every document that has the field."""
OPERATOR_OF_TEXTS: Final[Json] = {"$ne": ""}
"""The same for encodings that can send only texts."""
_LITERAL = re.compile(r"""(?P<quote>['"])(?P<inner>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""", re.DOTALL)


def document_edits(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns edits for one hint, unordered."""
    command = document_statement(hint.command.text, hint.command.params)
    if command is None:
        return []
    syntax = [*_operators(hint, command, index), *_quoted(hint, command, index)]
    planned = planned_document(command.condition, rng)
    if planned is None:
        return syntax
    origins = _origins(planned, index)
    if not hint.wanted:
        return [*other_inputs(hint, origins, rng), *without_inserts(hint, index), *syntax]
    return [*_existing_documents(hint, command, planned, origins), *_new_documents(hint, command, index, rng), *syntax]


def _operators(hint: QueryHint, command: DocumentStatement, index: InputIndex) -> Iterator[Proposal]:
    """Yields edits that send an object of operators instead of a text that fields are compared with.

    They show whether the program checks that it is a text (oracles/operators.py).
    """
    for operand in operands_of(command.condition):
        origin = origin_of(index, operand) if isinstance(operand, str) else None
        operator = (
            _operator_at(index.test_case, origin.place[0]) if origin is not None and origin.place is not None else None
        )
        if origin is not None and origin.place is not None and operator is not None:
            yield Proposal(
                SYNTAX_COST,
                Edit(origin.place[0], AnyGene(operator), hint.target, "an operator object instead of a text"),
            )


def _operator_at(test_case: TestCase, address: GeneAddress) -> Json:
    """Returns an object of operators that can be sent instead of an input, in JSON or as `name[$ne]=`.

    Returns None if no object can be sent.
    """
    if address.call < 0:
        return None
    given = test_case.calls[address.call].operation.inputs[address.input]
    if given.encoding == "form":
        return OPERATOR_OF_TEXTS
    return OPERATOR if given.is_json else None


def _quoted(hint: QueryHint, command: DocumentStatement, index: InputIndex) -> Iterator[Proposal]:
    """Yields edits that add a quote to an input that is a literal in a program of `$where`, as for SQL."""
    for program in programs_of(command.condition):
        for found in _LITERAL.finditer(program):
            origin = origin_of(index, found["inner"])
            for address, gene in origin.write(found["inner"] + QUOTED_END) if origin is not None else ():
                yield Proposal(
                    SYNTAX_COST, Edit(address, gene, hint.target, "a quote in what stands in the program's text")
                )


def _origins(planned: PlannedDocument, index: InputIndex) -> dict[str, Origin]:
    """Returns the paths that are compared with inputs, with the origins of the operands."""
    found = {path: origin_of(index, plain(wish.operand)) for path, wish in sorted(planned.wishes.items())}
    return {path: origin for path, origin in found.items() if origin is not None}


def _existing_documents(
    hint: QueryHint, command: DocumentStatement, planned: PlannedDocument, origins: dict[str, Origin]
) -> Iterator[Proposal]:
    """Yields edits by which all inputs that are compared with fields take the values of one existing document."""
    documents = hint.tables[command.collection] if origins else ()
    nearest = sorted(documents, key=lambda one: _n_misses(planned, origins, one))
    why = f"finds documents: {', '.join(origins)} of one of {command.collection}"
    yield from existing_rows(hint, (_places(planned, origins, document) for document in nearest), why)


def _n_misses(planned: PlannedDocument, origins: dict[str, Origin], document: Value) -> int:
    """Returns the number of fields, not determined by an input, in which the document differs from the wishes."""
    fixed = [(path, wish.value) for path, wish in planned.wishes.items() if path not in origins]
    return sum(1 for path, value in fixed if value not in values_at(document, path))


def _places(planned: PlannedDocument, origins: dict[str, Origin], document: Value) -> list[Place]:
    wanted: list[tuple[Origin, Json]] = []
    for path, origin in origins.items():
        values = [one for value in values_at(document, path) for one in (value if isinstance(value, list) else [value])]
        value = plain(values[0]) if values else None
        if value is not None and planned.wishes[path].operand not in values:
            wanted.append((origin, value))
    return written(wanted)


def _new_documents(hint: QueryHint, command: DocumentStatement, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    before = index.test_case.setup
    table = hint.database.table(TableName(command.collection))
    for variant in range(N_VARIANTS if len(before) < MAX_SETUP else 0):
        # The first variant has no optional fields, since many programs fail if these are missing.
        share = variant / N_VARIANTS
        row = document_wanted(command, table, hint.tables[command.collection], rng, share)
        if row is not None:
            action = insert_action(hint.database, row, len(before), index)
            why = f"finds documents: one inserted into {command.collection}"
            yield Proposal(INSERT_COST + variant, SetupEdit((*before, action), hint.target, why))
