"""What a call has just made is used at once by operations that have not succeeded."""

from random import Random

from api import API
from fake_sut import operation
from graphql import build_schema

from wimble.genes import IntegerGene, ObjectGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.first_uses import MAX_TRIES, MAX_USED_CALLS, FirstUses, with_each_use
from wimble.search.resources.references import iter_references
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.spec.graphql.root_fields import load_graphql
from wimble.spec.graphql.schema_texts import DEFAULT_PATH


def outcome_of(*calls: Call, status: int = 201, body: bytes = b'{"id": 5}') -> Outcome:
    response = HttpResponse(status, (("content-type", "application/json"),), body)
    observations = tuple(http_observation(index, HttpRequest("POST", "/"), response) for index in range(len(calls)))
    evaluation = Evaluation(test_case=TestCase(calls), observations=observations, reached={})
    return Outcome(Proposal(evaluation.test_case), evaluation, Improvement())


def proposed(generator: FirstUses) -> list[TestCase]:
    found = []
    while generator.is_ready() and (proposal := generator.propose(0.0)) is not None:
        found.append(proposal.test_case)
    return found


def made_book(sampler: Sampler) -> Outcome:
    create = next(one for one in API if one.id == "POST /books")
    made = outcome_of(Call(create, tuple(given.template for given in create.inputs)))
    for _ in range(5):  # an answer shows where the identity of a book stands
        sampler.observe(made.evaluation)
    return made


def test_operations_that_have_not_succeeded_use_what_a_call_has_made():
    sampler = Sampler(API, Settings(), Random(1))
    generator, made = FirstUses(sampler, 10), made_book(sampler)
    read = next(one for one in API if one.id == "GET /books/{id}")
    generator.observe(outcome_of(Call(read, (IntegerGene(1),)), status=200))
    assert not generator.is_ready(), "nothing was made"
    generator.observe(made)
    uses = proposed(generator)
    assert all(one.calls[0] == made.evaluation.test_case.calls[0] for one in uses)
    names = [one.calls[-1].operation.id for one in uses]
    assert sorted(names) == ["DELETE /books/{id}", "POST /users/{userId}/orders", "PUT /books/{id}"]


def test_each_is_tried_a_few_times_and_no_more_once_it_has_succeeded():
    sampler = Sampler(API, Settings(), Random(1))
    generator, made = FirstUses(sampler, 10), made_book(sampler)
    change = next(one for one in API if one.id == "PUT /books/{id}")
    for _ in range(MAX_TRIES + 2):
        generator.observe(made)
    generator.observe(outcome_of(Call(change, tuple(given.template for given in change.inputs)), status=200))
    names = [one.calls[-1].operation.id for one in proposed(generator)]
    assert names.count("DELETE /books/{id}") == MAX_TRIES
    assert "PUT /books/{id}" not in names


def test_what_two_fields_name_is_made_twice():
    content = ObjectGene((("homeTeamId", IntegerGene()), ("awayTeamId", IntegerGene())))
    teams, matches = operation("POST", "/teams"), operation("POST", "/matches", body=content)
    sampler = Sampler([teams, matches], Settings(), Random(1))
    generator = FirstUses(sampler, 10)
    generator.observe(outcome_of(Call(teams, ())))
    (use,) = proposed(generator)
    assert [call.operation.id for call in use.calls] == ["POST /teams", "POST /teams", "POST /matches"]
    assert sorted(reference.call for _, reference in iter_references(use)) == [0, 1]


def test_what_the_last_call_has_made_is_used_by_each_operation_that_can():
    create = next(one for one in API if one.id == "POST /books")
    made = Call(create, tuple(given.template for given in create.inputs))
    sampler = Sampler(API, Settings(), Random(1))
    for _ in range(5):  # an answer shows where the identity of a book stands
        sampler.observe(outcome_of(made, status=201, body=b'{"id": 5}').evaluation)
    used = {one.calls[-1].operation.id for one in with_each_use(TestCase((made,)), sampler)}
    assert {"GET /books/{id}", "PUT /books/{id}", "DELETE /books/{id}"} <= used
    assert "POST /books" not in used
    for extended in with_each_use(TestCase((made,)), sampler):
        assert [reference.call for _, reference in iter_references(extended)] == [0]
    assert list(with_each_use(TestCase((made,) * (MAX_USED_CALLS + 1)), sampler)) == []


def test_what_a_mutation_makes_is_used_by_all_that_need_it():
    schema = build_schema(
        "type Loan { id: ID! } type Query { loan(id: ID!): Loan me: String } "
        "type Mutation { createLoan(day: String!): Loan! extend(loanId: ID!, days: Int!): Loan! }"
    )
    operations = load_graphql(schema, "schema.graphql", DEFAULT_PATH).operations
    sampler = Sampler(operations, Settings(), Random(1))
    (made,) = (sampler.call(one, ()) for one in operations if one.id == "mutation createLoan")
    used = {one.calls[-1].operation.id for one in with_each_use(TestCase((made,)), sampler)}
    assert used == {"query loan", "mutation extend"}
