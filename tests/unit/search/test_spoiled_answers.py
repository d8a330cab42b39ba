"""Bodies that are none, in answers whose status or content type no usual result has."""

from fake_sut import operation

from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import Answer, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.services.spoiled_answers import SpoiledAnswers

ORIGIN = "https://catalog.example:443"
ORDER = operation("POST", "/orders")


def spoiled(generator, answer, *, answered_by=0):
    """Status, content type and text of each answer in the place of this one."""
    request = ExternalRequest(
        call=0, site="", n=0, origin=ORIGIN, method="GET", target="/skus/7", answered_by=answered_by
    )
    test_case = TestCase((Call(ORDER, ()),), (answer,))
    seen = (http_observation(0, HttpRequest("POST", "/orders"), HttpResponse(409, (), b"{}")),)
    evaluation = Evaluation(test_case=test_case, observations=seen, reached={}, interactions=(request,))
    found = []
    for other in generator.with_spoiled(evaluation):
        ((_, changed),) = other.setup_of(Answer)
        sent = changed.planned(other, 0)
        found.append((sent.status, dict(sent.headers).get("content-type"), sent.body.strip()))
    return found


def answer(status, body, **options):
    return new_answer(ORIGIN, "GET", "/skus/*", status=status, body=body, **options)


def test_another_status_keeps_its_meaning_and_loses_its_body_once():
    generator = SpoiledAnswers()
    gone = answer(410, {"replacement": "a"})
    json = "application/json"
    assert spoiled(generator, gone) == [(410, json, '{"a":'), (410, json, ""), (410, json, "null")]
    assert spoiled(generator, gone) == []


def test_a_line_or_an_event_is_cut_behind_the_others():
    lines = spoiled(SpoiledAnswers(), answer(200, [{"a": 1}], form="lines"))
    assert lines == [(200, "application/x-ndjson", '{"a":1}\n{"a":'), (200, "application/x-ndjson", "")]
    ((_, _, events), _) = spoiled(SpoiledAnswers(), answer(200, [{"data": {"a": 1}}], form="events"))
    assert events.endswith('data: {"a":')


def test_usual_results_and_answers_that_nobody_got_are_left_alone():
    assert spoiled(SpoiledAnswers(), answer(200, {})) == []
    assert spoiled(SpoiledAnswers(), answer(410, {}), answered_by=None) == []
    assert spoiled(SpoiledAnswers(), answer(304, {})) == []
