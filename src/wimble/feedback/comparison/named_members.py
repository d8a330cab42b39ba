"""Adds members that the program reads by name, and that no object has yet.

They are added to texts that the program parses as JSON, also within base64 (cursors, tokens), to maps, to bodies whose
schema does not mention them, to the claims of signed tokens, and to JSON columns of inserted rows. The name is the
whole path that is read, such as `body.filter.mode`. Its last part becomes a member; or several of its last parts do,
nested.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.feedback.input_to_state.json_paths import with_value_at
from wimble.feedback.input_to_state.origin import Place
from wimble.feedback.input_to_state.transforms.codings import iter_documents, parsed_json
from wimble.genes import (
    AnyGene,
    ArrayGene,
    Gene,
    JsonTextGene,
    MapGene,
    ObjectGene,
    OptionalGene,
    StringGene,
    TupleGene,
)
from wimble.genes.gene import iter_genes
from wimble.genes.signed_token import SignedTokenGene
from wimble.json_texts import held_document
from wimble.model.operands import Operand, is_number
from wimble.model.setup import value_of
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.types import Json

DOCUMENT_COST = 3
"""A document of free form most likely has further members."""
UNDECLARED_COST = 6
TEXT_COST = 8
"""A text may be read as JSON, or not."""
MAX_PLACES = 8
MAX_DEPTH = 4
"""Maximum number of last parts of a name that are nested."""
MAX_INPUT_PATH = 2
"""Maximum number of parts of a name by which an input itself is read: `body.mode`."""


def places_named(name: str, value: Operand, test_case: TestCase, call: int) -> list[tuple[int, Place]]:
    """Returns where a member of that name can be added, with costs; none if an input of the call has this name."""
    if not _stands_in_json(value):
        return []
    names = name.split(".")
    one = test_case.calls[call]
    # Deeper, a member may have the name of an input.
    is_input = len(names) <= MAX_INPUT_PATH
    if is_input and any(declared.name == names[-1] for declared in one.operation.inputs):
        return []
    found: list[tuple[int, Place]] = []
    for index, (declared, root) in enumerate(zip(one.operation.inputs, one.genes, strict=True)):
        for path, gene in iter_genes(root):
            if is_input and isinstance(gene, ObjectGene) and any(field == names[-1] for field, _ in gene.fields):
                return []
            token = gene.with_claim(names[-1], value) if isinstance(gene, SignedTokenGene) else None
            if token is not None:
                found.append((DOCUMENT_COST, (GeneAddress(call, index, path), token)))
            for cost, new in _with_member(gene, names, value, is_json=declared.is_json):
                found.append((cost, (GeneAddress(call, index, path), new)))
    return sorted(found, key=lambda one: one[0])[:MAX_PLACES]


def places_in_columns(name: str, value: Operand, test_case: TestCase) -> list[tuple[int, Place]]:
    """Returns where a member of that name can be added to the JSON of an inserted row, with costs.

    The column with the name of what the member is read from (`user.extra.level`) comes first, then other columns, since
    programs may use other names than the database.
    """
    if not _stands_in_json(value):
        return []
    names = name.split(".")
    found: list[tuple[int, Place]] = []
    for number, action in enumerate(test_case.setup):
        for index, gene in enumerate(action.genes):
            if not action.is_json_input(index) or action.is_received or not gene.is_mutable():
                continue
            is_called, below = _below_column(names, action.input_name(index))
            new = gene.with_value(_merged(value_of(test_case, gene), _wrapped(below, value)))
            if new is not None:
                cost = DOCUMENT_COST if is_called else UNDECLARED_COST
                found.append((cost, (GeneAddress(setup_index(number), index), new)))
    return sorted(found, key=lambda one: one[0])[:MAX_PLACES]


def _stands_in_json(value: Operand) -> bool:
    return isinstance(value, (str, bool)) or is_number(value) or value in ({}, [])


def _below_column(names: list[str], column: str) -> tuple[bool, list[str]]:
    """Returns whether a name is read from the column, and the parts of the name below it."""
    plain = plain_path(column)
    for at, one in enumerate(names[:-1]):
        if plain_path(one) == plain:
            return True, names[at + 1 :]
    return False, names[-1:]


def _wrapped(names: list[str], value: Json) -> Json:
    for name in reversed(names):
        value = [value] * (int(name) + 1) if name.isdigit() else {name: value}
    return value


def plain_path(name: str) -> str:
    """Returns a normalised path: the same for `query.dueBefore`, `query.due_before` and `query.Due-Before`."""
    return name.lower().replace("_", "").replace("-", "")


def _with_member(gene: Gene, names: list[str], value: Json, *, is_json: bool) -> Iterator[tuple[int, Gene]]:
    """Yields the gene with the member added in each possible way, with costs."""
    match gene:
        case JsonTextGene():
            for cost, document in _documents(gene.document.value, names, value, is_whole=True):
                yield DOCUMENT_COST + cost, gene.holding(AnyGene(document))
        case AnyGene() if is_json:
            for cost, document in _documents(gene.value, names, value, is_whole=False):
                yield DOCUMENT_COST + cost, AnyGene(document)
        case MapGene():
            yield from _in_map(gene, names, value)
        case ObjectGene() if is_json:
            taken = {field for field, _ in gene.fields}
            for cost, (key, nested) in _nested(names, value):
                if key not in taken:
                    yield UNDECLARED_COST + cost, ObjectGene((*gene.fields, (key, OptionalGene(AnyGene(nested)))))
        case StringGene():
            yield from _in_text(gene, names, value)


def _in_map(gene: MapGene, names: list[str], value: Json) -> Iterator[tuple[int, Gene]]:
    taken = {key for key, _ in gene.entries}
    for cost, (key, nested) in _nested(names, value):
        new = gene.value_template.with_value(nested)
        if new is None:
            continue
        if key not in taken:
            yield DOCUMENT_COST + cost, gene.with_entries((*gene.entries, (key, new)))
        elif cost > 0:
            # Objects on the way are kept.
            below = with_value_at(gene, tuple(names[-1 - cost :]), value)
            if below is not None:
                yield DOCUMENT_COST, below


def _in_text(gene: StringGene, names: list[str], value: Json) -> Iterator[tuple[int, Gene]]:
    """Yields texts with the member: the text as JSON, and the documents encoded in it."""
    own = parsed_json(gene.value)
    for cost, document in _documents([] if own is None else own, names, value, is_whole=True):
        yield TEXT_COST + cost, JsonTextGene(AnyGene(document), gene)
    held = held_document(gene.value)
    if held is not None and own is None:
        for cost, document in _documents(held.document, names, value, is_whole=False):
            yield DOCUMENT_COST + cost, JsonTextGene.of(held._replace(document=document), gene)
    for encoded, rewritten in iter_documents(gene.value) if held is None else ():
        # An object replaces a value that cannot have members.
        whole = encoded if isinstance(encoded, dict) else {}
        for cost, document in _documents(whole, names, value, is_whole=False):
            yield DOCUMENT_COST + cost, gene.with_text(rewritten(document))


def _documents(document: Json, names: list[str], value: Json, *, is_whole: bool) -> Iterator[tuple[int, Json]]:
    """Yields the document with the member added at the top and in the objects one level below, with costs.

    is_whole: an object with the member may replace a scalar, too.
    """
    if isinstance(document, dict):
        name = names[-1]
        for cost, (key, nested) in _nested(names, value):
            if key not in document:
                yield cost, {**document, key: nested}
            elif isinstance(document[key], dict) and isinstance(nested, dict):
                # Objects on the way are kept.
                yield 0, {**document, key: _merged(document[key], nested)}
        for key, below in document.items():
            if isinstance(below, dict) and name not in below and key not in names:
                yield 0, {**document, key: {**below, name: value}}
    elif is_whole and not isinstance(document, list):
        yield 0, {names[-1]: value}


def _nested(names: list[str], value: Json) -> Iterator[tuple[int, tuple[str, Json]]]:
    """Yields the member alone, then nested in the members from which its name is read, with costs.

    Example: `("mode", 1)`, then `("filter", {"mode": 1})`.
    """
    nested = value
    for depth, name in enumerate(reversed(names[-MAX_DEPTH:])):
        if name.isdigit():
            # An index: the member is a list.
            nested = [nested] * (int(name) + 1)
            continue
        yield depth, (name, nested)
        nested = {name: nested}


def _merged(document: Json, new: Json) -> Json:
    if not isinstance(document, dict) or not isinstance(new, dict):
        return new
    return {**document, **{key: _merged(document.get(key), below) for key, below in new.items()}}


def names_down_to(test_case: TestCase, address: GeneAddress) -> tuple[str, ...]:
    """Returns the input's own name, then the keys and indexes on the path to the gene at `address`."""
    if address.call < 0:
        action = test_case.setup[setup_index(address.call)]
        names, gene = [action.input_name(address.input)], action.genes[address.input]
    else:
        call = test_case.calls[address.call]
        names, gene = [call.operation.inputs[address.input].name], call.genes[address.input]
    for index in address.path:
        match gene:
            case ObjectGene():
                names.append(gene.fields[index][0])
            case MapGene():
                names.append(gene.entries[index][0])
            case ArrayGene() | TupleGene():
                names.append(str(index))
            case JsonTextGene():
                names = []
            case _:
                pass
        gene = gene.children()[index]
    return tuple(names)
