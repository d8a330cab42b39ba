"""Replaces texts wherever a test case has them, such as a name by which later calls find what an earlier one made."""

from __future__ import annotations

from collections.abc import Collection

from wimble.genes import AnyGene, Gene, MapGene, StringGene
from wimble.genes.gene import iter_genes
from wimble.model.testcase import GeneAddress, TestCase
from wimble.types import Json


def with_texts(test_case: TestCase, new: dict[str, str]) -> TestCase:
    """Returns the test case with other texts in the place of some, wherever its calls and rows have them."""
    done: list[GeneAddress] = []
    for address, gene in list(test_case.iter_genes()):
        if any(_is_below(address, one) for one in done):
            continue  # it was replaced with what it is in
        if isinstance(gene, StringGene | AnyGene) and isinstance(text := gene.phenotype(), str):
            if other := new.get(text):
                test_case = _with_value(test_case, address, gene, other)
        elif isinstance(gene, AnyGene | MapGene) and isinstance(value := gene.phenotype(), dict | list):
            fitting = _replaced(value, new)
            if fitting != value:
                test_case = _with_value(test_case, address, gene, fitting)
                done.append(address)
    return test_case


def _is_below(address: GeneAddress, above: GeneAddress) -> bool:
    is_same_input = (address.call, address.input) == (above.call, above.input)
    return is_same_input and address.path[: len(above.path)] == above.path


def has_part_of(test_case: TestCase, names: Collection[str]) -> bool:
    """Whether a text contains one of the names, or is of basic authentication, in which names are encoded."""
    genes = (gene for call in test_case.calls for root in call.genes for _, gene in iter_genes(root))
    texts = [str(gene.phenotype()) for gene in genes if isinstance(gene, StringGene)]
    return any(text.startswith("Basic ") or any(name in text and name != text for name in names) for text in texts)


def _replaced(value: Json, new: dict[str, str]) -> Json:
    if isinstance(value, str):
        return new.get(value) or value
    if isinstance(value, dict):
        return {key: _replaced(below, new) for key, below in value.items()}
    return [_replaced(below, new) for below in value] if isinstance(value, list) else value


def _with_value(test_case: TestCase, address: GeneAddress, gene: Gene, value: Json) -> TestCase:
    changed = gene.with_value(value)
    return test_case if changed is None else test_case.with_gene(address, changed)
