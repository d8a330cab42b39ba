"""Correlated mutation: numbers or dates of one call that only help if they change together.

If a condition relates two inputs (`x > a`, or three sides that form a triangle), any step of one input alone may make
the distance to the target worse. The same step of both inputs keeps the distance or makes it better.
"""

from __future__ import annotations

from random import Random
from typing import Final, TypeAlias

from wimble.genes import Gene, IntegerGene, NumberGene, StringGene
from wimble.genes.date_texts import from_time, to_time
from wimble.model.testcase import GeneAddress, TestCase

CORRELATED_PROBABILITY: Final = 0.15
"""Probability that other numbers of the call change together with a single number."""
LARGEST: Final = 1e15
"""Larger numbers are not changed: a double does not represent small steps of them."""

_Genes: TypeAlias = list[tuple[GeneAddress, Gene]]


class SingleMutation:
    """Each number changes by itself."""

    def moved_with(self, parent: TestCase, mutant: TestCase, address: GeneAddress, genes: _Genes) -> TestCase | None:
        """Returns the mutant with other genes changed like the one at `address`; None if none are."""
        return None


class CorrelatedMutation(SingleMutation):
    """With a probability, other numbers of the call change together with the chosen one."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def moved_with(self, parent: TestCase, mutant: TestCase, address: GeneAddress, genes: _Genes) -> TestCase | None:
        if self._rng.random() >= CORRELATED_PROBABILITY:
            return None
        return moved_with(parent, mutant, address, genes, self._rng)


def moved_with(parent: TestCase, mutant: TestCase, address: GeneAddress, genes: _Genes, rng: Random) -> TestCase | None:
    """Returns the mutant with one other number of the call, or all of them, changed together with the one at `address`.

    They change by the same difference, or in the same proportion. If the gene is a date, all other dates of the call
    change by the same difference. Returns None if the gene is no number or date, or the only one of the call.
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
        new = gene.with_value(round(moved) if isinstance(gene, IntegerGene) else round(moved, 6))
        if new is not None:
            out = out.with_gene(other, new)
    return out


def _moved_dates(parent: TestCase, mutant: TestCase, address: GeneAddress, genes: _Genes) -> TestCase | None:
    """Returns the mutant with the other dates of the call changed by the same difference as the one at `address`."""
    before, after = _time(parent.gene_at(address)), _time(mutant.gene_at(address))
    if before is None or after is None:
        return None
    out = mutant
    for other, gene in genes:
        own = _time(gene) if other.call == address.call and other != address else None
        text = None if own is None else from_time(own + after - before, str(gene.phenotype()))
        new = None if text is None else gene.with_value(text)
        if new is not None:
            out = out.with_gene(other, new)
    return None if out is mutant else out


def _time(gene: Gene) -> int | None:
    return to_time(gene.value) if isinstance(gene, StringGene) else None


def _number(gene: Gene) -> float | None:
    return gene.value if isinstance(gene, (IntegerGene, NumberGene)) and abs(gene.value) < LARGEST else None
