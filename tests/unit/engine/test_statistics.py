"""What is counted of answers without success."""

import json

from wimble.engine.session.statistics import MAX_MESSAGES, Statistics
from wimble.genes import ConstantGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase

BODY = HttpInput(name="body", location="body", template=ConstantGene({}), media_type="application/json")
GRAPHQL = http_operation(id="mutation submit", method="POST", path="/graphql", inputs=(BODY,), graphql="mutation")
REST = http_operation(id="POST /submit", method="POST", path="/submit", inputs=(BODY,))


def answered(operation, *bodies, status=200):
    counted = Statistics()
    for body in bodies:
        response = HttpResponse(status, (("content-type", "application/json"),), json.dumps(body).encode())
        request = HttpRequest("POST", "/", (), b"{}")
        is_graphql = bool(operation.binding.graphql)
        observation = http_observation(0, request, response, is_graphql=is_graphql)
        test_case = TestCase((Call(operation, (ConstantGene({}),)),))
        seen = Evaluation(test_case=test_case, observations=(observation,), reached={})
        counted.note(seen, is_search=True)
    return [(one.outcome_key, one.calls, one.text) for one in counted.answers_without_success(operation.id)]


def error(message):
    return {"errors": [{"message": message, "path": ["submit"]}], "data": None}


def test_messages_tell_answers_of_graphql_apart():
    bodies = [
        error("not your talk"),
        error("no talk 7"),
        error("no talk 8"),
        error("not your talk"),
        error("no talk 9"),
    ]
    assert answered(GRAPHQL, *bodies) == [("200", 3, "no talk 7"), ("200", 2, "not your talk")]


def test_statuses_tell_other_answers_apart():
    assert answered(REST, {"error": "a"}, {"error": "b"}, status=409) == [
        ("409", 2, '{"error":"a"}'.replace(":", ": "))
    ]


def test_messages_without_end_are_counted_as_one():
    words = [f"{chr(97 + number % 26)}{chr(97 + number // 26)} is wrong" for number in range(60)]
    counted = answered(GRAPHQL, *map(error, words))
    assert len(counted) == MAX_MESSAGES + 1
    assert sum(calls for _, calls, _ in counted) == 60


def test_calls_of_the_search_are_told_from_those_of_other_phases():
    counted = Statistics()
    observation = http_observation(0, HttpRequest("POST", "/"), HttpResponse(200, (), b""))
    test_case = TestCase((Call(REST, (ConstantGene({}),)),))
    for is_search in (True, False, False):
        counted.note(Evaluation(test_case=test_case, observations=(observation,), reached={}), is_search=is_search)
    assert counted.search_calls_of(REST.id) == 1
    assert counted.calls_of(REST.id) == 3
