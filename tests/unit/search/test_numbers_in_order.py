"""Numbers of one call become the ends of a range."""

from random import Random

import pytest
from fake_sut import operation

from wimble.genes import AnyGene, IntegerGene, ObjectGene, StringGene
from wimble.model.testcase import Call
from wimble.search.sampling.numbers_in_order import RANGE_PROBABILITY, NumbersInOrder


def applied(**members: int | str | bool) -> list[dict]:
    genes = {
        name: StringGene(value) if isinstance(value, str) else AnyGene(value) if value is True else IntegerGene(value)
        for name, value in members.items()
    }
    body = ObjectGene(tuple(genes.items()))
    api = operation("POST", "/ranges", body)
    call = Call(api, tuple(given.template if given.role != "content" else body for given in api.inputs))
    step = NumbersInOrder(Random(3))
    return [next(g.phenotype() for g in step.applied(call, ()).genes if isinstance(g, ObjectGene)) for _ in range(200)]


@pytest.mark.parametrize(
    ("start", "end"), [("from", "to"), ("minPrice", "maxPrice"), ("price_gte", "price_lte"), ("startRow", "endRow")]
)
def test_the_start_is_less_than_the_end(start, end):
    both = applied(**{start: 812, end: 300})
    changed = [one for one in both if one[start] != 812]
    assert abs(len(changed) - 200 * RANGE_PROBABILITY) < 25
    assert all(0 <= one[start] < one[end] == 300 for one in changed)
    assert len({one[start] for one in changed}) > 4


def test_texts_of_numbers_stay_texts_and_small_ends_have_small_starts():
    assert {one["from"] for one in applied(**{"from": "9", "to": "1"})} == {"9", "0"}


def test_other_numbers_stay():
    for members in (
        {"from": 1, "to": 5},
        {"from": 9, "until": 5},
        {"minPrice": 9, "maxSize": 5},
        {"from": True, "to": 0},
    ):
        assert applied(**members) == [members] * 200
