"""Sends requests to a SUT as soon as it listens, as generated suites do, to find routes that are served late.

The search does not meet such routes: after a start with the agent, the SUT has been asked for its document, and its
databases have been read, before the first call of a test.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.http.http_messages import HttpRequest, HttpResponse

LOOK_S: Final = 0.0005
"""Time between two checks whether the SUT listens: after as little as a file takes to be read, nothing is late."""
PAUSE_S: Final = 0.02
"""Time between two checks whether a route is served."""
CONNECT_TIMEOUT_S: Final = 1.0
ANSWER_TIMEOUT_S: Final = 5.0
FIRST_LOOK_S: Final = 5.0
"""Time for all first answers together. A suite needs as long to get to the requests that were not sent by then."""
LATE_TIMEOUT_S: Final = 10.0
"""How long to wait for routes that are not served at first."""


SERVED: Final = range(200, 400)

NO_ROUTE: Final = "/wimble-no-such-route"
"""Appended to a path to get one for which the SUT has no route."""


class Expected(NamedTuple):
    """A request that changes nothing, and the status with which the search saw it answered."""

    request: HttpRequest
    status: int


def await_listening(client: HttpClient, has_ended: Callable[[], bool], timeout_s: float) -> bool:
    """Whether a connection can be made before the SUT or the time ends."""
    ends_s = time.monotonic() + timeout_s
    while not has_ended() and time.monotonic() < ends_s:
        try:
            client.connect(CONNECT_TIMEOUT_S)
        except CallFailed:
            time.sleep(LOOK_S)
        else:
            return True
    return False


def last_to_come(client: HttpClient, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> str:
    """Returns the target of the request that is the last to be answered as expected; empty if there is none, or if one
    of them has ended the SUT.

    Only requests count that were served in the search, and whose routes may be missing at first. Their target has to
    answer a plain GET with a status below 400: only such a target shows whether its route is served.
    """
    look_ends_s = time.monotonic() + FIRST_LOOK_S
    late: list[Expected] = []
    for one in asked:
        if time.monotonic() > look_ends_s or should_stop():
            break
        if one.status not in SERVED:
            continue
        answer = _answer(client, one.request)
        if (answer is None or answer.status != one.status) and _may_be_missing(client, one.request, answer):
            late.append(one)
    last = ""
    ends_s = time.monotonic() + LATE_TIMEOUT_S
    while late and time.monotonic() < ends_s and not should_stop():
        if not _listens(client):
            return ""
        time.sleep(PAUSE_S)
        came = [one for one in late if _status(client, one.request) == one.status]
        late = [one for one in late if one not in came]
        last = next((one.request.target for one in came if _is_served(client, one.request.target)), last)
    return last


def _listens(client: HttpClient) -> bool:
    try:
        client.connect(CONNECT_TIMEOUT_S)
    except CallFailed:
        return False
    return True


def _is_served(client: HttpClient, target: str) -> bool:
    status = _status(client, HttpRequest("GET", target))
    return status is not None and status < 400


def _may_be_missing(client: HttpClient, request: HttpRequest, answer: HttpResponse | None) -> bool:
    """Whether the route of a request may not be served yet: no answer, an error of the server, or the answer of paths
    without a route. Other answers come from the route, and depend on state that a fresh SUT does not have.
    """
    if answer is None or answer.status >= 500:
        return True
    path, _, query = request.target.partition("?")
    unknown_path = path.rstrip("/") + NO_ROUTE
    unknown = _answer(client, replace(request, target=f"{unknown_path}?{query}" if query else unknown_path))
    return unknown is None or _without(answer, path) == _without(unknown, unknown_path)


def _without(answer: HttpResponse, path: str) -> tuple[int, bytes]:
    return answer.status, answer.body.replace(path.encode(), b"")


def _status(client: HttpClient, request: HttpRequest) -> int | None:
    answer = _answer(client, request)
    return None if answer is None else answer.status


def _answer(client: HttpClient, request: HttpRequest) -> HttpResponse | None:
    try:
        return client.request(request, ANSWER_TIMEOUT_S)
    except CallFailed:
        return None
