"""Failures of services that become errors of the API, and what is right."""

import msgspec
import pytest

from wimble.http.binding import http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation
from wimble.model.external import INTERNAL_ERROR, ExternalRequest, Unmockable
from wimble.model.observation import Cause
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call, TestCase
from wimble.model.validation import AppliedSchema, Validation
from wimble.oracles.judge import Judge
from wimble.types import OperationId

ORIGIN = "https://api.payments.example:443"
OPERATION = http_operation(id=OperationId("GET /x"), method="GET", path="/x", responses=())


def findings(status, *, reply="503", message="", body=b"{}", headers=(), has_request=True, judge=None, **more):
    form = {"body": more.get("replied", {}), "form": "json" if "replied" not in more else "text"}
    answer = new_answer(ORIGIN, "GET", "/v1/*", status=int(reply) if reply.isdigit() else 200, **form)
    answer = more.get("answer") or msgspec.structs.replace(answer, outcome=more.get("outcome", "answer"))
    request = ExternalRequest(
        call=0,
        site=more.get("site", ""),
        n=0,
        origin=more.get("origin", ORIGIN),
        method="GET",
        target=more.get("asked", "/v1/7"),
        answered_by=0,
        reply=reply,
        headers=headers,
        body=more.get("request_body", ""),
    )
    response = HttpResponse(status=status, headers=(("content-type", "application/json"),), body=body)
    sent = HttpRequest(method="GET", target=more.get("target", "/x"), headers=(), body=None)
    cause = Cause(file="/app/pay.js", line=7, message=message) if message else None
    observation = msgspec.structs.replace(http_observation(0, sent, response), cause=cause)
    later = [
        msgspec.structs.replace(request, n=1, origin=origin, reply=reply, answered_by=None)
        for origin, reply in more.get("later", ())
    ]
    evaluation = Evaluation(
        test_case=TestCase((Call(OPERATION, ()),), (answer,)),
        observations=(observation,),
        reached={},
        interactions=(*((request, *later) if has_request else ()), *more.get("unmocked", ())),
        validations=more.get("validations", ()),
    )
    return [
        (finding.oracle, finding.key[1:])
        for finding in (judge or Judge())(evaluation)
        if "status" not in finding.oracle
    ]


SITE = ("upstream-failure", ("/app/pay.js", "7"))


@pytest.mark.parametrize("reply", ["503", "404", "reset", "truncated"])
def test_a_failure_that_becomes_an_error_is_one_finding_for_its_call_site(reply):
    assert findings(500, reply=reply, message="Error: a") == findings(500, reply=reply, message="Error: b") == [SITE]


def test_a_refusal_of_grpc_is_a_failure_of_the_service():
    refused = new_answer(ORIGIN, "GET", "/v1/*", headers={"grpc-status": "5", "grpc-message": "gone"})
    assert findings(500, reply="200", message="Error: 5 NOT_FOUND: gone", answer=refused) == [SITE]
    fine = new_answer(ORIGIN, "GET", "/v1/*", headers={"grpc-status": "0"})
    assert [oracle for oracle, _ in findings(500, reply="200", message="Error: own", answer=fine)] == ["server-error"]
    assert findings(503, reply="200", answer=refused) == []


def test_what_a_refusal_of_grpc_says_of_its_insides_is_for_logs():
    refused = new_answer(ORIGIN, "GET", "/v1/*", headers={"grpc-status": "13", "grpc-message": INTERNAL_ERROR})
    body = f'{{"error":"13 INTERNAL: {INTERNAL_ERROR}"}}'.encode()
    assert [oracle for oracle, _ in findings(502, reply="200", answer=refused, body=body)] == ["leaked-internals"]
    assert findings(502, reply="200", answer=refused) == []


def test_a_missing_member_is_a_failure_of_the_service_too():
    message = "TypeError: Cannot read properties of undefined (reading 'id')"
    assert findings(500, reply="200", message=message) == [SITE]


@pytest.mark.parametrize(
    "message",
    [
        "Error: Non-whitespace before first tag.\nLine: 0\nColumn: 1\nChar: {",
        "Error: Invalid Opening Quote: a quote is found on field 0 at line 1, value is {",
        "Error: XML parse error: unexpected content",
        "SyntaxError: Unexpected end of data at offset 12",
    ],
)
def test_an_answer_that_a_parser_refuses_is_a_failure_of_the_service(message):
    assert findings(500, reply="200", message=message) == [SITE]


def test_what_is_sent_by_one_line_is_one_finding_of_an_operation():
    site = "/app/pay.js:7"
    assert findings(500, site=site) == [("upstream-failure", (site, "GET /x"))]
    leaked = {"body": INTERNAL_ERROR.encode(), "replied": INTERNAL_ERROR, "site": site}
    assert findings(502, reply="500", **leaked) == [("leaked-internals", ("GET /x", site))]
    own = {"headers": (("x-api-key", "k-1234567890ab"),), "body": b'"k-1234567890ab"', "site": site}
    assert findings(200, reply="200", **own) == [("leaked-credentials", ("GET /x", site, "x-api-key"))]


def test_of_requests_at_once_the_one_that_fits_the_error_has_failed():
    other = [("http://other.example:80", "404")]
    message = "TypeError: Cannot read properties of undefined (reading 'id')"
    assert findings(500, reply="200", message=message, later=other) == [SITE]
    assert findings(500, reply="200", message=message, later=[("http://other.example:80", "200")]) == [SITE]
    [(_, key)] = findings(500, reply="200", later=other)
    assert key[0] == "http://other.example:80", "without a place, the service tells faults"


def test_without_a_place_in_the_program_a_failure_is_one_for_each_request_of_an_operation():
    assert findings(500, reply="503") == [("upstream-failure", (ORIGIN, "GET /x", "GET", "/v1/*"))]


def test_an_error_after_a_good_answer_is_the_apis_own():
    assert [oracle for oracle, _ in findings(500, reply="200", message="Error: no such tariff")] == ["server-error"]


@pytest.mark.parametrize(("reply", "oracle"), [("250", "server-error"), ("550", "upstream-failure")])
def test_a_mail_that_was_accepted_leaves_nothing_that_may_be_missing(reply, oracle):
    message = "TypeError: Cannot read properties of undefined (reading 'id')"
    found = findings(500, origin="smtp://mail.example:25", reply=reply, message=message)
    assert [one for one, _ in found] == [oracle]


@pytest.mark.parametrize("status", [424, 502, 503, 504])
def test_to_pass_a_failure_on_is_right(status):
    assert findings(status) == []


def test_without_a_service_a_bad_gateway_is_an_error():
    assert [oracle for oracle, _ in findings(502, has_request=False)] == ["server-error"]


@pytest.mark.parametrize("message", ["TypeError: fetch failed", "fetch failed", "connect ECONNREFUSED ::1:9200"])
def test_a_bad_gateway_after_a_connection_that_failed_is_right(message):
    assert findings(502, has_request=False, message=message) == []
    assert [oracle for oracle, _ in findings(500, has_request=False, message=message)] == ["server-error"]
    own = "TypeError: Failed to parse URL from x"
    assert [oracle for oracle, _ in findings(502, has_request=False, message=own)] == ["server-error"]


@pytest.mark.parametrize(
    ("kind", "is_right"), [("connection", True), ("program", True), ("reached", True), ("native", False)]
)
def test_what_no_mock_serves_may_fail_as_services_do(kind, is_right):
    unmocked = Unmockable(call=0, site="", host="unix:/run/docker.sock", port=0, reason="", kind=kind)
    found = findings(502, has_request=False, unmocked=(unmocked,))
    assert [oracle for oracle, _ in found] == ([] if is_right else ["server-error"])


def test_an_open_circuit_breaker_passes_a_failure_on_without_a_request():
    judge = Judge()
    assert findings(503, judge=judge) == []
    assert findings(503, judge=judge, has_request=False) == []
    assert [oracle for oracle, _ in findings(500, judge=judge, has_request=False)] == ["server-error"]


def test_credentials_for_a_service_stay_in_the_api():
    headers = (("Authorization", "Bearer sk_live_4242424242"),)
    leaking = findings(200, reply="200", headers=headers, body=b'{"config":{"auth":"Bearer sk_live_4242424242"}}')
    assert [oracle for oracle, _ in leaking] == ["leaked-credentials"]
    assert findings(200, reply="200", headers=headers, body=b'{"paid":true}') == []


SECRET = "sk_live_4242424242"


@pytest.mark.parametrize(
    "carried",
    [
        {"headers": (("authorization", "Basic dTpza19saXZlXzQyNDI0MjQyNDI="),)},
        {"asked": f"/v1/7?key={SECRET}"},
        {"request_body": f"grant_type=password&client_secret={SECRET}"},
        {"request_body": '{"password":"' + SECRET + '"}'},
    ],
)
def test_credentials_are_known_wherever_a_request_carries_them(carried):
    body = f'{{"error":"{SECRET}"}}'.encode()
    assert [oracle for oracle, _ in findings(200, reply="200", body=body, **carried)] == ["leaked-credentials"]
    # A caller that has sent it learns nothing.
    assert findings(200, reply="200", body=body, target=f"/x?key={SECRET}", **carried) == []


def test_an_error_inside_a_service_that_it_tells_in_json_stays_in_the_api_too():
    answer = new_answer(ORIGIN, "GET", "/v1/*", status=503, body={"error": {"message": INTERNAL_ERROR}})
    body = f'{{"error":"stock: {INTERNAL_ERROR}"}}'.encode()
    assert [oracle for oracle, _ in findings(502, reply="503", answer=answer, body=body)] == ["leaked-internals"]
    assert findings(502, reply="503", answer=answer) == []


def test_the_text_of_an_error_inside_a_service_stays_in_the_api():
    told = {"reply": "500", "replied": f"<p>{INTERNAL_ERROR}</p>"}
    leaking = findings(502, body=f'{{"detail":"{INTERNAL_ERROR}"}}'.encode(), **told)
    assert leaking == [("leaked-internals", ("GET /x", ORIGIN, "GET", "/v1/*"))]
    assert findings(502, body=b'{"detail":"payments"}', **told) == []


def test_a_redirected_request_tells_of_insides_once():
    """Where the redirect leads, it is another request of the same client at the same place."""
    moved = new_answer(ORIGIN, "GET", "/v1/*", status=302)
    told = new_answer(ORIGIN, "GET", "/moved", status=503, body={"message": INTERNAL_ERROR})
    requests = [
        ExternalRequest(
            call=0, site="", n=n, origin=ORIGIN, method="GET", target=target, answered_by=n, reply=reply,
            headers=(), body="",
        )
        for n, (target, reply) in enumerate([("/v1/7", "302"), ("/moved", "503")])
    ]  # fmt: skip
    response = HttpResponse(502, (("content-type", "application/json"),), f'{{"a":"{INTERNAL_ERROR}"}}'.encode())
    evaluation = Evaluation(
        test_case=TestCase((Call(OPERATION, ()),), (moved, told)),
        observations=(http_observation(0, HttpRequest("GET", "/x"), response),),
        reached={},
        interactions=tuple(requests),
    )
    keys = [finding.key for finding in Judge()(evaluation) if finding.oracle == "leaked-internals"]
    assert keys == [("leaked-internals", "GET /x", ORIGIN, "GET", "/v1/*")]


def test_an_unreachable_service_counts_though_no_request_was_seen():
    refused = {"outcome": "refused", "has_request": False}
    assert findings(500, message="TypeError: fetch failed", **refused) == [SITE]
    assert findings(500, message="AggregateError", **refused) == [SITE]
    assert [oracle for oracle, _ in findings(500, message="RangeError: no", **refused)] == ["server-error"]
    assert findings(502, **refused) == []


@pytest.mark.parametrize(
    "message",
    [
        "Error: certificate has expired",
        "Error: self-signed certificate in certificate chain",
        "Error: unable to verify the first certificate",
        "Error: Hostname/IP does not match certificate's altnames: Host: a.example. is not cert's CN: b.example",
    ],
)
def test_a_certificate_that_the_client_refuses_is_a_failure_of_the_service(message):
    assert findings(500, message=message, outcome="expired", has_request=False) == [SITE]


def test_an_answer_that_a_schema_refuses_is_a_failure_of_the_service():
    applied = AppliedSchema.of("yup", {"type": "object", "required": ["results"]})
    refused = Validation(call=0, applied=applied, value={}, place=("answer", "0"), is_valid=False)
    told = {"reply": "200", "message": "ValidationError: results is a required field"}
    assert findings(500, validations=(refused,), **told) == [SITE]
    own = msgspec.structs.replace(refused, place=("body",))
    assert [oracle for oracle, _ in findings(500, validations=(own,), **told)] == ["server-error"]
