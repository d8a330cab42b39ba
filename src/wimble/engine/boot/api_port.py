"""Distinguishes the server of the API from other servers that the SUT runs (metrics, health, administration)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from wimble.execute.sut.served_api import ServedApi
from wimble.http.binding import binding_of
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Operation, Specification

MAX_PROBED: Final = 6
"""Maximum number of operations that are probed per server. One operation that answers is enough; further ones are
probed because an operation may answer 404 only for lack of data.
"""

LATE_SERVER_WAIT_S: Final = 1.5
"""How long the API's server may start after the first server: it often waits for a database, which a metrics server
does not.
"""

ABSENT_PATH: Final = "/wimble-looks-for-nothing-here"
NO_SUCH_ROUTE: Final = frozenset([404, 405, 501])


def find_api_port(api: ServedApi, specification: Specification, wait_s: float = LATE_SERVER_WAIT_S) -> int | None:
    """Returns the first port whose server serves an operation of the document.

    A server serves an operation if it answers the operation's path differently from a path that does not exist. Servers
    that start to listen within `wait_s` are probed, too. Returns None if no server can be distinguished from the
    others.
    """
    probes = list(_probed_paths(specification.operations))
    deadline_s = time.monotonic() + wait_s
    asked: set[int] = set()
    while probes:
        for port in api.ports:
            if port not in asked:
                asked.add(port)
                if _knows_any(api, port, probes):
                    return port
        if time.monotonic() >= deadline_s:
            return None
        time.sleep(0.05)
    return None


def await_another_server(api: ServedApi, wait_s: float = LATE_SERVER_WAIT_S) -> bool:
    """Whether a server that was not known before starts to listen within `wait_s`."""
    known = set(api.ports)
    deadline_s = time.monotonic() + wait_s
    while time.monotonic() < deadline_s:
        if set(api.ports) - known:
            return True
        time.sleep(0.05)
    return False


def is_served(api: ServedApi, specification: Specification) -> bool | None:
    """Whether the server that is in use serves an operation of the document.

    In contrast to `find_api_port`, an answer 404 counts as well, if it differs from that of a path that does not exist
    by more than the path. None if no operation can be probed.
    """
    paths = list(_probed_paths(specification.operations))
    absent = api.fetch(ABSENT_PATH)
    if not paths or absent is None:
        return None
    expected = _without_path(absent, ABSENT_PATH)
    answers = ((path, api.fetch(path)) for path in paths)
    return any(answer is not None and _without_path(answer, path) != expected for path, answer in answers)


def _without_path(response: HttpResponse, path: str) -> tuple[int, str]:
    return response.status, response.body.decode("utf-8", "replace").replace(path, "")


def _probed_paths(operations: tuple[Operation, ...]) -> Iterator[str]:
    """Yields paths of GET operations, which change nothing, and those without parameters first."""
    paths = dict.fromkeys(binding_of(operation).path for operation in operations if operation.effect == "read")
    for path in sorted(paths, key=lambda path: "{" in path)[:MAX_PROBED]:
        yield "/".join("1" if "{" in part else part for part in path.split("/"))


def _knows_any(api: ServedApi, port: int, paths: list[str]) -> bool:
    absent = api.fetch(ABSENT_PATH, port=port)
    if absent is None:
        return False
    for path in paths:
        answer = api.fetch(path, port=port)
        if answer is None or answer.status in NO_SUCH_ROUTE:
            continue
        if _without_path(answer, path) != _without_path(absent, ABSENT_PATH):
            return True
    return False
