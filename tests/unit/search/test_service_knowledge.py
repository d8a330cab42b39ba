"""Recorded answers and documents of services become answers to the requests that are seen."""

from random import Random

import pytest

from wimble.model.external import ExternalRequest, RecordedAnswer
from wimble.model.setup_kinds.answer import BODY
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.spec.service_documents import ServiceDocument

ORIGIN = "https://geo.example:443"


def recorded(target, body, **more):
    return RecordedAnswer(origin=ORIGIN, method="GET", target=target, status=200, body=body, **more)


def answers(knowledge, target="/v1/places?q=Rome", path="/v1/places", origin=ORIGIN):
    request = ExternalRequest(call=0, site="", n=0, origin=origin, method="GET", target=target)
    return [(one.status, one.genes[BODY].phenotype()) for one in knowledge.answers_for(request, path)]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("closest", [{"at": "Rome"}, {"at": "Oslo"}]), ("exact", [{"at": "Rome"}]), ("random", None)],
)
def test_recorded_answers_are_chosen_in_three_ways(choice, expected):
    knowledge = ServiceKnowledge(Random(1), choice)
    knowledge.add_recorded(
        [
            recorded("/v1/places?q=Oslo", '{"at":"Oslo"}'),
            recorded("/v1/places?q=Rome", '{"at":"Rome"}'),
            recorded("/v1/places/7/details", '{"at":"7"}'),
        ]
    )
    found = [body for _, body in answers(knowledge)]
    assert found == expected if expected is not None else len(found) == 3
    assert answers(knowledge, origin="https://other.example:443") == []


def test_recorded_bodies_keep_their_form():
    knowledge = ServiceKnowledge(Random(1), "exact")
    kinds = {"/text": "PONG", "/broken": '{"a":', "/lines": '{"a":1}\n{"a":2}\n'}
    knowledge.add_recorded(
        recorded(path, body, headers=(("content-type", "application/x-ndjson" if path == "/lines" else "x/y"),))
        for path, body in kinds.items()
    )
    assert answers(knowledge, "/text") == [(200, "PONG")]
    assert answers(knowledge, "/broken") == [(200, '{"a":')]
    assert answers(knowledge, "/lines") == [(200, [{"a": 1}, {"a": 2}])]


CHARGE = {"type": "object", "properties": {"paid": {"const": True}}, "required": ["paid"]}


def document(**more):
    declared = {
        "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Charge"}}}},
        "4XX": {"description": "declined"},
    }
    return {
        "openapi": "3.0.3",
        "servers": [{"url": "https://geo.example/v1"}],
        "paths": {"/charges/{id}": {"get": {"responses": declared}}, "/charges/latest": {"get": {"responses": {}}}},
        "components": {"schemas": {"Charge": CHARGE}},
        **more,
    }


def test_documents_of_services_declare_what_they_answer():
    knowledge = ServiceKnowledge(Random(1))
    knowledge.add_document(ServiceDocument(document()))
    assert answers(knowledge, "/v1/charges/7?full=1") == [(200, {"paid": True}), (400, {})]
    assert answers(knowledge, "/v1/charges/latest") == []
    assert answers(knowledge, "/v1/refunds/7") == []
    assert answers(knowledge, "/v1/charges/7", origin="https://other.example:443") == []


def test_the_user_may_say_whose_document_it_is():
    other = "http://localhost:4000"
    named = ServiceDocument(document(servers=[{"url": "/v1"}]), other)
    assert named.origins == {other}
    assert [status for status, _ in named.answers_to(other, "GET", "/v1/charges/7")] == [200, 400]
    assert ServiceDocument(document(servers=[{"url": "/v1"}])).origins == frozenset()


def test_swagger_is_read_too():
    swagger = {
        "swagger": "2.0",
        "host": "geo.example",
        "basePath": "/v1",
        "paths": {"/charges": {"get": {"responses": {"201": {"schema": CHARGE}}}}},
    }
    found = ServiceDocument(swagger).answers_to(ORIGIN, "GET", "/v1/charges")
    assert [(status, gene.phenotype()) for status, gene in found] == [(201, {"paid": True})]
