"""Values at random for columns of new rows."""

from random import Random

from wimble.databases.rows.column_genes import keeps_limits
from wimble.databases.rows.drawn_values import USUAL_NUMBERS, drawn
from wimble.genes import IntegerGene, StringGene

WIDE = IntegerGene(minimum=-(2**31), maximum=2**31 - 1)


def test_most_numbers_are_such_as_programs_keep():
    rng = Random(1)
    values = [drawn(WIDE, rng, lambda gene: False).phenotype() for _ in range(400)]
    unusual = [value for value in values if value not in USUAL_NUMBERS]
    assert 0 < len(unusual) < 60


def test_numbers_that_have_to_be_large_are():
    large = IntegerGene(minimum=50_000, maximum=60_000)
    rng = Random(1)
    assert all(keeps_limits(drawn(large, rng, lambda gene: False)) for _ in range(50))


def test_taken_values_are_left_out():
    free = drawn(IntegerGene(minimum=1, maximum=3), Random(2), lambda gene: gene.phenotype() != 3)
    assert free.phenotype() == 3
    assert isinstance(drawn(StringGene("a"), Random(2), lambda gene: True), StringGene)
