"""What was done to a resource is followed by each other act on it."""

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ReferenceGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.further_steps import MAX_TRIES, FurtherSteps
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

MAKE, QUOTE, BOOK, READ, OTHER = OPERATIONS = [
    operation("POST", "/orders"),
    operation("POST", "/orders/{id}/quote", id=IntegerGene()),
    operation("POST", "/orders/{id}/book", id=IntegerGene()),
    operation("GET", "/orders/{id}", id=IntegerGene()),
    operation("POST", "/users/{id}/block", id=IntegerGene()),
]
ORDER = ReferenceGene(0, "/id", IntegerGene(7))


def observed(generator: FurtherSteps, calls: tuple[Call, ...], *statuses: int) -> None:
    seen = tuple(
        http_observation(index, HttpRequest("POST", "/"), HttpResponse(status, (), b"{}"))
        for index, status in enumerate(statuses)
    )
    evaluation = Evaluation(test_case=TestCase(calls), observations=seen, reached={})
    generator.observe(Outcome(Proposal(evaluation.test_case), evaluation, Improvement()))


def proposed(generator: FurtherSteps) -> list[TestCase]:
    found = []
    while generator.is_ready() and (proposal := generator.propose(0.5)) is not None:
        found.append(proposal.test_case)
    return found


def new_generator(max_calls: int = 10) -> FurtherSteps:
    return FurtherSteps(Sampler(OPERATIONS, Settings(), Random(1)), max_calls)


def test_an_act_that_has_succeeded_is_followed_by_each_on_the_same_resource() -> None:
    generator, calls = new_generator(), (Call(MAKE, ()), Call(QUOTE, (ORDER,), user="anna"))
    observed(generator, calls, 201, 200)
    assert generator.may_open()
    steps = proposed(generator)
    assert {one.calls[-1].operation.id for one in steps} == {BOOK.id, READ.id, QUOTE.id}
    for one in steps:
        *before, last = one.calls
        assert tuple(before) == calls
        assert last.user == "anna"
        assert isinstance(last.genes[0], ReferenceGene)
        assert (last.genes[0].call, last.genes[0].pointer) == (0, "/id")


def test_what_was_refused_or_made_nothing_of_one_thing_is_followed_by_none() -> None:
    generator = new_generator()
    observed(generator, (Call(MAKE, ()), Call(QUOTE, (ORDER,))), 201, 409)
    observed(generator, (Call(MAKE, ()),), 201)
    observed(generator, (Call(MAKE, ()), Call(READ, (ORDER,))), 201, 200)
    assert not generator.is_ready()
    observed(new_generator(max_calls=2), (Call(MAKE, ()), Call(QUOTE, (ORDER,))), 201, 200)
    assert not generator.is_ready()


def test_each_two_are_tried_once_and_a_few_times_while_the_second_has_not_succeeded() -> None:
    generator, calls = new_generator(), (Call(MAKE, ()), Call(QUOTE, (ORDER,)))
    for _ in range(MAX_TRIES + 2):
        observed(generator, calls, 201, 200)
    names = [one.calls[-1].operation.id for one in proposed(generator)]
    assert names.count(BOOK.id) == MAX_TRIES
    assert names.count(QUOTE.id) == 1
    observed(generator, (Call(MAKE, ()), Call(BOOK, (ORDER,))), 201, 200)
    names = [one.calls[-1].operation.id for one in proposed(generator)]
    assert names.count(QUOTE.id) == names.count(BOOK.id) == 1
