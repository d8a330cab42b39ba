"""What a call needs is bound to earlier calls once their answers are known."""

import json
from random import Random

from graphql import build_schema

from wimble.genes import ReferenceGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.spec.graphql.root_fields import load_graphql
from wimble.spec.graphql.schema_texts import DEFAULT_PATH

SCHEMA = build_schema("""
    type Book { id: ID!, title: String! }
    type Query { book(id: ID!): Book }
    type Mutation { addBook(title: String!): Book, reserve(bookId: ID!, days: Int!): Boolean }
""")
QUERY, ADD, HOLD = load_graphql(SCHEMA, "s", DEFAULT_PATH).operations


def drawn(operation):
    rng = Random(1)
    return Call(operation, tuple(given.template.sampled(rng) for given in operation.inputs))


def bound(sampler, earlier):
    call = sampler.references.with_needs(drawn(HOLD), earlier)
    return {one.name: one.gene for one in iter_named_genes(call, len(earlier))}


def answered(answer):
    response = HttpResponse(200, (("content-type", "application/json"),), json.dumps(answer).encode())
    seen = http_observation(0, HttpRequest("POST", "/graphql", (), b"{}"), response, is_graphql=True)
    return Evaluation(test_case=TestCase((drawn(ADD),)), observations=(seen,), reached={})


def test_a_value_of_its_own_becomes_a_reference_when_the_answer_is_known():
    sampler = Sampler([QUERY, ADD, HOLD], Settings(), Random(1))
    assert not isinstance(bound(sampler, [drawn(ADD)])["bookId"], ReferenceGene)
    sampler.observe(answered({"data": {"addBook": {"id": "7", "title": "a"}}}))
    found = bound(sampler, [drawn(QUERY), drawn(ADD), drawn(QUERY)])
    assert isinstance(found["bookId"], ReferenceGene)
    assert (found["bookId"].call, found["bookId"].pointer) == (1, "/data/addBook/id")
    assert not isinstance(found["days"], ReferenceGene)


def test_what_nobody_has_made_keeps_its_value():
    sampler = Sampler([QUERY, ADD, HOLD], Settings(), Random(1))
    sampler.observe(answered({"data": {"addBook": {"id": "7", "title": "a"}}}))
    assert not isinstance(bound(sampler, [drawn(QUERY)])["bookId"], ReferenceGene)
