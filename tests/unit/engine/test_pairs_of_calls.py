"""Which two calls are sent at once."""

from __future__ import annotations

import pytest

from engine_parts import new_coordinator
from wimble.engine.races.pairs_of_calls import pairs_of_calls
from wimble.genes import IntegerGene, ObjectGene, OptionalGene, ReferenceGene, StringGene
from wimble.http.binding import binding_of, http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.operation import Operation
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId


def operation(method: str, path: str, *names: str) -> Operation:
    inputs = tuple(HttpInput(name=name, location="query", template=IntegerGene(), required=True) for name in names)
    return http_operation(id=OperationId(f"{method} {path}"), method=method, path=path, inputs=inputs)


BOOK = operation("POST", "/bookings", "seats")
CANCEL = operation("DELETE", "/bookings")
READ = operation("GET", "/bookings")


def book(seats: int) -> Call:
    return Call(BOOK, (IntegerGene(seats),))


def verified(*calls_and_statuses: tuple[Call, int]) -> VerifiedTest:
    observed = []
    for index, (call, status) in enumerate(calls_and_statuses):
        binding = binding_of(call.operation)
        request, response = HttpRequest(binding.method, binding.path), HttpResponse(status, (), b"{}")
        observed.append(VerifiedCall(observation=http_observation(index, request, response)))
    test_case = TestCase(tuple(call for call, _ in calls_and_statuses))
    return VerifiedTest(name="t", kind="other", test_case=test_case, calls=tuple(observed))


def pairs(*tests: VerifiedTest, of_spare: bool = False) -> list[tuple[list[int], int]]:
    """Returns the seats of the bookings before the second call, and its own."""
    coordinator = new_coordinator(operations=[BOOK, CANCEL, READ])
    return [
        ([one.genes[0].phenotype() for one in first.calls if one.operation is BOOK], second.genes[0].phenotype())
        for first, second, is_spare, _ in pairs_of_calls(coordinator, tests)
        if is_spare == of_spare and second.operation is BOOK
    ]


def test_a_call_that_is_refused_after_another_one_is_the_first_choice():
    last_seats = verified((book(10), 201), (book(9), 201), (Call(READ, ()), 200), (book(8), 409))
    assert pairs(verified((book(3), 201)), last_seats) == [([10, 9], 8), ([3], 3)]


@pytest.mark.parametrize(
    "second",
    [
        ((Call(CANCEL, ()), 200), (book(8), 409)),  # what comes between may be why
        ((Call(BOOK, (ReferenceGene(0, "/id", IntegerGene(8)),)), 409),),  # it needs the answer of the first one
    ],
)
def test_a_call_that_is_refused_for_another_reason_is_not_sent_at_once(second):
    assert pairs(verified((book(10), 201), *second)) == [([10], 10)]


def test_a_spare_pair_takes_little_of_what_there_is():
    assert pairs(verified((book(12), 201)), verified((book(2), 201)), of_spare=True) == [([1], 1)]
    assert pairs(verified((book(1), 201)), of_spare=True) == []


def test_further_pairs_are_spare_and_no_pair_comes_twice():
    tests = [verified((book(seats), 201)) for seats in (1, 1, 2, 3, 4, 5)]
    assert pairs(*tests) == [([1], 1), ([2], 2)]
    assert pairs(*tests, of_spare=True) == [([1], 1), ([3], 3), ([4], 4)]


def test_what_makes_something_is_also_called_with_all_that_it_may_be_given():
    """A test is minimised: it has no address, which may have to be unique."""
    person = ObjectGene(
        (
            ("name", StringGene("Kim")),
            ("mail", OptionalGene(StringGene("kim@example.org"), False)),
            ("home", OptionalGene(ObjectGene((("town", OptionalGene(StringGene("Bonn"), False)),)), False)),
        )
    )
    inputs = (HttpInput(name="body", location="body", template=person, required=True),)
    signs_up = http_operation(id=OperationId("POST /people"), method="POST", path="/people", inputs=inputs)
    coordinator = new_coordinator(operations=[signs_up])
    found = list(pairs_of_calls(coordinator, [verified((Call(signs_up, (person,)), 201))]))
    assert [(one.second.genes[0].phenotype(), one.is_guess) for one in found] == [
        ({"name": "Kim"}, False),
        ({"name": "Kim", "mail": "kim@example.org", "home": {"town": "Bonn"}}, True),
    ]
    assert all(one.test_case.calls[-1] == one.second for one in found)
