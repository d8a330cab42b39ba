"""`query` hints of MongoDB: a command that found documents, or none -> test cases in which it comes out the other way.

As for rows (`query.py`): inputs take the values of documents that are there, or documents are inserted that have the inputs' values.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wimble.documents.matching import values_at
from wimble.documents.planning import PlannedDocument, planned_document
from wimble.documents.rows import document_wanted
from wimble.documents.statements import DocumentStatement, document_statement
from wimble.documents.values import Value, plain
from wimble.feedback.edit import Edit, Proposal, SetupEdit
from wimble.feedback.inputs import InputIndex
from wimble.feedback.inserts import (
    EXISTING_COST,
    INSERT_COST,
    MAX_EXISTING,
    N_VARIANTS,
    insert_action,
    origin_of,
    without_inserts,
)  # fmt: skip
from wimble.feedback.origin import Origin, Place
from wimble.model.database import TableName
from wimble.model.evaluation import QueryHint
from wimble.model.setup import MAX_SETUP
from wimble.model.testcase import GeneAddress


def document_edits(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Edits for one hint, not yet in order."""
    command = document_statement(hint.command.text, hint.command.params)
    planned = planned_document(command.condition, rng) if command is not None else None
    if command is None or planned is None:
        return []
    if not hint.wanted:
        return [*_other_inputs(hint, planned, index, rng), *without_inserts(hint, index)]
    return [*_existing_documents(hint, command, planned, index), *_new_documents(hint, command, index, rng)]


def _origins(planned: PlannedDocument, index: InputIndex) -> dict[str, Origin]:
    """Paths that are compared with inputs, and the inputs."""
    found = {path: origin_of(index, plain(wish.operand)) for path, wish in sorted(planned.wishes.items())}
    return {path: origin for path, origin in found.items() if origin is not None}


def _existing_documents(
    hint: QueryHint, command: DocumentStatement, planned: PlannedDocument, index: InputIndex
) -> Iterator[Proposal]:
    """All inputs that are compared with fields take the values of one document that is there."""
    origins = _origins(planned, index)
    documents = hint.tables[command.collection] if origins else ()
    for rank, document in enumerate(sorted(documents, key=lambda one: _n_misses(planned, origins, one))[:MAX_EXISTING]):
        places = _places(planned, origins, document)
        if places:
            (address, gene), *also = places
            why = f"finds documents: {', '.join(origins)} of one of {command.collection}"
            yield Proposal(EXISTING_COST + rank, Edit(address, gene, hint.target, why, tuple(also)))


def _n_misses(planned: PlannedDocument, origins: dict[str, Origin], document: Value) -> int:
    """In how many of the fields that no input decides the document differs from what is wished for."""
    fixed = [(path, wish.value) for path, wish in planned.wishes.items() if path not in origins]
    return sum(1 for path, value in fixed if value not in values_at(document, path))


def _places(planned: PlannedDocument, origins: dict[str, Origin], document: Value) -> list[Place]:
    places: dict[GeneAddress, Place] = {}
    for path, origin in origins.items():
        values = [one for value in values_at(document, path) for one in (value if isinstance(value, list) else [value])]
        value = plain(values[0]) if values else None
        if value is None or planned.wishes[path].operand in values:
            continue
        for place in origin.write(value):
            places.setdefault(place[0], place)
    return list(places.values())


def _new_documents(hint: QueryHint, command: DocumentStatement, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    before = index.test_case.setup
    table = hint.database.table(TableName(command.collection))
    for variant in range(N_VARIANTS if len(before) < MAX_SETUP else 0):
        # First without what nobody asks for: programs forget that it may be missing.
        share = variant / N_VARIANTS
        row = document_wanted(command, table, hint.tables[command.collection], rng, share)
        if row is not None:
            action = insert_action(hint.database, row, len(before), index)
            why = f"finds documents: one inserted into {command.collection}"
            yield Proposal(INSERT_COST + variant, SetupEdit((*before, action), hint.target, why))


def _other_inputs(hint: QueryHint, planned: PlannedDocument, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Any other value of an input that documents are compared with."""
    for path, origin in _origins(planned, index).items():
        if origin.place is not None and origin.place[1].is_mutable():
            address, gene = origin.place
            why = f"finds no documents: another {path}"
            yield Proposal(origin.cost, Edit(address, gene.mutated(rng, 0.0), hint.target, why))
