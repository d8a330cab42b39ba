"""Joins test cases to one."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.genes import ReferenceGene
from wimble.genes.base import Gene
from wimble.model.testcase import Call, TestCase


def concatenated(test_cases: Sequence[TestCase]) -> TestCase:
    """One test case with the calls of all, references to earlier calls moved along."""
    calls: list[Call] = []
    for test_case in test_cases:
        offset = len(calls)
        calls += [
            Call(call.operation, tuple(_shifted(gene, offset) for gene in call.genes), call.user)
            for call in test_case.calls
        ]
    return TestCase(tuple(calls), test_cases[-1].setup)


def _shifted(gene: Gene, offset: int) -> Gene:
    if not offset:
        return gene
    if isinstance(gene, ReferenceGene):
        return ReferenceGene(gene.call + offset, gene.pointer, gene.fallback)
    for index, child in enumerate(gene.children()):
        moved = _shifted(child, offset)
        if moved is not child:
            gene = gene.with_child(index, moved)
    return gene
