"""Numbers that move together."""

from __future__ import annotations

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, NumberGene, StringGene
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.mutation.correlated_mutation import moved_with

OPERATION = operation("GET", "/{a}/{x}/{name}", a=IntegerGene(10), x=NumberGene(11.5), name=StringGene("n"))
PARENT = TestCase((Call(OPERATION, (IntegerGene(10), NumberGene(11.5), StringGene("n"))),))


def moved(old: int, new: int, seed: int) -> tuple[float, float]:
    parent = PARENT.with_gene(GeneAddress(0, 0), IntegerGene(old))
    mutant = parent.with_gene(GeneAddress(0, 0), IntegerGene(new))
    out = moved_with(parent, mutant, GeneAddress(0, 0), list(parent.iter_genes()), Random(seed))
    assert out is not None
    assert out.calls[0].genes[2] == StringGene("n")
    return out.calls[0].genes[0].phenotype(), out.calls[0].genes[1].phenotype()


def test_by_as_much_or_to_scale() -> None:
    assert {moved(10, 1010, seed) for seed in range(20)} == {(1010, 1011.5), (1010, 1161.5)}
    assert {moved(0, 8, seed) for seed in range(20)} == {(8, 19.5)}


def test_texts_and_numbers_without_room_have_nothing_to_move_with() -> None:
    genes = list(PARENT.iter_genes())
    changed = PARENT.with_gene(GeneAddress(0, 2), StringGene("m"))
    assert moved_with(PARENT, changed, GeneAddress(0, 2), genes, Random(0)) is None
    huge = PARENT.with_gene(GeneAddress(0, 0), IntegerGene(10**400))
    assert moved_with(PARENT, huge, GeneAddress(0, 0), genes, Random(0)) is None


def test_dates_of_a_call_move_by_as_much() -> None:
    stay = operation("GET", "/{a}/{b}/{c}", a=StringGene("x"), b=StringGene("x"), c=StringGene("n"))
    parent = TestCase((Call(stay, (StringGene("2024-03-01"), StringGene("2024-03-15"), StringGene("n"))),))
    mutant = parent.with_gene(GeneAddress(0, 0), StringGene("2024-12-31"))
    out = moved_with(parent, mutant, GeneAddress(0, 0), list(parent.iter_genes()), Random(0))
    assert out is not None
    assert [gene.phenotype() for gene in out.calls[0].genes] == ["2024-12-31", "2025-01-14", "n"]
