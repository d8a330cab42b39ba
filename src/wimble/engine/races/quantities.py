"""Test cases whose last call takes more at once: what there is may suffice for hundreds of calls that take one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.genes import IntegerGene, NumberGene
from wimble.model.resource_names import named_resource
from wimble.model.testcase import TestCase
from wimble.search.resources.input_names import iter_named_genes

FACTORS: Final = (10, 100)


def with_larger_quantities(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with the numbers that its last call sends, but for those that name things, multiplied."""
    last = len(test_case.calls) - 1
    for factor in FACTORS:
        larger = test_case
        for named in iter_named_genes(test_case.calls[last], last):
            number = named.gene.phenotype() if isinstance(named.gene, IntegerGene | NumberGene) else 0
            if named.role != "content" or named_resource(named.name) or not isinstance(number, int | float):
                continue
            gene = named.gene.with_value(number * factor) if number > 0 else None
            larger = larger if gene is None else larger.with_gene(named.address, gene)
        if larger is not test_case:
            yield larger
