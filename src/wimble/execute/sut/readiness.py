"""Asks a SUT as soon as it listens, as generated suites do: some go on starting then, and add routes late.

The search never sees this: behind a start with the agent, the SUT has been asked for its document and its databases
before the first call of a test comes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.http.http_messages import HttpRequest

PAUSE_S: Final = 0.02
"""Between two looks whether the SUT listens, as in generated suites, and whether a route is there."""
CONNECT_TIMEOUT_S: Final = 1.0
ANSWER_TIMEOUT_S: Final = 5.0
FIRST_LOOK_S: Final = 5.0
"""For all first answers together; what has not been asked by then is asked late enough by a suite, too."""
LATE_TIMEOUT_S: Final = 10.0
"""How long routes that are not there at first are waited for."""


class Expected(NamedTuple):
    """A request that changes nothing, and the status that it was verified to be answered with."""

    request: HttpRequest
    status: int


def await_listening(client: HttpClient, has_ended: Callable[[], bool], timeout_s: float) -> bool:
    """Whether a connection can be made before the SUT ends, or the time does."""
    ends_s = time.monotonic() + timeout_s
    while not has_ended() and time.monotonic() < ends_s:
        try:
            client.connect(CONNECT_TIMEOUT_S)
        except CallFailed:
            time.sleep(PAUSE_S)
        else:
            return True
    return False


def last_to_come(client: HttpClient, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> str:
    """Of requests that are answered otherwise at first and as expected in the end, the target of the last to be so;
    empty where there are none. A plain GET of it is answered with a status below 400: only such a one tells a route
    that has come from one that is not there."""
    look_ends_s = time.monotonic() + FIRST_LOOK_S
    late: list[Expected] = []
    for one in asked:
        if time.monotonic() > look_ends_s or should_stop():
            break
        if _status(client, one.request) != one.status:
            late.append(one)
    last = ""
    ends_s = time.monotonic() + LATE_TIMEOUT_S
    while late and time.monotonic() < ends_s and not should_stop():
        time.sleep(PAUSE_S)
        came = [one for one in late if _status(client, one.request) == one.status]
        late = [one for one in late if one not in came]
        last = next((one.request.target for one in came if _is_served(client, one.request.target)), last)
    return last


def _is_served(client: HttpClient, target: str) -> bool:
    status = _status(client, HttpRequest("GET", target))
    return status is not None and status < 400


def _status(client: HttpClient, request: HttpRequest) -> int | None:
    try:
        return client.request(request, ANSWER_TIMEOUT_S).status
    except CallFailed:
        return None
