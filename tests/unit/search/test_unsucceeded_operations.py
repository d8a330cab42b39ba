"""Operations that have not succeeded yet, and whose turn it is."""

from random import Random

import jsonschema_rs
import pytest
from msgspec.structs import replace

from wimble.genes import AnyGene, ObjectGene, OptionalGene, StringGene
from wimble.http.binding import binding_of, http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.external import ExternalRequest
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.model.validation import AppliedSchema, Validation
from wimble.search.archive.archive import Improvement
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.samples.unsucceeded_operations import (
    HELD_UP_COST,
    LEAST_PROBABILITY,
    MAX_SAMPLES,
    MOST_PROBABILITY,
    UnsucceededOperations,
)
from wimble.search.mutation.mutator import Mutator
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import OperationId, TargetId

FIRST, SECOND = (http_operation(id=OperationId(f"GET /{name}"), method="GET", path=f"/{name}") for name in "ab")


def answered(operation: Operation, status: int | None) -> Evaluation:
    response = None if status is None else HttpResponse(status=status, headers=(), body=b"")
    observation = http_observation(
        call_index=0, request=HttpRequest("GET", binding_of(operation).path), response=response
    )
    return Evaluation(test_case=TestCase((Call(operation, ()),)), observations=(observation,), reached={})


def waiting() -> UnsucceededOperations:
    operations = [FIRST, SECOND]
    rng, settings = Random(1), Settings()
    sampler = Sampler(operations, settings, rng)
    return UnsucceededOperations(operations, sampler, Mutator(sampler, settings, Schedule(), rng), rng)


def observed(generator: UnsucceededOperations, evaluation: Evaluation) -> None:
    generator.observe(Outcome(Proposal(evaluation.test_case), evaluation, Improvement()))


def test_the_least_tried_is_next_and_those_that_succeeded_are_not():
    successes = waiting()
    assert [successes.next_to_try() for _ in range(3)] == [FIRST, SECOND, FIRST]
    for status in (404, 500, None):
        observed(successes, answered(FIRST, status))
    assert successes.next_to_try() is SECOND
    assert successes.share_succeeded() == 0.0
    observed(successes, answered(SECOND, 201))
    assert 0.0 < successes.share_succeeded() < 1.0
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


TITLE = HttpInput(name="title", location="query", template=StringGene(), required=True)
BOOK = http_operation(id=OperationId("GET /book"), method="GET", path="/book", inputs=[TITLE])


def far(title: str, n_reached: int, status: int = 409, *, first_status: int = 200) -> Evaluation:
    call = Call(BOOK, (StringGene(title),))
    response = HttpResponse(status=status, headers=(), body=b"")
    observation = http_observation(call_index=1, request=HttpRequest("GET", "/book"), response=response)
    response = HttpResponse(status=first_status, headers=(), body=b"")
    first = http_observation(call_index=0, request=HttpRequest("GET", "/a"), response=response)
    reached = {TargetId(target): Reached(0.5, 1) for target in range(n_reached)}
    return Evaluation(
        test_case=TestCase((Call(FIRST, ()), call, Call(SECOND, ()))),
        observations=(first, observation),
        reached=reached,
    )


def test_the_calls_that_came_furthest_are_copied_with_other_values():
    rng, settings = Random(1), Settings()
    sampler = Sampler([BOOK], settings, rng)
    generator = UnsucceededOperations([BOOK], sampler, Mutator(sampler, settings, Schedule(), rng), rng)
    observed(generator, far("nowhere", 0))
    observed(generator, far("come far", 4))
    observed(generator, far("refused", 1))
    proposals = [proposal for _ in range(60) if (proposal := generator.propose(0.0)) is not None]
    copies = [one.test_case for one in proposals if not one.is_sampled]
    assert 20 < len(copies) < 50
    assert all(one.calls[-1].operation in (BOOK, FIRST) for one in copies)
    assert sum(one.calls[0].operation is FIRST for one in copies) > len(copies) / 2
    observed(generator, far("found", 0, status=200))
    assert generator.propose(0.0) is None


def test_calls_before_that_were_refused_are_not_copied():
    rng, settings = Random(1), Settings()
    sampler = Sampler([BOOK], settings, rng)
    generator = UnsucceededOperations([BOOK], sampler, Mutator(sampler, settings, Schedule(), rng), rng)
    observed(generator, far("come far", 4, first_status=404))
    proposals = [proposal for _ in range(30) if (proposal := generator.propose(0.0)) is not None]
    copies = [one.test_case for one in proposals if not one.is_sampled]
    assert len(copies) > 5
    assert all(call.operation is BOOK for one in copies for call in one.calls)


NOTE = ObjectGene((("text", StringGene("a")), *((name, OptionalGene(StringGene("b"))) for name in "klmnop")))
POST = http_operation(
    id=OperationId("POST /notes"),
    method="POST",
    path="/notes",
    inputs=[HttpInput(name="", location="body", template=NOTE, required=True)],
)


@pytest.mark.parametrize(("status", "is_often"), [(500, True), (409, False)])
def test_where_the_program_has_failed_copies_often_send_less(status, is_often):
    rng, settings = Random(1), Settings()
    sampler = Sampler([POST], settings, rng)
    generator = UnsucceededOperations([POST], sampler, Mutator(sampler, settings, Schedule(), rng), rng)
    failed = replace(answered(POST, status), test_case=TestCase((Call(POST, (NOTE,)),)), reached={0: Reached(0.5, 0)})
    observed(generator, failed)
    proposals = [proposal for _ in range(60) if (proposal := generator.propose(0.0)) is not None]
    copies = [one.test_case.calls[0] for one in proposals if not one.is_sampled]
    less = [copy for copy in copies if isinstance(body := copy.genes[0].phenotype(), dict) and len(body) < 6]
    assert (len(less) > 0.3 * len(copies)) == is_often


READING = {
    "type": "object",
    "properties": {"at": {"type": "string", "format": "date-time"}, "value": {"type": "number"}},
    "required": ["at", "value"],
}


@pytest.mark.parametrize("is_valid", [False, None])
def test_copies_of_calls_that_a_schema_has_refused_mostly_meet_it(is_valid):
    """Few new calls come through the guard before it (the key of a thing), so a copy of one that did has to."""
    rng, settings = Random(1), Settings()
    sampler = Sampler([POST], settings, rng)
    generator = UnsucceededOperations([POST], sampler, Mutator(sampler, settings, Schedule(), rng), rng)
    sent = {"text": "a"}
    applied = Validation(
        call=0, applied=AppliedSchema.of("ajv", READING), value=sent, place=("body",), is_valid=is_valid
    )
    refused = replace(
        answered(POST, 422),
        test_case=TestCase((Call(POST, (AnyGene(sent),)),)),
        reached={0: Reached(0.5, 0)},
        validations=(applied,),
    )
    sampler.observe(refused)
    observed(generator, refused)
    proposals = [proposal for _ in range(60) if (proposal := generator.propose(0.0)) is not None]
    copies = [one.test_case.calls[0].genes[0].phenotype() for one in proposals if not one.is_sampled]
    meets = [copy for copy in copies if isinstance(copy, dict) and jsonschema_rs.is_valid(READING, copy)]
    assert (len(meets) > 0.5 * len(copies)) == (is_valid is False)


def test_turns_are_more_often_while_more_operations_wait():
    generator = waiting()

    def share() -> float:
        return sum(generator.admission(generator, 0.0) for _ in range(4000)) / 4000

    assert abs(share() - MOST_PROBABILITY) < 0.03
    observed(generator, answered(FIRST, 200))
    assert abs(share() - (MOST_PROBABILITY + LEAST_PROBABILITY) / 2) < 0.03


def test_an_operation_that_a_service_holds_up_has_fewer_turns():
    successes = waiting()
    asked = ExternalRequest(call=0, site="", n=0, origin="https://a.example:443", method="GET", target="/")
    failed = answered(FIRST, 502)
    observed(successes, replace(failed, interactions=(asked,)))
    tried = [successes.next_to_try() for _ in range(10)]
    assert tried.count(SECOND) == HELD_UP_COST * tried.count(FIRST)
    observed(successes, failed)
    assert [successes.next_to_try() for _ in range(4)].count(FIRST) == 2


MAKE = http_operation(id=OperationId("POST /orders"), method="POST", path="/orders")
PAY = http_operation(
    id=OperationId("POST /orders/{id}/pay"),
    method="POST",
    path="/orders/{id}/pay",
    inputs=[HttpInput(name="id", location="path", template=StringGene(), required=True)],
)


def waiting_for_orders() -> UnsucceededOperations:
    rng, settings = Random(1), Settings()
    sampler = Sampler([MAKE, PAY], settings, rng)
    return UnsucceededOperations([MAKE, PAY], sampler, Mutator(sampler, settings, Schedule(), rng), rng)


def test_what_needs_what_no_call_has_made_yet_waits_for_those_that_may_make_it():
    successes = waiting_for_orders()
    tried = [successes.next_to_try() for _ in range(10)]
    assert tried.count(MAKE) == 10 * HELD_UP_COST // (HELD_UP_COST + 1)
    observed(successes, answered(MAKE, 201))
    assert successes.has_succeeded(MAKE.id)
    assert [successes.next_to_try() for _ in range(3)] == [PAY] * 3


def test_tries_from_before_anything_could_be_named_count_half():
    successes = waiting_for_orders()
    while successes.next_to_try() is not None:
        pass
    observed(successes, answered(MAKE, 201))
    assert [successes.next_to_try() for _ in range(MAX_SAMPLES)].count(PAY) == MAX_SAMPLES // 2
