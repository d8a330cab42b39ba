"""Dates of one call become the ends of a short period."""

from datetime import datetime, timedelta
from random import Random

import pytest
from fake_sut import operation

from wimble.genes import ObjectGene, StringGene
from wimble.model.testcase import Call
from wimble.search.sampling.dates_in_order import PERIOD_PROBABILITY, DatesInOrder


def applied(**members: str) -> list[dict]:
    body = ObjectGene(tuple((name, StringGene(value)) for name, value in members.items()))
    api = operation("POST", "/rentals", body)
    call = Call(api, tuple(given.template if given.role != "content" else body for given in api.inputs))
    step = DatesInOrder(Random(3))
    return [next(g.phenotype() for g in step.applied(call, ()).genes if isinstance(g, ObjectGene)) for _ in range(100)]


@pytest.mark.parametrize(
    ("end", "start"), [("dueOn", "startsOn"), ("to", "from"), ("checkOut", "checkIn"), ("valid_until", "valid_from")]
)
def test_the_end_follows_the_start_soon(end, start):
    both = applied(**{end: "1999-03-01", start: "2024-05-06"})
    near = [one for one in both if one[end] != "1999-03-01"]
    assert abs(len(near) - 100 * PERIOD_PROBABILITY) < 15
    for one in near:
        assert one[start] == "2024-05-06"
        length = datetime.fromisoformat(one[end]) - datetime.fromisoformat(one[start])
        assert timedelta(days=1) <= length <= timedelta(days=31)


def test_moments_may_be_hours_apart():
    both = applied(startsAt="2024-05-06T10:00:00Z", endsAt="1999-03-01T10:00:00Z")
    ends = {one["endsAt"][:13] for one in both}
    assert {"2024-05-06T11", "2024-05-06T12", "2024-05-07T10"} <= ends


def test_a_single_date_and_other_texts_stay():
    assert applied(day="2024-05-06", title="come by", code="12345678")[0] == {
        "day": "2024-05-06",
        "title": "come by",
        "code": "12345678",
    }
