"""Arrays whose elements come to be in order, or alike: what `every` asks of all of them."""

from random import Random

from wimble.genes import ArrayGene, Gene, IntegerGene, ObjectGene, StringGene
from wimble.types import Json


def mutants(*items: Gene) -> list[Json]:
    rng = Random(1)
    array = ArrayGene(items[0], items)
    return [array.mutated(rng, 0.0).phenotype() for _ in range(400)]


def test_numbers_are_sorted_and_counted_up():
    found = mutants(IntegerGene(5), IntegerGene(3), IntegerGene(9))
    assert [3, 5, 9] in found
    assert [9, 5, 3] in found
    assert [3, 4, 5] in found


def test_texts_are_sorted_and_counted_up():
    found = mutants(StringGene("b"), StringGene("a09"))
    assert ["a09", "b"] in found
    assert ["a09", "a10"] in found
    assert ["b", "b1"] in found


def test_what_has_no_order_is_left_alone():
    found = mutants(ObjectGene((("a", IntegerGene(1)),)), ObjectGene((("a", IntegerGene(0)),)))
    assert [{"a": 0}, {"a": 1}] not in found
    assert all(isinstance(one, list) and len(one) in (1, 3) for one in found)
