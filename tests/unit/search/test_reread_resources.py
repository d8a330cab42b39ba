"""A resource is read before and after a call that has changed it, which is used as it was sent."""

from __future__ import annotations

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.reread_resources import MAX_TRIES, RereadResources
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

ROUTE = ObjectGene((("code", StringGene("ABC-DEF")),))
MADE, READ, CHANGE, REMOVE = OPERATIONS = [
    operation("POST", "/routes", body=ROUTE),
    operation("GET", "/routes/{id}", id=IntegerGene()),
    operation("PUT", "/routes/{id}", id=IntegerGene(), body=ROUTE),
    operation("DELETE", "/routes/{id}", id=IntegerGene()),
]
OWN = ReferenceGene(0, "/id", IntegerGene(7))


def evaluation_of(calls: tuple[Call, ...], *statuses: int) -> Evaluation:
    seen = tuple(
        http_observation(index, HttpRequest("PUT", "/"), HttpResponse(status, (), b"{}"))
        for index, status in enumerate(statuses)
    )
    return Evaluation(test_case=TestCase(calls), observations=seen, reached={})


def new_generator(max_calls: int = 10) -> RereadResources:
    return RereadResources(OPERATIONS, Sampler(OPERATIONS, Settings(), Random(1)), max_calls)


def proposals(generator: RereadResources, evaluation: Evaluation) -> list[Proposal]:
    generator.observe(Outcome(Proposal(evaluation.test_case), evaluation, Improvement()))
    return [generator.propose(0.5) for _ in iter(generator.is_ready, False)]


def test_a_change_that_has_succeeded_stands_between_two_reads_of_its_resource() -> None:
    calls = (Call(MADE, (ROUTE,)), Call(CHANGE, (OWN, ROUTE), user="anna"), Call(MADE, (ROUTE,)))
    (found,) = proposals(new_generator(), evaluation_of(calls, 201, 200, 201))
    made, before, change, after = found.test_case.calls
    assert (made, change) == calls[:2]
    assert before == after
    assert before.operation is READ
    assert before.user == "anna"
    reference = before.genes[0]
    assert isinstance(reference, ReferenceGene)
    assert (reference.call, reference.pointer) == (0, "/id")


def test_what_was_refused_or_changes_nothing_is_left_out() -> None:
    change = (Call(CHANGE, (IntegerGene(3), ROUTE)),)
    assert not proposals(new_generator(), evaluation_of(change, 409))
    assert not proposals(new_generator(), evaluation_of((Call(CHANGE, (IntegerGene(3), ObjectGene(()))),), 200))
    assert not proposals(new_generator(max_calls=2), evaluation_of(change, 200))
    assert proposals(new_generator(), evaluation_of((Call(REMOVE, (IntegerGene(3),)),), 204))


def test_it_ends_once_the_resource_was_read_and_changed() -> None:
    change = evaluation_of((Call(CHANGE, (IntegerGene(3), ROUTE)),), 200)
    for status_of_read, n_tried in ((200, 1), (404, MAX_TRIES)):
        generator, tried = new_generator(), 0
        for _ in range(MAX_TRIES + 1):
            for proposal in proposals(generator, change):
                tried += 1
                again = evaluation_of(proposal.test_case.calls, status_of_read, 200, status_of_read)
                generator.observe(Outcome(proposal, again, Improvement()))
        assert tried == n_tried


def test_what_there_is_once_is_read_at_the_place_of_its_change() -> None:
    read, change = operation("GET", "/me"), operation("PATCH", "/me", body=ROUTE)
    generator = RereadResources([read, change], Sampler([read, change], Settings(), Random(1)), 10)
    (found,) = proposals(generator, evaluation_of((Call(change, (ROUTE,)),), 200))
    assert [call.operation.id for call in found.test_case.calls] == ["GET /me", "PATCH /me", "GET /me"]
