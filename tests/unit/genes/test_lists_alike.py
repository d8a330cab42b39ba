"""New elements of a list of any values have the shape of the others."""

from random import Random

from wimble.genes import AnyGene, ArrayGene
from wimble.genes.containers import ALIKE_PROBABILITY


def shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: shape(below) for key, below in value.items()}
    return [shape(below) for below in value] if isinstance(value, list) else type(value)


def test_elements_are_like_the_one_before():
    first = {"sku": "qx3f1", "sizes": [1, 2], "note": None}
    lists = [ArrayGene(AnyGene(), (AnyGene(first),)).resized(2, Random(seed)).phenotype() for seed in range(300)]
    alike = [one for _, one in lists if shape(one) == shape(first)]
    assert abs(len(alike) - 300 * ALIKE_PROBABILITY) < 25
    assert len({one["sku"] for one in alike}) > 50
