"""Reads documents from the SUT, such as its API description."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from wimble.execute.http.address import Address
from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.http.http_messages import HttpRequest, HttpResponse

FETCH_TIMEOUT_S: Final = 5.0
MAX_REDIRECTS: Final = 3
READY_TIMEOUT_S: Final = 5.0
READY_PAUSE_S: Final = 0.05
SERVICE_TIMEOUT_S: Final = 15.0
NOT_READY: Final = 503
"""The answer of servers to everything as long as their routes wait for a database."""
UNKNOWN_PATH: Final = "/wimble-asks-whether-you-are-ready"
LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")


def ask(
    address: Address,
    request: HttpRequest,
    on_wait: Callable[[], None] | None = None,
    timeout_s: float = FETCH_TIMEOUT_S,
) -> HttpResponse | None:
    """Sends one request; returns None if no answer came. on_wait: see `HttpClient`."""
    client = HttpClient(address.host, address.port, is_https=address.is_https, headers=address.headers, on_wait=on_wait)
    try:
        return client.request(request, timeout_s)
    except CallFailed:
        return None
    finally:
        client.close()


def await_document(fetch: Callable[[str], HttpResponse | None], path: str) -> None:
    """Waits until the SUT serves the document, for READY_TIMEOUT_S at most.

    Some frameworks add their routes after they have begun to listen.
    """
    ends_s = time.monotonic() + READY_TIMEOUT_S
    while time.monotonic() < ends_s:
        response = fetch(path)
        if response is not None and response.status < 400:
            return
        time.sleep(READY_PAUSE_S)


def await_answer(
    ask: Callable[[HttpRequest], HttpResponse | None],
    request: HttpRequest,
    is_right: Callable[[HttpResponse | None], bool],
) -> None:
    """Repeats a request until its answer is right, for READY_TIMEOUT_S at most."""
    ends_s = time.monotonic() + READY_TIMEOUT_S
    while time.monotonic() < ends_s and not is_right(ask(request)):
        time.sleep(READY_PAUSE_S)


def await_service(fetch: Callable[[str], HttpResponse | None]) -> None:
    """Waits while the SUT answers 503 even to what does not exist, for SERVICE_TIMEOUT_S at most."""
    ends_s = time.monotonic() + SERVICE_TIMEOUT_S
    while time.monotonic() < ends_s:
        response = fetch(UNKNOWN_PATH)
        if response is None or response.status != NOT_READY:
            return
        time.sleep(READY_PAUSE_S)


def fetch_document(
    address: Address,
    path: str,
    accept: str,
    on_wait: Callable[[], None] | None = None,
    signed: Callable[[HttpRequest], HttpRequest] | None = None,
) -> HttpResponse | None:
    """Sends `GET path`, and follows redirects within the server; returns None if no answer came.

    signed: adds the credentials of a user to the requests.
    """
    client = HttpClient(address.host, address.port, is_https=address.is_https, headers=address.headers, on_wait=on_wait)
    target = path if path.startswith("/") else f"/{path}"
    try:
        for _ in range(MAX_REDIRECTS + 1):
            request = HttpRequest("GET", target, (("Accept", accept),))
            response = client.request(signed(request) if signed is not None else request, FETCH_TIMEOUT_S)
            location = response.header("location")
            if response.status not in (301, 302, 303, 307, 308) or not location:
                return response
            there = urlsplit(urljoin(f"{address.url}{target}", location))
            if not _is_same_server(there, address):
                return response
            target = there.path + (f"?{there.query}" if there.query else "")
    except CallFailed:
        return None
    finally:
        client.close()
    return response


def _is_same_server(url: SplitResult, address: Address) -> bool:
    is_https = url.scheme == "https"
    port = url.port or (443 if is_https else 80)
    return (is_https, port) == (address.is_https, address.port) and url.hostname in (address.host, *LOOPBACK_NAMES)
