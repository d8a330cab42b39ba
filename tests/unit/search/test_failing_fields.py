"""Fields of GraphQL answers that cannot be resolved, and calls that do without them."""

import json
from random import Random

import pytest
from graphql import build_schema
from proposed import proposed_after

from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.variations.failed_selections import MAX_OF_OPERATION, FailedSelections
from wimble.search.learned.failing_fields import LEAST_FAILURES, FailingFields, without_fields
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.spec.graphql.left_out_fields import is_selected
from wimble.spec.graphql.root_fields import load_graphql
from wimble.spec.graphql.schema_texts import DEFAULT_PATH

SCHEMA = build_schema("""
    interface Named { name: String! }
    type Cat implements Named { name: String!, lives: Int! }
    type Room { id: ID!, seats: Int!, cats: [Named!]! }
    type Hall { id: ID!, rate: Float!, largest: Room!, room(name: String!): Room }
    input NewHall { title: String, settings: String }
    type Query { hall(id: ID!): Hall }
    type Mutation { addHall(input: NewHall!): Hall! }
""")
_, ADD = load_graphql(SCHEMA, "s", DEFAULT_PATH).operations
FIELDS = (("rate",), ("largest",), ("largest", "seats"), ("largest", "cats", "lives"))


def full_call() -> Call:
    """A call that selects all fields."""
    rng = Random(1)
    while True:
        gene = ADD.inputs[0].template.sampled(rng)
        if all(is_selected(gene.selection, path) for path in FIELDS):
            return Call(ADD, (gene,))


FULL = full_call()


def query_of(call):
    return call.genes[0].phenotype()["query"]


def observed(*paths):
    answer = {"data": {"addHall": None}}
    if paths:
        answer["errors"] = [{"message": "Unexpected error.", "path": list(path)} for path in paths]
    response = HttpResponse(200, (("content-type", "application/json"),), json.dumps(answer).encode())
    return http_observation(0, HttpRequest("POST", "/graphql", (), b"{}"), response, is_graphql=True)


def evaluation(*paths, call=FULL):
    return Evaluation(test_case=TestCase((call,)), observations=(observed(*paths),), reached={})


RATE = ("addHall", "rate")


@pytest.mark.parametrize("path", FIELDS)
def test_a_field_is_taken_out_of_a_selection_and_all_others_stay(path):
    left = without_fields(FULL, [path])
    assert not is_selected(left.genes[0].selection, path)
    assert all(is_selected(left.genes[0].selection, one) for one in FIELDS if one[: len(path)] != path)
    assert without_fields(left, [path]) is left


def test_new_calls_mostly_do_without_a_field_that_mostly_fails():
    fields = FailingFields(Random(1))
    for _ in range(LEAST_FAILURES):
        assert fields.applied(FULL, ()) is FULL
        fields.observe(FULL, observed(RATE, ("addHall", "largest", "cats", 0, "lives")))
    queries = [query_of(fields.applied(FULL, ())) for _ in range(200)]
    assert 100 < sum("rate" not in query for query in queries) < 200
    assert all(("rate" in query) == ("lives" in query) for query in queries)


def test_a_field_that_was_mostly_resolved_stays():
    fields = FailingFields(Random(1))
    for paths in [(RATE,)] * LEAST_FAILURES + [()] * (LEAST_FAILURES + 1):
        fields.observe(FULL, observed(*paths))
    assert all(fields.applied(FULL, ()) is FULL for _ in range(20))


def test_a_call_whose_own_field_has_failed_says_nothing_of_those_below():
    fields = FailingFields(Random(1))
    for _ in range(LEAST_FAILURES):
        fields.observe(FULL, observed(("addHall",)))
    assert all(fields.applied(FULL, ()) is FULL for _ in range(20))
    assert proposed_after(FailedSelections(), [evaluation(("addHall",))]) == []


def test_a_test_case_runs_again_without_what_has_failed_once():
    generator = FailedSelections()
    (again,) = proposed_after(generator, [evaluation(), evaluation(RATE), evaluation(RATE)])
    assert "rate" not in query_of(again.calls[0])
    assert "largest" in query_of(again.calls[0])


def test_combinations_of_failed_fields_are_limited():
    paths = [tuple(f"addHall {number}".split()) for number in range(2 * MAX_OF_OPERATION)]
    again = proposed_after(FailedSelections(), [evaluation(RATE, path) for path in paths])
    assert len(again) == MAX_OF_OPERATION


def test_members_that_are_read_of_variables_are_no_undeclared_content():
    """Content that is made of them alone would be no request."""
    learned = LearnedInputs(Random(1))
    assert not learned.learn(ADD, LearnedInput(location="body", path=("variables", "input", "settings")))
