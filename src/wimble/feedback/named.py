"""Members that objects do not have yet, and that the program reads by name: in JSON texts that it parses, in maps, and in bodies whose schema does not mention them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from wimble.feedback.origin import Place
from wimble.feedback.values import Operand, is_number
from wimble.genes import AnyGene, Gene, JsonTextGene, MapGene, ObjectGene, StringGene
from wimble.genes.base import iter_genes
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import Json

DOCUMENT_COST = 3
"""A document of free form is the likeliest to have further members."""
UNDECLARED_COST = 6
TEXT_COST = 8
"""A text may be read as JSON, or not."""
MAX_PLACES = 6


def places_named(name: str, value: Operand, test_case: TestCase, call: int) -> list[tuple[int, Place]]:
    """Where a member of that name can be put in, with costs; none where an input of the call is called so."""
    if not (isinstance(value, (str, bool)) or is_number(value)):
        return []
    one = test_case.calls[call]
    if any(declared.name == name for declared in one.operation.inputs):
        return []
    found: list[tuple[int, Place]] = []
    for index, (declared, root) in enumerate(zip(one.operation.inputs, one.genes, strict=True)):
        is_json = declared.location == "body" and "json" in declared.media_type
        for path, gene in iter_genes(root):
            if isinstance(gene, ObjectGene) and any(field == name for field, _ in gene.fields):
                return []
            for cost, new in _with_member(gene, name, value, is_json=is_json):
                found.append((cost, (GeneAddress(call, index, path), new)))
    return sorted(found, key=lambda one: one[0])[:MAX_PLACES]


def _with_member(gene: Gene, name: str, value: Json, *, is_json: bool) -> Iterator[tuple[int, Gene]]:
    match gene:
        case JsonTextGene():
            for document in _documents(gene.document.value, name, value, is_whole=True):
                yield DOCUMENT_COST, JsonTextGene(AnyGene(document), gene.own)
        case AnyGene() if is_json:
            for document in _documents(gene.value, name, value, is_whole=False):
                yield DOCUMENT_COST, AnyGene(document)
        case MapGene() if all(key != name for key, _ in gene.entries):
            new = gene.value_template.adopted(value)
            if new is not None:
                yield DOCUMENT_COST, gene.with_entries((*gene.entries, (name, new)))
        case ObjectGene() if is_json:
            yield UNDECLARED_COST, ObjectGene((*gene.fields, (name, AnyGene(value))))
        case StringGene():
            for document in _documents(_parsed(gene.value), name, value, is_whole=True):
                yield TEXT_COST, JsonTextGene(AnyGene(document), gene)


def _parsed(text: str) -> Json:
    """The document that a text holds; an empty list, which takes no member, where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return []


def _documents(document: Json, name: str, value: Json, *, is_whole: bool) -> Iterator[Json]:
    """The document with the member put in, at the top and in the objects one level below; is_whole: in the place of a scalar, too."""
    if isinstance(document, dict):
        if name not in document:
            yield {**document, name: value}
        for key, below in document.items():
            if isinstance(below, dict) and name not in below:
                yield {**document, key: {**below, name: value}}
    elif is_whole and not isinstance(document, list):
        yield {name: value}
