"""Numbers or dates of one call that only help when they move together.

Where a condition holds two inputs together (`x > a`, or three sides that make a triangle), a step of either alone leaves the
place where the target is near, however small or large: the search stands on a ridge. A step of both along it does not.
"""

from __future__ import annotations

from random import Random

from wimble.feedback.values import from_time, to_time
from wimble.genes import Gene, IntegerGene, NumberGene, StringGene
from wimble.model.testcase import GeneAddress, TestCase

TOGETHER_SHARE = 0.15
"""Share of changes of a single number in which others of the call move along."""
LARGEST = 1e15
"""What is larger has no room for steps in a double."""


def moved_with(
    parent: TestCase, mutant: TestCase, address: GeneAddress, genes: list[tuple[GeneAddress, Gene]], rng: Random
) -> TestCase | None:
    """The mutant with one other number of the call, or all of them, moved by as much as the one at `address`, or to scale.

    Dates move by as much, all of them. None where that is no number or date, or the only one.
    """
    if isinstance(parent.gene_at(address), StringGene):
        return _moved_dates(parent, mutant, address, genes)
    before, after = _number(parent.gene_at(address)), _number(mutant.gene_at(address))
    others = [
        (other, gene)
        for other, gene in genes
        if other.call == address.call and other != address and _number(gene) is not None
    ]
    if before is None or after is None or not others:
        return None
    chosen = others if rng.random() < 0.5 else [rng.choice(others)]
    is_scaled = before != 0 and rng.random() < 0.5
    out = mutant
    for other, gene in chosen:
        value = _number(gene)
        assert value is not None
        moved = value * after / before if is_scaled else value + (after - before)
        adopted = gene.adopted(round(moved) if isinstance(gene, IntegerGene) else round(moved, 6))
        if adopted is not None:
            out = out.with_gene(other, adopted)
    return out


def _moved_dates(
    parent: TestCase, mutant: TestCase, address: GeneAddress, genes: list[tuple[GeneAddress, Gene]]
) -> TestCase | None:
    """The mutant with the other dates of the call moved by as much as the one at `address`."""
    before, after = _time(parent.gene_at(address)), _time(mutant.gene_at(address))
    if before is None or after is None:
        return None
    out = mutant
    for other, gene in genes:
        own = _time(gene) if other.call == address.call and other != address else None
        text = None if own is None else from_time(own + after - before, str(gene.phenotype()))
        adopted = None if text is None else gene.adopted(text)
        if adopted is not None:
            out = out.with_gene(other, adopted)
    return None if out is mutant else out


def _time(gene: Gene) -> int | None:
    return to_time(gene.value) if isinstance(gene, StringGene) else None


def _number(gene: Gene) -> float | None:
    return gene.value if isinstance(gene, (IntegerGene, NumberGene)) and abs(gene.value) < LARGEST else None
