"""Members that objects do not have yet, and that the program reads by name.

They are put into texts that it parses as JSON, also within base64 (cursors, tokens), into maps, into bodies whose schema does not mention
them, and into columns of JSON of rows that tests bring. The name is the whole path that is read, `body.filter.mode`: its last part alone is a
member, or several of its last parts are, one within the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.feedback.origin import Place
from wimble.feedback.paths import with_value_at
from wimble.feedback.transforms.codings import iter_documents, parsed_json
from wimble.feedback.values import Operand, is_number
from wimble.genes import AnyGene, Gene, JsonTextGene, MapGene, ObjectGene, StringGene
from wimble.genes.base import iter_genes
from wimble.model.setup import InsertAction, value_of
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.types import Json

DOCUMENT_COST = 3
"""A document of free form is the likeliest to have further members."""
UNDECLARED_COST = 6
TEXT_COST = 8
"""A text may be read as JSON, or not."""
MAX_PLACES = 8
MAX_DEPTH = 4
"""Last parts of a name that are put in one within the other."""
MAX_INPUT_PATH = 2
"""Parts of a name by which an input itself is read: `body.mode`."""


def places_named(name: str, value: Operand, test_case: TestCase, call: int) -> list[tuple[int, Place]]:
    """Where a member of that name can be put in, with costs; none where an input of the call is called so."""
    if not _stands_in_json(value):
        return []
    names = name.split(".")
    one = test_case.calls[call]
    # Farther down, a member may well be called as an input is.
    is_input = len(names) <= MAX_INPUT_PATH
    if is_input and any(declared.name == names[-1] for declared in one.operation.inputs):
        return []
    found: list[tuple[int, Place]] = []
    for index, (declared, root) in enumerate(zip(one.operation.inputs, one.genes, strict=True)):
        is_json = declared.location == "body" and "json" in declared.media_type
        for path, gene in iter_genes(root):
            if is_input and isinstance(gene, ObjectGene) and any(field == names[-1] for field, _ in gene.fields):
                return []
            for cost, new in _with_member(gene, names, value, is_json=is_json):
                found.append((cost, (GeneAddress(call, index, path), new)))
    return sorted(found, key=lambda one: one[0])[:MAX_PLACES]


def places_in_columns(name: str, value: Operand, test_case: TestCase) -> list[tuple[int, Place]]:
    """Where a member of that name can be put into the JSON of a row that is put in, with costs: into a column called as what it is read from
    (`user.extra.level`), else into any, for programs give such columns other names."""
    if not _stands_in_json(value):
        return []
    names = name.split(".")
    found: list[tuple[int, Place]] = []
    for number, action in enumerate(test_case.setup):
        columns = zip(action.columns, action.genes, strict=True) if isinstance(action, InsertAction) else ()
        for index, (column, gene) in enumerate(columns):
            if column.type != "json" or not gene.is_mutable():
                continue
            is_called, below = _below_column(names, column.name)
            new = gene.adopted(_merged(value_of(test_case, gene), _wrapped(below, value)))
            if new is not None:
                cost = DOCUMENT_COST if is_called else UNDECLARED_COST
                found.append((cost, (GeneAddress(setup_index(number), index), new)))
    return sorted(found, key=lambda one: one[0])[:MAX_PLACES]


def _stands_in_json(value: Operand) -> bool:
    return isinstance(value, (str, bool)) or is_number(value) or value in ({}, [])


def _below_column(names: list[str], column: str) -> tuple[bool, list[str]]:
    """Whether a name is read from the column, and its parts below."""
    plain = plain_name(column)
    for at, one in enumerate(names[:-1]):
        if plain_name(one) == plain:
            return True, names[at + 1 :]
    return False, names[-1:]


def _wrapped(names: list[str], value: Json) -> Json:
    for name in reversed(names):
        value = [value] * (int(name) + 1) if name.isdigit() else {name: value}
    return value


def plain_name(name: str) -> str:
    """The same for `dueBefore`, `due_before` and `Due-Before`."""
    return name.lower().replace("_", "").replace("-", "")


def _with_member(gene: Gene, names: list[str], value: Json, *, is_json: bool) -> Iterator[tuple[int, Gene]]:
    match gene:
        case JsonTextGene():
            for cost, document in _documents(gene.document.value, names, value, is_whole=True):
                yield DOCUMENT_COST + cost, JsonTextGene(AnyGene(document), gene.own)
        case AnyGene() if is_json:
            for cost, document in _documents(gene.value, names, value, is_whole=False):
                yield DOCUMENT_COST + cost, AnyGene(document)
        case MapGene():
            taken = {key for key, _ in gene.entries}
            for cost, (key, nested) in _nested(names, value):
                new = gene.value_template.adopted(nested)
                if key not in taken and new is not None:
                    yield DOCUMENT_COST + cost, gene.with_entries((*gene.entries, (key, new)))
                elif cost > 0 and new is not None:
                    # What is on the way is kept.
                    below = with_value_at(gene, tuple(names[-1 - cost :]), value)
                    if below is not None:
                        yield DOCUMENT_COST, below
        case ObjectGene() if is_json:
            taken = {field for field, _ in gene.fields}
            for cost, (key, nested) in _nested(names, value):
                if key not in taken:
                    yield UNDECLARED_COST + cost, ObjectGene((*gene.fields, (key, AnyGene(nested))))
        case StringGene():
            own = parsed_json(gene.value)
            for cost, document in _documents([] if own is None else own, names, value, is_whole=True):
                yield TEXT_COST + cost, JsonTextGene(AnyGene(document), gene)
            for encoded, rewritten in iter_documents(gene.value):
                # What is no object has no members: an object takes its place.
                whole = encoded if isinstance(encoded, dict) else {}
                for cost, document in _documents(whole, names, value, is_whole=False):
                    yield DOCUMENT_COST + cost, gene.with_value(rewritten(document))


def _documents(document: Json, names: list[str], value: Json, *, is_whole: bool) -> Iterator[tuple[int, Json]]:
    """The document with the member put in, at the top and in the objects one level below; is_whole: in the place of a scalar, too."""
    if isinstance(document, dict):
        name = names[-1]
        for cost, (key, nested) in _nested(names, value):
            if key not in document:
                yield cost, {**document, key: nested}
            elif isinstance(document[key], dict) and isinstance(nested, dict):
                # What is on the way is kept.
                yield 0, {**document, key: _merged(document[key], nested)}
        for key, below in document.items():
            if isinstance(below, dict) and name not in below and key not in names:
                yield 0, {**document, key: {**below, name: value}}
    elif is_whole and not isinstance(document, list):
        yield 0, {names[-1]: value}


def _nested(names: list[str], value: Json) -> Iterator[tuple[int, tuple[str, Json]]]:
    """The member alone, and within those that its name is read from: `("mode", 1)`, then `("filter", {"mode": 1})`, with costs."""
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
