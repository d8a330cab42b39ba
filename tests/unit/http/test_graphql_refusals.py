"""What errors of GraphQL answers would be over HTTP."""

import msgspec
import pytest

from wimble.http.exchange import http_observation
from wimble.http.graphql_refusals import NOT_TOLD, refused_with, status_of
from wimble.http.http_messages import HttpRequest, HttpResponse


def answer(*errors, data=None) -> HttpResponse:
    body = msgspec.json.encode({"errors": list(errors), "data": data})
    return HttpResponse(200, (("content-type", "application/json"),), body)


def error(message="no", code=None, path=("book",), **extensions):
    if code is not None:
        extensions["code"] = code
    return {"message": message, "path": list(path), "extensions": extensions}


@pytest.mark.parametrize(
    ("one", "status"),
    [
        (error("Please sign in", "UNAUTHENTICATED"), 401),
        (error("Staff only", "FORBIDDEN"), 403),
        (error("Not authorised", "INTERNAL_SERVER_ERROR"), 401),
        (error("gone", "FILM_NOT_FOUND"), 404),
        (error("E-mail is taken", "CONFLICT"), 409),
        (error("ALREADY", "ALREADY_BOOKED"), 409),
        (error("slow down", "RATE_LIMITED"), 429),
        (error("1 to 5 stars", "BAD_USER_INPUT"), 400),
        (error("Unexpected error.", "INTERNAL_SERVER_ERROR"), NOT_TOLD),
        (error("no such thing", "INTERNAL_SERVER_ERROR"), NOT_TOLD),
        *[(error("x", code), NOT_TOLD) for code in ("P2025", "23505", "22P02", "ER_DUP_ENTRY", "ENOTFOUND")],
        (error("x", http={"status": 412}), 412),
        (error("x", "OTHER", http={"status": 500}), NOT_TOLD),
        (error("x", originalError={"statusCode": 422}), 422),
        (error("No such film"), 404),
        (error("The seat is taken"), 409),
        (error("Cannot read properties of null"), NOT_TOLD),
    ],
)
def test_the_status_that_says_the_same_as_an_error(one, status):
    assert status_of(one) == status


def test_only_what_refuses_the_operation_itself_does_so():
    refused = error("Staff only", "FORBIDDEN")
    assert refused_with(answer(refused)) == 403
    assert refused_with(answer(refused, data={"book": None})) == 403
    assert refused_with(answer(refused, data={"book": None, "me": {"id": 1}})) == NOT_TOLD
    assert refused_with(answer(error("x", "FORBIDDEN", path=("book", "title")))) == NOT_TOLD
    assert refused_with(answer()) == NOT_TOLD


@pytest.mark.parametrize(
    ("one", "outcome", "complaint", "blames_state"),
    [
        (error("Staff only", "FORBIDDEN"), "refused", "other", True),
        (error("Please sign in", "UNAUTHENTICATED"), "refused", "other", False),
        (error("No such film", "NOT_FOUND"), "refused", "missing", False),
        (error("Paid before", "CONFLICT"), "refused", "input", True),
        (error("1 to 5 stars", "BAD_USER_INPUT"), "refused", "input", False),
        (error("Unexpected error.", "INTERNAL_SERVER_ERROR"), "partial", "input", False),
        (error("no", "FORBIDDEN", path=("book", "title")), "partial", "input", True),
    ],
)
def test_a_refused_operation_is_refused_as_by_a_status(one, outcome, complaint, blames_state):
    seen = http_observation(0, HttpRequest("POST", "/graphql"), answer(one), is_graphql=True)
    assert seen.outcome == outcome
    assert seen.exchange.complaint() == complaint
    assert seen.exchange.blames_state() is blames_state
