"""`query` hints of MongoDB: edits by which a command finds documents, or finds none, if it was the other way.

As for rows (`sql_edits.py`), inputs take the values of existing documents, or documents with the inputs' values are
inserted.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wimble.databases.mongo.document_values import Value, plain
from wimble.databases.mongo.documents_to_insert import document_wanted
from wimble.databases.mongo.matching import values_at
from wimble.databases.mongo.mongo_statements import DocumentStatement, document_statement
from wimble.databases.mongo.wanted_documents import PlannedDocument, planned_document
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
from wimble.model.database import TableName
from wimble.model.hints import QueryHint
from wimble.model.setup import MAX_SETUP
from wimble.types import Json


def document_edits(hint: QueryHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns edits for one hint, unordered."""
    command = document_statement(hint.command.text, hint.command.params)
    if command is None:
        return []
    planned = planned_document(command.condition, rng)
    if planned is None:
        return []
    origins = _origins(planned, index)
    if not hint.wanted:
        return [*other_inputs(hint, origins, rng), *without_inserts(hint, index)]
    return [*_existing_documents(hint, command, planned, origins), *_new_documents(hint, command, index, rng)]


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
