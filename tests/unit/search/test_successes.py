"""Operations that have not succeeded yet, and whose turn it is."""

from wimble.model.evaluation import Evaluation, Observation
from wimble.model.http import HttpRequest, HttpResponse
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.successes import MAX_SAMPLES, Successes
from wimble.types import OperationId

FIRST, SECOND = (Operation(id=OperationId(f"GET /{name}"), method="GET", path=f"/{name}") for name in "ab")


def answered(operation: Operation, status: int | None) -> Evaluation:
    response = None if status is None else HttpResponse(status=status, headers=(), body=b"")
    observation = Observation(call_index=0, request=HttpRequest("GET", operation.path), response=response)
    return Evaluation(test_case=TestCase((Call(operation, ()),)), observations=(observation,), reached={})


def test_the_least_tried_is_next_and_those_that_succeeded_are_not():
    successes = Successes([FIRST, SECOND])
    assert [successes.next_to_try() for _ in range(3)] == [FIRST, SECOND, FIRST]
    for status in (404, 500, None):
        successes.observe(answered(FIRST, status))
    assert successes.next_to_try() is SECOND
    successes.observe(answered(SECOND, 201))
    assert [successes.next_to_try() for _ in range(2)] == [FIRST, FIRST]
    successes.observe(answered(FIRST, 200))
    successes.observe(answered(FIRST, 200))
    assert successes.next_to_try() is None


def test_each_has_its_chance_and_no_more():
    successes = Successes([FIRST, SECOND])
    tried = [successes.next_to_try() for _ in range(2 * MAX_SAMPLES + 5)]
    assert tried.count(FIRST) == tried.count(SECOND) == MAX_SAMPLES
    assert tried[-1] is None
