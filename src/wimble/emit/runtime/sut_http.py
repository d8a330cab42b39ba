"""Requests to the system under test (SUT), exactly as written, and its answers. Needs nothing but Python's standard
library (http.client sends paths exactly as they are written).
"""

from __future__ import annotations

import contextlib
import hashlib
import html
import http.client
import json as json_module
import re
import socket
import ssl
import time
import zlib
from collections.abc import Iterable
from email.message import Message
from typing import Any
from urllib.parse import unquote, urlsplit

WITHOUT_LENGTH = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "DELETE", "CONNECT"})
"""Methods whose requests have no Content-Length where they have no body."""
READY_TIMEOUT_S = 20.0
NOT_GIVEN: Any = object()
Pairs = list[tuple[str, str]]


class NoAnswer(AssertionError):
    """A call without an answer. `failure` is `timeout`, `connection-lost` or `malformed-response`."""

    def __init__(self, failure: str, message: str) -> None:
        super().__init__(message)
        self.failure = failure


class Response:
    """An answer. `json` is None where the body is not JSON."""

    def __init__(self, status: int, headers: Message, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = _decoded(body, headers.get("content-encoding") or "")
        self.text = self.body.decode("utf-8", "replace")
        self.json: Any = None
        with contextlib.suppress(ValueError):
            self.json = json_module.loads(self.text)

    def __repr__(self) -> str:
        return f"<{self.status} {self.text[:200]!r}>"


class _FinalResponse(http.client.HTTPResponse):
    """http.client takes early hints (103) for the answer."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 < status < 200 or status == 101:
                return version, status, reason
            http.client.parse_headers(self.fp)


def send(
    url: str,
    method: str,
    target: str,
    *,
    common: Iterable[list[str]],
    pairs: Pairs,
    body: bytes | None,
    timeout_s: float,
    only_head: bool,
) -> Response:
    """Sends one request. common: headers that every request has; pairs: its own.

    Raises: NoAnswer.
    """
    connection = connection_to(url, timeout_s)
    connection.response_class = _FinalResponse
    ends_at = time.monotonic() + timeout_s
    try:
        has_own_host = any(name.lower() == "host" for name, _ in pairs)
        common = [one for one in common if not has_own_host or one[0] != "Host"]
        has_host = has_own_host or any(name == "Host" for name, _ in common)
        connection.putrequest(method, target, skip_host=has_host, skip_accept_encoding=True)
        for name, value in common:
            connection.putheader(name, value)
        connection.putheader("Connection", "close")
        if all(name.lower() != "accept" for name, _ in pairs):
            connection.putheader("Accept", "*/*")
        for name, value in pairs:
            connection.putheader(name, value.encode("latin-1", "replace"))
        if body is not None or method not in WITHOUT_LENGTH:
            connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body)
        answer = connection.getresponse()
        return Response(answer.status, answer.headers, b"" if only_head else answer.read())
    except (TimeoutError, OSError, http.client.HTTPException) as error:
        raise NoAnswer(_failure_of(error, ends_at), f"{method} {target}: {error or type(error).__name__}") from error
    finally:
        connection.close()


def is_served(url: str, target: str, *, common: Iterable[list[str]], timeout_s: float) -> bool:
    """Whether GET of `target` is answered below 400."""
    status, _, _ = _plain_get(url, target, common=common, timeout_s=timeout_s)
    return 0 < status < 400


def await_answer(url: str, answer: dict[str, Any], *, common: Iterable[list[str]]) -> None:
    """Waits for an answer with this status and type, and another body than the first moment brings.

    It goes on without it after a while.
    """
    ends_at = time.monotonic() + READY_TIMEOUT_S
    while (left_s := ends_at - time.monotonic()) > 0:
        status, content_type, digest = _plain_get(url, answer["target"], common=common, timeout_s=left_s)
        if (status, content_type) == (answer["status"], answer["type"]) and digest != answer["unlike"]:
            return
        time.sleep(0.02)


def _plain_get(url: str, target: str, *, common: Iterable[list[str]], timeout_s: float) -> tuple[int, str, str]:
    """Returns status (0: no answer), type and SHA-256 of the body."""
    connection = connection_to(url, timeout_s)
    try:
        connection.request("GET", target, headers=dict(common))
        answer = connection.getresponse()
        content_type = (answer.getheader("content-type") or "").partition(";")[0].strip().lower()
        return answer.status, content_type, hashlib.sha256(answer.read()).hexdigest()
    except (OSError, http.client.HTTPException):
        return 0, "", ""
    finally:
        connection.close()


def connection_to(url: str, timeout_s: float) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    if parts.scheme != "https":
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_s)
    context = ssl.create_default_context()
    context.check_hostname = False  # test servers sign their own certificates
    context.verify_mode = ssl.CERT_NONE
    return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=timeout_s, context=context)


def signed(credentials: tuple[Pairs, str, str], pairs: Pairs, target: str) -> tuple[Pairs, str]:
    """Headers and target with credentials: headers replace those of the same name, cookies and query join them."""
    headers, cookies, query = credentials
    replaced = {name.lower() for name, _ in headers}
    out = [pair for pair in pairs if pair[0].lower() not in replaced] + headers
    if cookies:
        own = [value for name, value in out if name.lower() == "cookie"]
        out = [pair for pair in out if pair[0].lower() != "cookie"]
        out.append(("Cookie", "; ".join([*own, cookies])))
    return out, target + (("&" if "?" in target else "?") + query if query else "")


def _decoded(body: bytes, codings: str) -> bytes:
    """The body without its content codings; as it came, where it is not in the coding that it is said to be in."""
    with contextlib.suppress(zlib.error):
        for name in reversed(codings.lower().split(",")):
            if name.strip() in ("gzip", "x-gzip", "deflate"):
                is_raw = body[:1] and body[0] & 0x0F != 8 and body[:2] != b"\x1f\x8b"
                body = zlib.decompress(body, -zlib.MAX_WBITS if is_raw else zlib.MAX_WBITS | 32)
    return body


def _failure_of(error: Exception, ends_at: float) -> str:
    if isinstance(error, TimeoutError) or time.monotonic() >= ends_at:
        return "timeout"
    if isinstance(error, OSError | http.client.IncompleteRead):
        return "connection-lost"
    return "malformed-response"


def is_listening(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)), 1.0).close()
    except OSError:
        return False
    return True


def is_port_free(url: str) -> bool:
    """False when something still listens after a moment (the SUT of the run before may need one to go away)."""
    for _ in range(20):
        if not is_listening(url):
            return True
        time.sleep(0.1)
    return False


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def last_segment(location: str) -> str:
    """Returns the last path segment of a Location header, decoded."""
    return unquote(re.split("[?#]", location)[0].rstrip("/").rsplit("/", 1)[-1])


def cookie(headers: Message, name: str) -> str:
    """The value that a response sets for a cookie; empty if it does not set it."""
    for line in headers.get_all("set-cookie") or []:
        key, _, value = line.split(";", 1)[0].partition("=")
        if key.strip() == name:
            return value.strip()
    return ""


def field(page: str, name: str) -> str:
    """The value of an input, or of a `meta`, of an HTML page; empty if it has none of this name."""
    for tag in re.findall(r"<(?:input|meta)\b[^>]*>", page, re.IGNORECASE):
        pairs = re.findall(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", tag)
        found = {key.lower(): html.unescape("".join(texts)) for key, *texts in pairs}
        if found.get("name") == name:
            return found.get("value", found.get("content", ""))
    return ""


def holds(elements: list[Any], part: Any) -> bool:
    """Whether an element equals `part`, or has all members of the object `part`; for lists whose order nobody asked
    for."""
    if not isinstance(part, dict) or not part:
        return any(_is_same(element, part) for element in elements)
    return any(
        isinstance(element, dict) and all(key in element and _is_same(element[key], part[key]) for key in part)
        for element in elements
    )


def _is_same(value: Any, other: Any) -> bool:
    """As JSON: in Python 1 equals True."""
    return json_module.dumps(value, sort_keys=True) == json_module.dumps(other, sort_keys=True)
