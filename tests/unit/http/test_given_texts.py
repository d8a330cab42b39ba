"""Unusual texts of answers, to which later calls may refer."""

import json

import pytest

from wimble.http.given_texts import texts_in
from wimble.http.http_messages import HttpResponse

KEY = "c6c9852fe4b71fda1e"


def texts(body: object, *headers: tuple[str, str], status: int = 201) -> dict[str, str]:
    answer = HttpResponse(status, (("content-type", "application/json"), *headers), json.dumps(body).encode())
    return {one.pointer: one.text for one in texts_in(answer)}


def test_members_headers_and_cookies_are_read():
    found = texts({"id": 7, "seat": {"key": KEY}}, ("etag", '"v-1234"'), ("set-cookie", f"visit={KEY}; Path=/"))
    assert found == {"/seat/key": KEY, "header:etag": '"v-1234"', "cookie:visit": KEY}


@pytest.mark.parametrize("usual", ["pending", 42, True, None, "two words", "a" * 600])
def test_usual_values_are_left_out(usual: object):
    assert texts({"state": usual}) == {}


def test_large_numbers_are_texts():
    assert texts({"code": 482_913}) == {"/code": "482913"}


@pytest.mark.parametrize("name", ["date", "content-length", "x-powered-by", "cache-control", "location"])
def test_headers_of_the_message_are_left_out(name: str):
    assert texts({}, (name, "Fri, 27 Nov 2026 12:12:45 GMT")) == {}


def test_refusals_are_left_out():
    assert texts({"requestId": KEY}, status=404) == {}
