"""Repeats the change of a number that brought a test case closer, in the same direction and with twice the step.

These are the pattern moves of the alternating variable method [Korel]: a distance of d takes about log2(d) tries.
Random steps would have to find direction and size again each time.
"""

from __future__ import annotations

import math

import msgspec

from wimble.genes import IntegerGene, NumberGene
from wimble.model.testcase import GeneAddress, TestCase


class Step(msgspec.Struct, frozen=True):
    """A change of one number."""

    address: GeneAddress
    delta: float


def step_between(old: TestCase, new: TestCase, address: GeneAddress) -> Step | None:
    """Returns the step that the gene at the address took; None if it is not a number."""
    before, after = old.gene_at(address), new.gene_at(address)
    if type(before) is not type(after) or not isinstance(before, (IntegerGene, NumberGene)):
        return None
    assert isinstance(after, (IntegerGene, NumberGene))
    delta = after.value - before.value
    return Step(address, delta) if delta and math.isfinite(delta) else None


def accelerated(test_case: TestCase, step: Step) -> tuple[TestCase, Step] | None:
    """Returns the test case after a step twice as long, with that step.

    Returns None if the step is beyond the limits of the number.
    """
    gene = test_case.gene_at(step.address)
    if not isinstance(gene, (IntegerGene, NumberGene)):
        return None
    value = gene.value + 2 * step.delta
    beyond_minimum = gene.minimum is not None and value < gene.minimum <= gene.value
    beyond_maximum = gene.maximum is not None and value > gene.maximum >= gene.value
    if beyond_minimum or beyond_maximum:
        return None
    moved = gene.with_value(value)
    if moved is None:
        return None
    return test_case.with_gene(step.address, moved), Step(step.address, 2 * step.delta)
