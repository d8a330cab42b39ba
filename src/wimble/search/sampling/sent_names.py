"""Values by which clients name resources themselves, with the names of their inputs.

`POST /createPad?padID=kf3ab` and `GET /getText?padID=kf3ab` are about one pad because they send the same value under
the same name.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.genes import Gene, ReferenceGene
from wimble.model.resource_names import plain_name
from wimble.model.testcase import TestCase
from wimble.search.resources.input_names import iter_named_genes

MIN_LENGTH = 3
MIN_NUMBER = 100
"""Shorter texts and smaller numbers may be equal by chance."""
MAX_LENGTH = 200


def iter_sent(test_case: TestCase) -> Iterator[tuple[str, str]]:
    """Yields plain name and value, as texts, of values that are unusual enough to name a resource."""
    for index, call in enumerate(test_case.calls):
        for given, gene in zip(call.operation.inputs, call.genes, strict=True):
            if given.role == "subject":
                value = naming_value(gene)
                if value:
                    yield plain_name(given.name), value
        for named in iter_named_genes(call, index):
            value = naming_value(named.gene)
            if value:
                yield plain_name(named.name), value


def naming_value(gene: Gene) -> str:
    """Returns the value as text; empty if it names no resource."""
    if isinstance(gene, ReferenceGene) or not gene.is_mutable():
        return ""
    value = gene.phenotype()
    if isinstance(value, str):
        return value if MIN_LENGTH <= len(value) <= MAX_LENGTH else ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) >= MIN_NUMBER else ""
    return ""
