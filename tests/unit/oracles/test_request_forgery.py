"""Hosts that inputs decide are proven by a mark; fixed hosts are never found."""

import pytest

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest, Unmockable
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.oracles.judge import Judge
from wimble.types import OperationId

MARK = "k3x9q.probe.example"


def operation(name):
    given = HttpInput(name="target", location="query", template=StringGene())
    return http_operation(id=OperationId(name), method="GET", path="/x", inputs=(given,), responses=())


def findings(value, *hosts, earlier=None, is_http=True):
    return [one.key[1:] for one in judged(value, *hosts, earlier=earlier, is_http=is_http)]


def judged(value, *hosts, earlier=None, is_http=True, cause=None):
    calls = [Call(operation("GET /x"), (StringGene(value),))]
    if earlier is not None:
        calls.insert(0, Call(operation("POST /hooks"), (StringGene(earlier),)))
    last = len(calls) - 1
    sent = HttpRequest(method="GET", target="/x", headers=(), body=None)
    requests = [
        ExternalRequest(call=last, site="", n=n, origin=f"https://{host}:443", method="GET", target="/")
        if is_http
        else Unmockable(call=last, site="", host=host, port=25, reason="no HTTP")
        for n, host in enumerate(hosts)
    ]
    evaluation = Evaluation(
        test_case=TestCase(tuple(calls)),
        observations=tuple(
            http_observation(index, sent, HttpResponse(status=200, headers=(), body=b""), cause=cause)
            for index in range(len(calls))
        ),
        reached={},
        interactions=tuple(requests),
    )
    return [one for one in Judge()(evaluation) if one.oracle == "request-forgery"]


@pytest.mark.parametrize("value", [f"https://{MARK}/", MARK, f"@{MARK}/", f"https://{MARK.upper()}/a"])
def test_an_input_that_names_the_host_is_found(value):
    assert findings(value, MARK) == [("GET /x", "GET /x", "target")]


def test_what_the_program_puts_in_front_does_not_help_it():
    assert findings(f".{MARK}/", f"api.partner.{MARK}") == [("GET /x", "GET /x", "target")]


def test_a_stored_address_is_found_where_it_is_called():
    assert findings("a", MARK, earlier=f"https://{MARK}/") == [("GET /x", "POST /hooks", "target")]


def test_any_protocol_counts():
    assert findings(MARK, MARK, is_http=False)


def test_fixed_hosts_are_not_found():
    assert findings(f"https://{MARK}/", "api.payments.example") == []
    assert findings("https://api.payments.example/", "api.payments.example") == []
    assert findings("a", "other.probe.example") == []


@pytest.mark.parametrize(
    ("message", "line"),
    [(f"Error: getaddrinfo ENOTFOUND {MARK}", 7), ("HTTPError: 503 of api.rates.example", 0), ("", 7)],
)
def test_an_error_of_another_request_is_not_told_as_its_cause(message, line):
    cause = Cause(file="/p/rates.js", line=7, message=message, statement="/p/app.js:60")
    (found,) = judged(f"https://{MARK}/", MARK, cause=cause)
    assert (found.cause.line, found.cause.statement) == (line, "/p/app.js:60")
