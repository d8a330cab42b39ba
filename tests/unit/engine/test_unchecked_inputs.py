"""A value that one call stores unchecked is one fault, in all answers that show it."""

import json

import msgspec
import pytest

from wimble.engine.faults.fault_merging import merged
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.result import ReportedFinding


def call(index, operation, sent, answered, *, status=200):
    request = HttpRequest(*operation.split(), body=b"" if sent is None else json.dumps(sent).encode())
    response = HttpResponse(status, (("content-type", "application/json"),), json.dumps(answered).encode())
    return http_observation(call_index=index, request=request, response=response)


def wrong(number, operation, line, observed, *calls):
    finding = Finding(
        oracle="response-schema", key=(operation, observed), operation=operation, status=200, title="t",
        observed=observed, subject=observed.partition(": ")[0], expected="e", cause=Cause(file="/p/app.js", line=line), call_index=len(calls) - 1,
    )  # fmt: skip
    return ReportedFinding(id=f"F{number}", finding=finding, observations=calls, curl=())


POSTED = call(0, "POST /things", {"price": "x", "qty": 1.5}, {"id": 1}, status=201)
ONE = wrong(
    1, "GET /things/{id}", 7, '$.price: "x" is not a number', POSTED, call(1, "GET /things/1", None, {"price": "x"})
)
ALL = wrong(
    2, "GET /things", 12, '$[0].price: "x" is not a number', POSTED, call(1, "GET /things", None, [{"price": "x"}])
)


def test_answers_with_one_unchecked_value_are_one_fault():
    (joined,) = merged([ONE, ALL])
    assert joined.id == "F1"
    assert joined.note == "the same in GET /things"


def test_the_answer_of_the_call_itself_counts():
    echo = wrong(
        3,
        "POST /things",
        3,
        '$.price: "x" is not a number',
        call(0, "POST /things", {"price": "x"}, {"price": "x"}, status=201),
    )
    assert [one.id for one in merged([echo, ALL])] == ["F3"]


def test_one_unchecked_member_is_one_fault_under_another_name_and_as_a_refusal():
    def answered(number, value):
        sent = {"title": "a", "places": value}
        posted = call(0, "POST /courses", sent, {"title": "a", "free": value}, status=201)
        return wrong(number, "POST /courses", 3, f"$.free: {json.dumps(value)} is wrong", posted)

    def refused(number, message, sent):
        failed = call(0, "POST /courses", sent, {}, status=500)
        finding = msgspec.structs.replace(
            wrong(number, "POST /courses", 2, "", failed).finding,
            oracle="server-error",
            cause=Cause(file="/p/app.js", line=2, message=message),
        )
        return ReportedFinding(id=f"F{number}", finding=finding, observations=(failed,), curl=())

    null = refused(3, "Error: NOT NULL constraint failed: course.places", {"title": "a", "places": None})
    left_out = refused(6, "Error: NOT NULL constraint failed: course.places", {"title": "a"})
    unbound = refused(4, "tried to bind a value of an unknown type", {"title": "a", "places": {"b": 1}})
    of_title = refused(5, "Error: NOT NULL constraint failed: course.title", {"title": None, "places": 1})
    joined = merged([answered(1, "x"), answered(2, -1), null, unbound, of_title, left_out])
    assert [(one.id, one.times_seen) for one in joined] == [("F1", 5), ("F5", 1)]


def test_columns_that_a_database_names_are_not_the_list_that_the_call_has_sent():
    sent = {"seats": 2, "passengers": ["Mona"]}

    def refused(number, line, message):
        failed = call(0, "POST /bookings", sent, {}, status=500)
        finding = msgspec.structs.replace(
            wrong(number, "POST /bookings", line, str(line), failed).finding,
            oracle="server-error",
            cause=Cause(file="/p/app.js", line=line, message=message),
        )
        return ReportedFinding(id=f"F{number}", finding=finding, observations=(failed,), curl=())

    total = refused(1, 51, "Error: Out of range value for column 'total' at row 1")
    name = refused(2, 56, "Error: Data too long for column 'name' at row 1")
    assert len(merged([total, name])) == 2
    unbound = [refused(number, line, "tried to bind a value of an unknown type") for number, line in ((1, 51), (2, 56))]
    assert len(merged(unbound)) == 1


def test_a_value_that_two_members_of_the_body_have_is_of_neither():
    both = call(0, "POST /courses", {"places": -1, "seats": -1}, {"free": -1}, status=201)
    one = call(0, "POST /courses", {"places": "x"}, {"free": "x"}, status=201)
    found = [
        wrong(1, "POST /courses", 3, "$.free: -1 is wrong", both),
        wrong(2, "POST /courses", 3, '$.free: "x" is', one),
    ]
    assert len(merged(found)) == 2


def test_what_was_one_fault_stays_one():
    other = wrong(4, "GET /kept", 12, '$[0].price: "x" is not a number', call(0, "GET /kept", None, [{"price": "x"}]))
    assert [one.id for one in merged([ONE, ALL, other])] == ["F1"]


@pytest.mark.parametrize(
    "other",
    [
        # Another member, another value, another call that stores, a call that was refused, and no call at all.
        wrong(
            2,
            "GET /things",
            12,
            "$[0].qty: 1.5 is not an integer",
            POSTED,
            call(1, "GET /things", None, [{"qty": 1.5}]),
        ),
        wrong(
            2,
            "GET /things",
            12,
            "$[0].price: true is not a number",
            POSTED,
            call(1, "GET /things", None, [{"price": True}]),
        ),
        wrong(
            2,
            "GET /orders",
            12,
            '$.price: "x" is not a number',
            call(0, "POST /orders", {"price": "x"}, {}),
            call(1, "GET /orders", None, {"price": "x"}),
        ),
        wrong(
            2,
            "GET /things",
            12,
            '$.price: "x" is not a number',
            call(0, "POST /things", {"price": "x"}, {}, status=400),
            call(1, "GET /things", None, {"price": "x"}),
        ),
        wrong(2, "GET /things", 12, '$.price: "x" is not a number', call(0, "GET /things", None, {"price": "x"})),
    ],
)
def test_other_faults_stay_apart(other):
    assert len(merged([ONE, other])) == 2
