"""Proposes variants of an accepted call: with readable values, and with one input left out each.

Whether the SUT accepts a variant has to be seen. Values that come from earlier answers stay as they are, and so do the
claims of tokens, which nobody but the SUT signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.describe.operation_names import words_of
from wimble.describe.readability import LEAF, roughness
from wimble.describe.readable_values import readable_text, readable_value
from wimble.describe.secret_names import is_secret_name
from wimble.genes import (
    AnyGene,
    ArrayGene,
    Gene,
    GenePath,
    IntegerGene,
    MapGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    SignedTokenGene,
    StringGene,
    gene_at,
    iter_genes,
)
from wimble.model.resource_names import singular
from wimble.model.testcase import GeneAddress, TestCase

MAX_DEPTH: Final = 4
"""Depth in genes up to which members are left out: those of the body and of objects in it."""

_REFERRING: Final = frozenset(
    ["id", "ids", "uuid", "key", "slug", "code", "ref", "reference", "type", "kind", "status"]
)
"""Last words of names whose values refer to something that has to exist, so that they are not replaced."""


class Leaf(msgspec.Struct, frozen=True):
    """A gene of one value, and the name of the input or member that holds it."""

    address: GeneAddress
    gene: Gene
    name: str


def rough_leaves(test_case: TestCase) -> list[Leaf]:
    """Returns the leaves of the last call whose values may be hard to read, and can be replaced."""
    number = len(test_case.calls) - 1
    call = test_case.calls[number]
    found = []
    for index, (given, root) in enumerate(zip(call.operation.inputs, call.genes, strict=True)):
        if given.role == "subject":
            continue
        for path, gene in _iter_inputs(root):
            name = _name_of(root, path, given.name)
            if isinstance(gene, (StringGene, IntegerGene, NumberGene, AnyGene)) and _is_rough(gene, name):
                found.append(Leaf(GeneAddress(number, index, path), gene, name))
    return found


def _iter_inputs(root: Gene) -> Iterator[tuple[GenePath, Gene]]:
    """Yields an input's gene and those within it, but nothing of tokens."""
    tokens: list[GenePath] = []
    for path, gene in iter_genes(root):
        if isinstance(gene, SignedTokenGene):
            tokens.append(path)
        elif not any(path[: len(token)] == token for token in tokens):
            yield path, gene


def _is_rough(gene: Gene, name: str) -> bool:
    if is_secret_name(name) or (isinstance(gene, StringGene) and (gene.is_shaped() or gene.specialisation)):
        return False
    words = words_of(name)
    if words and words[-1] in _REFERRING:
        return False
    if isinstance(gene, StringGene):
        return gene.value != readable_text(name)  # whether a text is a word of a language is hard to tell
    return roughness(gene.phenotype()) > LEAF


def _name_of(root: Gene, path: GenePath, input_name: str) -> str:
    """Returns the name of the nearest member around the gene at a path, or of the input."""
    name, gene = input_name, root
    for index in path:
        if isinstance(gene, ObjectGene):
            name = gene.fields[index][0]
        elif isinstance(gene, MapGene):
            name = gene.entries[index][0]
        elif isinstance(gene, ArrayGene):
            name = singular(name)
        gene = gene.children()[index]
    return name


def readable(leaf: Leaf) -> Gene | None:
    """Returns the gene with a readable value; None if there is none that it can hold."""
    gene = leaf.gene
    value = readable_value(gene.phenotype(), leaf.name)
    if isinstance(gene, StringGene) and isinstance(value, str):
        value = value if gene.max_length is None else value[: gene.max_length]
        changed = gene.with_text(value)
        return changed if changed.is_valid() else None
    made = gene.with_value(value)
    return None if made is None or made == gene else made


def with_readable(test_case: TestCase, leaves: list[Leaf]) -> TestCase:
    """Returns the test case with readable values in these leaves, as far as they can hold them."""
    for leaf in leaves:
        gene = readable(leaf)
        if gene is not None:
            test_case = test_case.with_gene(leaf.address, gene)
    return test_case


def left_out_variants(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with one input, or one member of a body, of its last call left out each."""
    number = len(test_case.calls) - 1
    call = test_case.calls[number]
    for index, (given, root) in enumerate(zip(call.operation.inputs, call.genes, strict=True)):
        if given.role == "subject":
            continue
        for path, gene in _iter_inputs(root):
            if not path or (len(path) <= MAX_DEPTH and isinstance(gene_at(root, path[:-1]), ObjectGene)):
                without = _left_out(gene)
                if without is not None:
                    yield test_case.with_gene(GeneAddress(number, index, path), without)
            for smaller in _with_fewer_keys(gene):
                yield test_case.with_gene(GeneAddress(number, index, path), smaller)


def _left_out(gene: Gene) -> Gene | None:
    """Returns the gene with its value left out; None if it is already."""
    if isinstance(gene, OptionalGene):
        return OptionalGene(gene.gene, False) if gene.is_present else None
    return OptionalGene(gene, False)


def _with_fewer_keys(gene: Gene) -> Iterator[Gene]:
    """Yields an object whose keys are not fixed without each of its keys."""
    if isinstance(gene, MapGene):
        for index in range(len(gene.entries)):
            yield gene.with_entries((*gene.entries[:index], *gene.entries[index + 1 :]))
    elif isinstance(gene, AnyGene) and isinstance(gene.value, dict):
        for key in gene.value:
            yield AnyGene({name: value for name, value in gene.value.items() if name != key})
