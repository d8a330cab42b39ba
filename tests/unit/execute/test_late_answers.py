"""Answers that are others in the first moment after a start: which are awaited, and what is no reason to wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wimble.execute.http.http_client import CallFailed
from wimble.execute.sut import late_answers
from wimble.execute.sut.late_answers import changed_answers, due_to_time, is_as_awaited, seen_at_once
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.suite import ReadyAnswer

HTML = HttpResponse(404, (("content-type", "text/html; charset=utf-8"),), b"<pre>Cannot GET</pre>")
JSON = HttpResponse(404, (("content-type", "application/json"),), b'{"error": "not found"}')
EMPTY = HttpResponse(200, (("content-type", "application/json"),), b"[]")
FULL = HttpResponse(200, (("content-type", "application/json"),), b'["a"]')

Answers = Callable[[bool, int], HttpResponse]
"""From whether the SUT has settled and the number of earlier requests for this target."""


class Sut:
    """A SUT that settles when somebody pauses."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **answers: Answers) -> None:
        self.answers = answers
        self.log: list[str] = []
        self.start()
        monkeypatch.setattr(late_answers.time, "sleep", self.settle)

    def start(self) -> None:
        self.has_settled = False
        self.n_requests = dict.fromkeys(self.answers, 0)

    def settle(self, seconds: float) -> None:
        self.has_settled = True

    def another(self) -> Any:
        return self

    def close(self) -> None: ...

    def request(self, request: HttpRequest, timeout_s: float, on_sent: Any = None) -> HttpResponse:
        name = request.target
        if name == "refused":
            raise CallFailed("connection-lost", "refused", is_unsent=True)
        self.log.append(f"sent {name}")
        if on_sent is not None:
            on_sent()
        self.log.append(f"read {name}")
        self.n_requests[name] += 1
        return self.answers[name](self.has_settled, self.n_requests[name] - 1)

    def awaited(self) -> tuple[ReadyAnswer, ...]:
        client: Any = self
        changes = changed_answers(client, seen_at_once(client, list(self.answers)))
        self.start()
        return due_to_time(client, changes)


def test_all_requests_are_sent_before_an_answer_is_read(monkeypatch):
    sut: Any = Sut(monkeypatch, a=lambda *_: EMPTY, b=lambda *_: EMPTY)
    seen = seen_at_once(sut, ["a", "refused", "b"])
    assert sut.log == ["sent a", "sent b", "read b", "read a"]
    assert [seen[name].status for name in ("a", "refused", "b")] == [200, 0, 200]


def test_a_late_handler_of_errors_is_awaited(monkeypatch):
    sut = Sut(monkeypatch, a=lambda settled, _: JSON if settled else HTML, b=lambda *_: EMPTY)
    (awaited,) = sut.awaited()
    assert awaited == ReadyAnswer("a", 404, "application/json", "")
    assert is_as_awaited(awaited, JSON)
    assert not is_as_awaited(awaited, HTML)
    assert not is_as_awaited(awaited, None)


def test_late_data_is_awaited_where_nothing_else_is_late(monkeypatch):
    late: Answers = lambda settled, _: FULL if settled else EMPTY  # noqa: E731
    (awaited,) = Sut(monkeypatch, data=late).awaited()
    assert awaited.target == "data"
    assert is_as_awaited(awaited, FULL)
    assert not is_as_awaited(awaited, EMPTY)
    both = Sut(monkeypatch, data=late, a=lambda settled, _: JSON if settled else HTML)
    assert [one.target for one in both.awaited()] == ["a"]


@pytest.mark.parametrize(
    "answers",
    [
        lambda *_: EMPTY,
        lambda _, n: FULL if n else EMPTY,  # a cache that the first call fills
        lambda _, n: HttpResponse(200, (), str(n).encode()),  # a number of calls
        lambda _, n: HTML if n % 2 else JSON,
    ],
)
def test_what_calls_change_is_not_awaited(monkeypatch, answers):
    assert Sut(monkeypatch, a=answers).awaited() == ()


def test_answers_that_change_in_the_same_way_are_awaited_once(monkeypatch):
    late: Answers = lambda settled, _: JSON if settled else HTML  # noqa: E731
    assert len(Sut(monkeypatch, a=late, b=late, c=late).awaited()) == 1


def test_of_a_stream_as_much_as_has_come_is_no_reason_to_wait(monkeypatch):
    def stream(settled: bool, n_requests: int) -> HttpResponse:
        return HttpResponse(200, (), b"data: 1" * (2 if settled else 1), is_truncated=True, is_endless=True)

    assert Sut(monkeypatch, a=stream).awaited() == ()


def test_an_answer_that_ends_the_sut_is_not_awaited(monkeypatch):
    def answer(settled: bool, _: int) -> HttpResponse:
        if settled:
            raise CallFailed("connection-lost", "refused", is_unsent=True)
        return EMPTY

    assert Sut(monkeypatch, a=answer, b=lambda *_: EMPTY).awaited() == ()
