"""Verdicts of the validators that most APIs use, and prose: which input, and what it has to be."""

import json
from random import Random

import pytest

from wimble.feedback.refusals.refusal_texts import is_missing, values_wanted
from wimble.feedback.refusals.refusals import refusals_of
from wimble.http.exchange import HttpExchange
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.types import ABSENT


def told(body, media_type="application/json"):
    """(field, values, whether it is missing) of each refusal that tells anything."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    found = []
    for refusal in refusals_of(
        HttpExchange(HttpRequest("POST", "/"), HttpResponse(400, (("content-type", media_type),), raw))
    ):
        values = values_wanted(refusal, Random(1))
        if values or is_missing(refusal):
            found.append((".".join(refusal.field), values, is_missing(refusal)))
    return found


@pytest.mark.parametrize(
    ("body", "field", "value"),
    [
        (
            {"detail": [{"loc": ["body", "count"], "msg": "Input should be greater than or equal to 73", "type": "x", "ctx": {"ge": 73}}]},
            "count",
            73,
        ),
        ({"detail": [{"loc": ["query", "sort"], "msg": "unexpected value; permitted: 'asc', 'desc'"}]}, "sort", "desc"),
        (
            [{"instancePath": "/address/zip", "keyword": "minimum", "params": {"comparison": ">=", "limit": 10}, "message": "must be >= 10"}],
            "address.zip",
            10,
        ),
        (
            [{"instancePath": "/kind", "params": {"allowedValues": ["a", "b"]}, "message": "must be equal to one of the allowed values"}],
            "kind",
            "b",
        ),
        (
            {"issues": [{"code": "invalid_enum_value", "options": ["x1", "x2"], "path": ["kind"], "message": "Invalid enum value"}]},
            "kind",
            "x2",
        ),
        ({"errors": [{"type": "field", "msg": "must be one of: red, green", "path": "colour", "location": "body"}]}, "colour", "green"),
        ({"errors": [{"field": "count", "defaultMessage": "must be less than or equal to 12"}]}, "count", 12),
        ({"message": ["kind must be one of the following values: a1, b1"]}, "", "b1"),
        ({"details": [{"message": '"kind" must be one of [XAU, XAG]', "path": ["kind"], "context": {"valids": ["XAU", "XAG"]}}]}, "kind", "XAG"),
        ({"count": ["Ensure this value is greater than or equal to 7300."]}, "count", 7300),
        ({"errors": {"count": ["The count must be between 5 and 9."]}}, "count", 9),
        ({"error": "shape must be either circle or square"}, "", "square"),
        ({"error": "code must look like a plate, e.g. DE-9999"}, "", "DE-9999"),
        ({"error": "Invalid page size: 1000. Maximum is 50"}, "", 50),
        ({"error": {"message": "Expected 'wire-transfer'"}}, "", "wire-transfer"),
        ({"errors": [{"source": {"pointer": "/data/attributes/kind"}, "detail": "must start with 'K-'"}]}, "kind", "K-"),
    ],
)  # fmt: skip
def test_what_an_input_has_to_be(body, field, value):
    assert any(name == field and value in values for name, values, _ in told(body)), told(body)


def test_expressions_formats_dates_and_lengths_are_drawn():
    ((_, by_expression, _),) = told({"error": r"does not match pattern ^\d{2}\.\d{2}$"})
    assert all(len(text) == 5 and text[2] == "." for text in by_expression)
    assert by_expression
    assert any("@" in str(value) for value in told({"error": "must be a valid email address"})[0][1])
    dates = told({"error": "wrong format, use DD.MM.YYYY"})[0][1]
    assert any(isinstance(value, str) and value[2:3] == "." and len(value) == 10 for value in dates)
    assert any(isinstance(v, str) and len(v) == 17 for v in told({"error": "must be exactly 17 characters long"})[0][1])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([{"instancePath": "", "params": {"missingProperty": "name"}, "message": "must have required property 'name'"}], "name"),
        ({"name": ["This field is required."]}, "name"),
        ({"errors": {"name": ["can't be blank"]}}, "name"),
        ({"detail": [{"loc": ["body", "name"], "msg": "Field required", "type": "missing"}]}, "name"),
    ],
)  # fmt: skip
def test_what_is_missing(body, field):
    assert (field, True) in [(name, missing) for name, _, missing in told(body)]


def test_what_is_too_much_is_left_out():
    assert told({"errors": [{"path": "extra", "message": "is not allowed"}]}) == [("extra", [ABSENT], False)]


def test_plain_text_and_pages_are_read():
    assert "b2" in told(b"mode must be one of: a2, b2", "text/plain")[0][1]
    assert any("b2" in values for _, values, _ in told(b"<html><p>mode must be one of: a2, b2</p></html>", "text/html"))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"[" * 5_000,
        b"null",
        b"7",
        b'{"error": null}',
        b'{"errors": [[[[[[[["x"]]]]]]]]}',
        b"x" * 30_000,
    ],
)
def test_anything_is_taken(body):
    told(body)


def test_the_name_of_another_input_is_no_value():
    body = {"details": [{"message": '"endsAt" must be greater than "ref:startsAt"', "path": ["endsAt"]}]}
    assert all("ref:startsAt" not in values for _, values, _ in told(json.dumps(body).encode(), "application/json"))
