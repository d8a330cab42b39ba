"""Operations that have not succeeded yet, and whose turn it is."""

from random import Random

from wimble.http.binding import binding_of, http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.unsucceeded_operations import MAX_SAMPLES, UnsucceededOperations
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import OperationId

FIRST, SECOND = (http_operation(id=OperationId(f"GET /{name}"), method="GET", path=f"/{name}") for name in "ab")


def answered(operation: Operation, status: int | None) -> Evaluation:
    response = None if status is None else HttpResponse(status=status, headers=(), body=b"")
    observation = http_observation(
        call_index=0, request=HttpRequest("GET", binding_of(operation).path), response=response
    )
    return Evaluation(test_case=TestCase((Call(operation, ()),)), observations=(observation,), reached={})


def waiting() -> UnsucceededOperations:
    operations = [FIRST, SECOND]
    return UnsucceededOperations(operations, Sampler(operations, Settings(), Random(1)))


def observed(generator: UnsucceededOperations, evaluation: Evaluation) -> None:
    generator.observe(Outcome(Proposal(evaluation.test_case), evaluation, Improvement()))


def test_the_least_tried_is_next_and_those_that_succeeded_are_not():
    successes = waiting()
    assert [successes.next_to_try() for _ in range(3)] == [FIRST, SECOND, FIRST]
    for status in (404, 500, None):
        observed(successes, answered(FIRST, status))
    assert successes.next_to_try() is SECOND
    observed(successes, answered(SECOND, 201))
    assert [successes.next_to_try() for _ in range(2)] == [FIRST, FIRST]
    observed(successes, answered(FIRST, 200))
    observed(successes, answered(FIRST, 200))
    assert successes.next_to_try() is None
    assert successes.propose(0.0) is None


def test_each_has_its_chance_and_no_more():
    successes = waiting()
    tried = [successes.next_to_try() for _ in range(2 * MAX_SAMPLES + 5)]
    assert tried.count(FIRST) == tried.count(SECOND) == MAX_SAMPLES
    assert tried[-1] is None
