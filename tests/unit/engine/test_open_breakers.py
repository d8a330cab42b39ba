"""An operation that fails without asking services any more runs again after a fresh start, as long as these help."""

import pytest

from wimble.engine.monitors.open_breakers import MAX_VAIN, MIN_SHUT, OpenBreakers
from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId

ORIGIN = "https://labels.example:443"
LABELS = http_operation(id=OperationId("POST /labels"), method="POST", path="/labels", inputs=())
OTHER = http_operation(id=OperationId("GET /health"), method="GET", path="/health", inputs=())


def evaluation(status, *, is_asked=False, operation=LABELS, outcome="answer"):
    request = ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="POST", target="/labels")
    setup = (new_answer(ORIGIN, "POST", "/labels", outcome=outcome),)
    sent = HttpRequest(method=operation.id.split()[0], target="/labels")
    return Evaluation(
        test_case=TestCase((Call(operation, ()),), setup),
        observations=(http_observation(0, sent, HttpResponse(status=status, headers=(), body=b"")),),
        reached={},
        interactions=(request,) if is_asked else (),
    )


def told(monitor, *evaluations, start=0):
    return [monitor.note(one, start=start) for one in evaluations]


SHUT = [evaluation(503)] * MIN_SHUT


def test_calls_that_fail_without_a_request_after_one_with_a_request_ask_for_a_start():
    found = told(OpenBreakers(), evaluation(502, is_asked=True), *SHUT)
    assert found == [None] * MIN_SHUT + ["POST /labels"]


@pytest.mark.parametrize(
    "between",
    [
        evaluation(201, is_asked=True),
        evaluation(502, operation=OTHER),
        evaluation(400),
        evaluation(502, outcome="refused"),
    ],
)
def test_a_request_begins_anew_and_what_shows_nothing_does_not_count(between):
    found = told(OpenBreakers(), evaluation(502, is_asked=True), *SHUT[1:], between)
    assert found == [None] * (MIN_SHUT + 1)


def test_what_has_never_asked_since_the_start_has_no_open_breaker():
    monitor = OpenBreakers()
    assert told(monitor, *SHUT) == [None] * MIN_SHUT
    monitor.note(evaluation(502, is_asked=True), start=0)
    assert told(monitor, *SHUT, start=1) == [None] * MIN_SHUT


@pytest.mark.parametrize(("helps", "expected"), [(True, 10), (False, MAX_VAIN)])
def test_starts_in_vain_are_given_up(helps, expected):
    monitor = OpenBreakers()
    n_starts = 0
    for start in range(10):
        told(monitor, evaluation(502, is_asked=True), *SHUT[1:], start=start)
        if monitor.note(SHUT[0], start=start):
            n_starts += 1
            again = evaluation(201 if helps else 503, is_asked=helps)
            monitor.note_again(again, LABELS.id, start=start + 1, is_success=True)
    assert n_starts == expected


def test_starts_that_show_nothing_new_become_seldom():
    monitor = OpenBreakers()
    start = 0
    for _ in range(1000):
        if monitor.note(evaluation(502, is_asked=True), start=start) or any(told(monitor, *SHUT * 8, start=start)):
            start += 1
            monitor.note_again(evaluation(201, is_asked=True), LABELS.id, start=start, is_success=False)
    assert 4 < start < 12
