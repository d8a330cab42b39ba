"""Requests as sent and responses as received. Plain data; nothing here talks to anybody."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.types import ABSENT, Absent, Json


class HttpRequest(msgspec.Struct, frozen=True):
    """A concrete request. `target` is path and query, percent-encoded, starting with `/`."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    """Without Host, Connection and Content-Length, which the client adds."""
    body: bytes | None = None
    user: str = ""
    """Whose credentials join it when it is sent; they are in no field of it."""


class HttpResponse(msgspec.Struct):
    """A response. Header names are lower case. `body` is cut at the client's limit (`is_truncated`)."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    is_truncated: bool = False
    is_endless: bool = False
    """A stream, of which `body` (then truncated too) is what came first."""
    is_readable: bool = True
    """False, where the body is in a content coding that we cannot undo."""
    _json: Json = ABSENT
    _json_tried: bool = False

    def header(self, name: str) -> str | None:
        """The first header of that (lower-case) name."""
        for key, value in self.headers:
            if key == name:
                return value
        return None

    @property
    def media_type(self) -> str:
        """Lower case, without parameters; empty where none was sent."""
        return (self.header("content-type") or "").split(";", 1)[0].strip().lower()

    def json(self) -> Json | Absent:
        """The body as JSON (parsed once), or ABSENT where it is not JSON, was cut or cannot be read."""
        if not self._json_tried:
            self._json_tried = True
            if self.body and not self.is_truncated and self.is_readable:
                try:
                    self._json = msgspec.json.decode(self.body)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    self._json = ABSENT
        return self._json


def graphql_errors(response: HttpResponse) -> list[dict[str, Json]]:
    """The errors of a GraphQL answer; empty where it has none, or is none."""
    body = response.json()
    errors = body.get("errors") if isinstance(body, dict) else None
    return [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []


CallFailure = Literal["timeout", "blocked", "connection-lost", "not-sent", "malformed-response"]
"""`timeout`: no answer though the SUT's event loop turns; `blocked`: the event loop does not turn; `connection-lost`:
closed before an answer; `not-sent`: an earlier call of the test case ended the SUT; `malformed-response`: not HTTP."""
