"""Which of several servers is the API's."""

from __future__ import annotations

from wimble.engine.boot.api_port import await_another_server, find_api_port
from wimble.http.binding import http_operation
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Specification

METRICS, API = 9100, 3000


def specification(*paths: str, method: str = "GET") -> Specification:
    operations = tuple(http_operation(id=f"{method} {path}", method=method, path=path) for path in paths)
    return Specification(title="", operations=operations, source="openapi.json")


class FakeSut:
    """Servers by port: what each answers per path, and to all other paths."""

    def __init__(self, servers: dict[int, dict[str, tuple[int, bytes]]], listens_late: int = 0) -> None:
        self._servers = servers
        self._looks_until_late = listens_late
        self.asked: list[tuple[int | None, str]] = []

    @property
    def ports(self) -> tuple[int, ...]:
        self._looks_until_late -= 1
        ports = tuple(self._servers)
        return ports[:1] if self._looks_until_late > 0 else ports

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None) -> HttpResponse | None:
        self.asked.append((port, path))
        answers = self._servers[port or self.ports[0]]
        status, body = answers.get(path, answers["*"])
        return HttpResponse(status, (), body)


ANY = {"*": (200, b"metrics 1\n")}
ITEMS = {"/items": (200, b"[]"), "/items/1": (404, b"no item"), "*": (404, b"no route")}


def test_a_server_that_answers_everything_alike_is_not_the_api():
    assert find_api_port(FakeSut({METRICS: ANY, API: ITEMS}), specification("/items"), wait_s=0) == API


def test_the_first_server_that_knows_an_operation_is_the_api():
    assert find_api_port(FakeSut({API: ITEMS, METRICS: ANY}), specification("/items"), wait_s=0) == API


def test_a_server_that_asks_for_authentication_everywhere_cannot_be_told():
    guarded = {"*": (401, b"who are you?")}
    assert find_api_port(FakeSut({METRICS: ANY, API: guarded}), specification("/items"), wait_s=0) is None


def test_a_server_that_listens_late_is_waited_for():
    assert find_api_port(FakeSut({METRICS: ANY, API: ITEMS}, listens_late=3), specification("/items")) == API
    assert await_another_server(FakeSut({METRICS: ANY, API: ITEMS}, listens_late=3))


def test_only_operations_that_change_nothing_are_asked():
    sut = FakeSut({METRICS: ANY, API: ITEMS})
    assert find_api_port(sut, specification("/items", method="DELETE"), wait_s=0) is None
    assert sut.asked == []


def test_parameters_of_paths_get_a_value():
    sut = FakeSut({METRICS: ANY, API: {**ITEMS, "/items/1": (200, b"{}")}})
    assert find_api_port(sut, specification("/items/{id}"), wait_s=0) == API
