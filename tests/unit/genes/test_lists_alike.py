"""New elements of a list have the shape of the element that got furthest."""

from random import Random

from wimble.genes import AnyGene, ArrayGene, IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.genes.containers import ALIKE_OBJECT_PROBABILITY, ALIKE_PROBABILITY


def shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: shape(below) for key, below in value.items()}
    return [shape(below) for below in value] if isinstance(value, list) else type(value)


def test_elements_are_like_the_last_of_equals():
    first = {"sku": "qx3f1", "sizes": [1, 2], "note": None}
    lists = [ArrayGene(AnyGene(), (AnyGene(first),)).resized(2, Random(seed)).phenotype() for seed in range(300)]
    alike = [one for _, one in lists if shape(one) == shape(first)]
    assert abs(len(alike) - 300 * ALIKE_PROBABILITY) < 25
    assert len({one["sku"] for one in alike}) > 50


def test_elements_are_like_the_one_with_most_members():
    items = (AnyGene({"open": "8:00", "close": "9:00"}), AnyGene({"open": "8:00"}), AnyGene(None))
    added = [ArrayGene(AnyGene(), items).resized(4, Random(seed)).phenotype()[3] for seed in range(200)]
    assert sum(shape(one) == {"open": str, "close": str} for one in added) > 200 * (ALIKE_PROBABILITY - 0.1)
    changed = [AnyGene([1, {"open": "8:00"}]).mutated(Random(seed), 0.0).value for seed in range(200)]
    grown = [one[2] for one in changed if isinstance(one, list) and len(one) == 3 and isinstance(one[1], dict)]
    assert grown and all(shape(one) == {"open": str} for one in grown)


def test_new_objects_often_have_the_optional_members_of_the_others():
    element = ObjectGene(tuple((name, OptionalGene(StringGene("x"), False)) for name in "abcdef"))
    full = ObjectGene(tuple((name, OptionalGene(StringGene("x"))) for name in "abcdef"))
    added = [ArrayGene(element, (full,)).resized(2, Random(seed)).phenotype()[1] for seed in range(300)]
    assert sum(len(one) == 6 for one in added) > 300 * (ALIKE_OBJECT_PROBABILITY - 0.1)


def test_an_empty_list_of_which_nothing_is_known_gets_texts_that_differ():
    lists = [ArrayGene(AnyGene()).resized(2, Random(seed)).phenotype() for seed in range(50)]
    assert all(isinstance(first, str) and first for first, _ in lists)
    assert sum(isinstance(second, str) and second != first for first, second in lists) > 35


def test_some_samples_of_a_list_that_may_be_long_have_many_elements():
    rng = Random(1)
    sizes = [len(ArrayGene(IntegerGene(), may_be_long=True).sampled(rng).items) for _ in range(400)]
    assert {12, 40} < set(sizes) and sum(size < 5 for size in sizes) > 340
    assert all(len(ArrayGene(IntegerGene()).sampled(rng).items) < 5 for _ in range(400))
