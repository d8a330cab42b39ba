"""Requests as sent and responses as received. Plain data; sends nothing."""

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
    """The user whose credentials the client adds when it sends the request. No field here contains them."""


class HttpResponse(msgspec.Struct):
    """A response. Header names are in lower case. `body` is cut at the client's limit (`is_truncated`)."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    is_truncated: bool = False
    is_endless: bool = False
    """Whether the body is a stream. Then `body` is the part that came first, and `is_truncated` is set."""
    is_readable: bool = True
    """False if the client cannot decode the content coding of the body."""
    _json: Json = ABSENT
    _json_tried: bool = False

    def header(self, name: str) -> str | None:
        """Returns the first header of this name (in lower case), or None."""
        for key, value in self.headers:
            if key == name:
                return value
        return None

    @property
    def media_type(self) -> str:
        """The media type in lower case, without parameters; empty if none was sent."""
        return (self.header("content-type") or "").split(";", 1)[0].strip().lower()

    def json(self) -> Json | Absent:
        """Returns the body as JSON (parsed once); ABSENT if it is not JSON, was cut, or cannot be decoded."""
        if not self._json_tried:
            self._json_tried = True
            if self.body and not self.is_truncated and self.is_readable:
                try:
                    self._json = msgspec.json.decode(self.body)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    self._json = ABSENT
        return self._json


def graphql_errors(response: HttpResponse) -> list[dict[str, Json]]:
    """Returns the errors of a GraphQL answer; [] if it has none or is not a GraphQL answer."""
    body = response.json()
    errors = body.get("errors") if isinstance(body, dict) else None
    return [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []


def graphql_code(error: dict[str, Json]) -> Json:
    """Returns `extensions.code` of a GraphQL error, which most servers set; None if it has none."""
    extensions = error.get("extensions")
    return extensions.get("code") if isinstance(extensions, dict) else None


CallFailure = Literal["timeout", "blocked", "connection-lost", "not-sent", "malformed-response"]
"""`timeout`: no answer although the SUT's event loop runs; `blocked`: the event loop does not run; `connection-lost`:
closed before an answer; `not-sent`: an earlier call of the test case ended the SUT; `malformed-response`: not HTTP."""
