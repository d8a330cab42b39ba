"""Test cases whose last call takes more at once."""

from wimble.engine.races.quantities import FACTORS, with_larger_quantities
from wimble.genes import IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId


def booking(**members) -> TestCase:
    body = ObjectGene(tuple(members.items()))
    given = HttpInput(name="body", location="body", template=body, media_type="application/json")
    operation = http_operation(id=OperationId("POST /bookings"), method="POST", path="/bookings", inputs=(given,))
    return TestCase((Call(operation, (body,)), Call(operation, (body,))))


def test_quantities_of_the_last_call_grow_and_what_names_a_thing_stays():
    case = booking(seats=IntegerGene(2), screeningId=IntegerGene(7), name=StringGene("a"), left=IntegerGene(0))
    found = list(with_larger_quantities(case))
    assert [one.calls[0] for one in found] == [case.calls[0]] * len(FACTORS)
    assert [one.calls[1].genes[0].phenotype() for one in found] == [
        {"seats": 2 * factor, "screeningId": 7, "name": "a", "left": 0} for factor in FACTORS
    ]


def test_inputs_that_are_left_out_stay_so_and_without_quantities_there_is_nothing():
    assert list(with_larger_quantities(booking(seats=OptionalGene(IntegerGene(2), False)))) == []
    assert list(with_larger_quantities(booking(name=StringGene("a")))) == []
