"""What a SUT that has just begun to listen is asked, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from wimble.execute.http.http_client import CallFailed
from wimble.execute.sut import readiness
from wimble.execute.sut.readiness import NO_ROUTE, Expected, await_listening, last_to_come
from wimble.http.http_messages import HttpRequest, HttpResponse


class Api:
    """Paths and after how many requests each is served; headers that a path needs; resources that are missing."""

    def __init__(
        self,
        after: dict[str, int],
        needs_header: tuple[str, ...] = (),
        refuses: int = 0,
        lacking: tuple[str, ...] = (),
    ) -> None:
        self.lacking = lacking
        self.n_requests = 0
        self.after = after
        self.needs_header = needs_header
        self.refuses = refuses

    def connect(self, timeout_s: float) -> None:
        self.refuses -= 1
        if self.refuses >= 0:
            raise CallFailed("connection-lost", "refused")

    def request(self, request: HttpRequest, timeout_s: float) -> Any:
        target = request.target
        if target.endswith(NO_ROUTE):
            return HttpResponse(404, (), f"Cannot GET {target}".encode())
        self.n_requests += 1
        if target in self.lacking:
            return HttpResponse(404, (), b'{"error": "no such book"}')
        self.after[target] -= 1
        is_served = self.after[target] < 0 and (target not in self.needs_header or bool(request.headers))
        return HttpResponse(200, (), b"") if is_served else HttpResponse(404, (), f"Cannot GET {target}".encode())


def expected(target: str, status: int = 200, *headers: tuple[str, str]) -> Expected:
    return Expected(HttpRequest("GET", target, headers), status)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(readiness, "PAUSE_S", 0.0)
    monkeypatch.setattr(readiness, "LOOK_S", 0.0)


def last(api: Any, *asked: Expected, should_stop: bool = False) -> str:
    return last_to_come(api, asked, lambda: should_stop)


def test_what_is_there_at_once_is_not_waited_for():
    assert last(Api({"/a": 0, "/b": 0}), expected("/a"), expected("/b")) == ""


def test_of_what_comes_late_the_last_is_told():
    assert last(Api({"/a": 2, "/b": 5, "/c": 0}), expected("/a"), expected("/b"), expected("/c")) == "/b"


def test_a_resource_that_is_missing_is_not_waited_for():
    api = Api({"/books": 0}, lacking=("/books/7",))
    assert last(api, expected("/books/7"), expected("/books")) == ""
    assert api.n_requests == 2
    late = Api({"/books": 3}, lacking=("/books/7",))
    assert last(late, expected("/books/7"), expected("/books")) == "/books"


def test_what_never_comes_is_given_up(monkeypatch):
    monkeypatch.setattr(readiness, "LATE_TIMEOUT_S", 0.05)
    assert last(Api({"/a": 1, "/b": 10**9}), expected("/a"), expected("/b")) == "/a"


def test_what_a_plain_get_is_refused_is_no_sign():
    api = Api({"/a": 3, "/b": 1}, needs_header=("/a",))
    assert last(api, expected("/a", 200, ("X-Key", "k")), expected("/b")) == "/b"


def test_a_stop_ends_it():
    assert last(Api({"/a": 1}), expected("/a"), should_stop=True) == ""


def test_listening_is_awaited_until_the_program_ends():
    refusing: Any = Api({}, refuses=3)
    assert await_listening(refusing, lambda: False, 5.0)
    assert not await_listening(refusing, lambda: True, 5.0)
    never: Any = Api({}, refuses=10**9)
    assert not await_listening(never, lambda: False, 0.02)


def test_a_sut_that_a_request_has_ended_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(readiness, "LATE_TIMEOUT_S", 3600.0)
    ended = Api({"/late": 1_000_000}, refuses=1)
    assert last(ended, expected("/late")) == ""
    assert ended.n_requests <= 1
