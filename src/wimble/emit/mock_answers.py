"""Writes answers of services as calls of a suite's `mocks`: `mocks.on(origin).post(path).reply(200, {...})`."""

from __future__ import annotations

import json
from typing import Final, Protocol

import msgspec

from wimble.emit.javascript import js_string, js_value
from wimble.emit.python_source import py_string, py_value
from wimble.model.external import MockOutcome, is_compressed, shown_origin
from wimble.model.setup_kinds.answer import BODILESS, SWITCHING_PROTOCOLS, Answer
from wimble.model.setup_kinds.attribute_form import with_types
from wimble.model.setup_kinds.body_forms import CONTENT_TYPES, OF_MESSAGES, STREAMED, BodyForm
from wimble.model.testcase import TestCase
from wimble.types import ABSENT, Absent, Json

FAILURES: Final[dict[MockOutcome, tuple[str, str]]] = {
    "no_host": ("noHost", "no_host"),
    "try_again": ("tryAgain", "try_again"),
    "refused": ("refuse", "refuse"),
    "timed_out": ("timeOut", "time_out"),
    "expired": ("expiredCertificate", "expired_certificate"),
    "wrong_name": ("certificateOfAnotherHost", "certificate_of_another_host"),
    "self_signed": ("selfSignedCertificate", "self_signed_certificate"),
    "unknown_authority": ("certificateOfUnknownAuthority", "certificate_of_unknown_authority"),
    "own_authority": ("certificateOfOwnAuthority", "certificate_of_own_authority"),
    "reset": ("reset", "reset"),
    "closed": ("closeConnection", "close_connection"),
    "hang": ("hang", "hang"),
}
"""Outcomes without an answer -> names of the function in JavaScript and in Python."""
_REPLIES: Final[dict[MockOutcome, tuple[str, str]]] = {
    "truncated": ("truncate", "truncate"),
    "slow": ("replySlowly", "reply_slowly"),
}
_WEB_SOCKETS: Final[dict[BodyForm, tuple[str, str]]] = {
    "messages": ("openWebSocket", "open_web_socket"),
    "replies": ("replyToMessages", "reply_to_messages"),
}
MAX_COMMENT: Final = 110
"""Characters of a comment."""
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"})


class Literal(Protocol):
    """The type of `js_value` and `py_value`."""

    def __call__(self, value: Json, indent: str = "", *, column: int = 0) -> str: ...


class MockLine(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, in parts that both languages write alike."""

    origin: str
    method: str
    path: str
    occurrence: int | None
    name: tuple[str, str]
    """The function that ends the call, in JavaScript and in Python."""
    status: int | None = None
    """None for a failure, which has no further parts, and for a WebSocket."""
    body: Json | Absent = ABSENT
    headers: dict[str, str] = {}
    """Those that the function does not send by itself."""
    message: Json | Absent = ABSENT
    """What the bytes of the body say; ABSENT if they need no comment."""

    def js_lines(self) -> list[str]:
        function = self.method.lower() if self.method in _METHODS else "request"
        start = f"mocks.on({js_string(self.origin)}).{function}("
        start += js_string(self.path) if function != "request" else f"{js_string(self.method)}, {js_string(self.path)}"
        start += f"){'' if self.occurrence is None else f'.nth({self.occurrence + 1})'}.{self.name[0]}("
        return [*self._comment("//"), *self._lines(start, js_value, ");", absent="undefined")]

    def py_lines(self) -> list[str]:
        function = self.method.lower() if self.method in _METHODS else "request"
        start = f"mocks.on({py_string(self.origin)}).{function}("
        start += py_string(self.path) if function != "request" else f"{py_string(self.method)}, {py_string(self.path)}"
        start += f"){'' if self.occurrence is None else f'.nth({self.occurrence + 1})'}.{self.name[1]}("
        return [*self._comment("#"), *self._lines(start, py_value, ")", absent="None")]

    def _comment(self, mark: str) -> list[str]:
        return [] if self.message is ABSENT else [f"{mark} the message {json.dumps(self.message)}"[:MAX_COMMENT]]

    def _lines(self, start: str, literal: Literal, end: str, *, absent: str) -> list[str]:
        if self.status is not None:
            start += str(self.status)
        if self.body is not ABSENT or self.headers:
            body = absent if self.body is ABSENT else literal(self.body, column=len(start) + 8)
            start += body if self.status is None else f", {body}"
        if self.headers:
            start += f", {literal(dict(self.headers), column=len(start.splitlines()[-1]) + 8)}"
        return f"{start}{end}".splitlines()


def mock_line(answer: Answer, test_case: TestCase) -> MockLine:
    """Returns the line of an answer of a test case."""
    origin, headers = shown_origin(answer.origin), answer.headers(test_case)
    line = MockLine(
        origin=origin, method=answer.method, path=answer.path, occurrence=answer.occurrence, name=("reply", "reply")
    )
    failure = FAILURES.get(answer.outcome)
    if failure is not None:
        return msgspec.structs.replace(line, name=failure)
    if answer.status == SWITCHING_PROTOCOLS:
        chunks = answer.planned(test_case, 0).chunks or ()
        return msgspec.structs.replace(line, name=_WEB_SOCKETS[answer.form], body=list(chunks), headers=headers)
    body: Json | Absent = ABSENT if answer.status in BODILESS else answer.body(test_case)
    message: Json | Absent = ABSENT
    name, implied = _REPLIES.get(answer.outcome, line.name), CONTENT_TYPES["json"]
    if body is not ABSENT and answer.form == "base64":
        name, implied = ("replyBytes", "reply_bytes"), CONTENT_TYPES["base64"]
    elif body is not ABSENT and answer.form in OF_MESSAGES:
        name, implied, message = ("replyBytes", "reply_bytes"), "", body if answer.message is not None else ABSENT
        body = answer.text(test_case)
    elif body is not ABSENT and answer.form in STREAMED and not is_compressed(headers):
        name, implied = ("replyInParts", "reply_in_parts"), ""
        body = list(answer.planned(test_case, 0).chunks or ())
    elif body is not ABSENT and answer.form == "attributes" and isinstance(body, dict):
        body = with_types(body)
    elif body is not ABSENT and (answer.form != "json" or isinstance(body, str) or body is None):
        body, implied = answer.text(test_case), ""
    if headers.get("content-type") == implied:
        headers = {key: value for key, value in headers.items() if key != "content-type"}
    elif body is not ABSENT and "content-type" not in headers and implied:
        headers = {"content-type": "", **headers}
    return msgspec.structs.replace(line, name=name, status=answer.status, body=body, headers=headers, message=message)
