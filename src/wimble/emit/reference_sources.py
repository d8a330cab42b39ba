"""Converts the calls of a verified test to request templates, in which values from earlier responses are references.

If a call does not refer to earlier responses, its template is the observed request. Otherwise the call is rendered
again with sentinels in place of the referenced values, and the sentinels are replaced by references. If rendering with
the real values does not return exactly the observed request, the observed request is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import msgspec

from wimble.genes.signed_token import MARK, claims_in
from wimble.http.exchange import COOKIE_POINTER, request_of, response_of
from wimble.http.http_messages import HttpRequest
from wimble.http.request_building import build_request
from wimble.json_texts import held_json
from wimble.model.observation import FIELD_POINTER, Observation, call_resolver
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.model.testcase import Call
from wimble.types import Json

HEADER = "header:"
"""The prefix of pointers to headers (see ReferenceGene)."""


class Reference(msgspec.Struct, frozen=True):
    """A value from the response to call `call`.

    The value is that of the header `header` (in lower case; for `location`, its last path segment, decoded), or of the
    cookie `cookie` that the response sets, or of the input `field` of the page, or the value at `pointer` in the JSON
    body. `is_text`: whether it was a string when the test was verified.
    """

    call: int
    pointer: tuple[str | int, ...]
    header: str
    is_text: bool
    cookie: str = ""
    field: str = ""


class SignedToken(msgspec.Struct, frozen=True):
    """A token that the test signs when it runs, with a secret that it reads where the SUT does."""

    key: str
    claims: Json
    marks: dict[str, Reference] = {}
    """Sentinel in the claims (a string, or the digits of a number) -> the reference that it replaces."""

    is_text: ClassVar[bool] = True
    cookie: ClassVar[str] = ""


Text = tuple[str | Reference | SignedToken, ...]
"""A text that contains values from earlier responses, and tokens that are signed."""


class RequestTemplate(msgspec.Struct, frozen=True, kw_only=True):
    """A request that is written as source. If the body is not text, `body` is bytes without references."""

    method: str
    target: Text
    headers: tuple[tuple[str, Text], ...]
    body: Text | bytes | None
    sentinels: dict[str, Reference]
    """Sentinel in `body_text` (a string, or the digits of a number) -> the reference that it replaces."""
    user: str = ""
    """The user whose credentials the request is sent with; empty: none."""
    body_text: str | None
    """The body with sentinels; None if it is not text."""

    @property
    def media_type(self) -> str:
        """The media type of the body in lower case, without parameters."""
        for name, value in self.headers:
            if name.lower() == "content-type":
                return str(value[0]).split(";", 1)[0].strip().lower() if value else ""
        return ""

    @property
    def is_json(self) -> bool:
        return self.media_type == "application/json" or self.media_type.endswith("+json")

    @property
    def is_form(self) -> bool:
        return self.media_type == "application/x-www-form-urlencoded"

    def json_value(self) -> Json:
        """Returns the object or array whose compact JSON text is exactly the body; None for any other body."""
        if self.body_text is None or not self.is_json:
            return None
        value = held_json(self.body_text)
        if not isinstance(value, dict | list) or not _are_marks_whole(value, self.sentinels):
            return None
        return value if json.dumps(value, separators=(",", ":"), ensure_ascii=False) == self.body_text else None

    def shown_headers(self, *, with_json_type: bool) -> tuple[tuple[str, Text], ...]:
        """Returns the headers without those that the helpers of suites send by default.

        with_json_type: whether `content-type: application/json` is kept.
        """
        implied = [("accept", ("*/*",))]
        if not with_json_type:
            implied.append(("content-type", ("application/json",)))
        return tuple((name, value) for name, value in self.headers if (name.lower(), value) not in implied)

    def references(self) -> Iterator[Reference]:
        """Yields the references in the target, the headers and the body."""
        for text in (self.target, *(value for _, value in self.headers), self.body):
            if isinstance(text, tuple):
                for part in text:
                    if isinstance(part, Reference):
                        yield part
                    elif isinstance(part, SignedToken):
                        yield from part.marks.values()


def request_templates(test: VerifiedTest) -> list[RequestTemplate]:
    """Returns one template for each call that was sent."""
    templates = []
    observations = [call.observation for call in test.calls]
    for call, verified in zip(test.test_case.calls, test.calls, strict=True):
        if verified.observation.outcome != "not-run":
            templates.append(_template_of(call, verified, observations))
    return templates


def _steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _template_of(call: Call, verified: VerifiedCall, observations: Sequence[Observation]) -> RequestTemplate:
    observed = request_of(verified.observation)
    sentinels: dict[str, Reference] = {}
    real_value = call_resolver(observations)

    def sentinel(index: int, pointer: str) -> Json:
        value = real_value(index, pointer)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return value  # absent, or of a type that tests do not refer to
        number = 8_000_000_000_000_123 + 1_000 * len(sentinels)  # exact in JavaScript, and unlikely elsewhere
        mark: str | int = f"wimbleReference{number}" if isinstance(value, str) else number
        header = pointer.removeprefix(HEADER).lower() if pointer.startswith(HEADER) else ""
        cookie = pointer.removeprefix(COOKIE_POINTER) if pointer.startswith(COOKIE_POINTER) else ""
        field = pointer.removeprefix(FIELD_POINTER) if pointer.startswith(FIELD_POINTER) else ""
        response = response_of(observations[index])
        is_of_body = response is not None and not header and not cookie and not field
        steps = _typed_steps(response.json(), _steps(pointer)) if response is not None and is_of_body else ()
        sentinels[str(mark)] = Reference(index, steps, header, isinstance(value, str), cookie, field)
        return mark

    marked = build_request(call, sentinel)
    if not sentinels or build_request(call, real_value) != observed:
        return _literal(observed)
    if any(not _are_marks_whole(claims, sentinels) for claims in _claims_of(marked)):
        return _literal(observed)
    template = _split(marked, sentinels)
    return template if any(template.references()) else _literal(observed)


def _claims_of(request: HttpRequest) -> Iterator[Json]:
    """Yields the claims of the tokens in a request that are signed when it is sent."""
    for text in (request.target, *(value for _, value in request.headers), _as_text(request.body) or ""):
        yield from (claims_in(match[2]) for match in MARK.finditer(text))


def _typed_steps(value: Json, steps: Sequence[str]) -> tuple[str | int, ...]:
    """Returns the steps of a pointer, with array indexes as numbers."""
    typed: list[str | int] = []
    for step in steps:
        if isinstance(value, list):
            typed.append(int(step))
            value = value[int(step)] if int(step) < len(value) else None
        else:
            typed.append(step)
            value = value.get(step) if isinstance(value, dict) else None
    return tuple(typed)


def _literal(request: HttpRequest) -> RequestTemplate:
    return _split(request, {})


def _split(request: HttpRequest, sentinels: dict[str, Reference]) -> RequestTemplate:
    body_text = _as_text(request.body)
    body: Text | bytes | None = request.body
    if body_text is not None:
        body = _parts(body_text, sentinels)
    return RequestTemplate(
        method=request.method,
        target=_parts(request.target, sentinels),
        headers=tuple((name, _parts(value, sentinels)) for name, value in request.headers),
        body=body,
        sentinels=sentinels,
        user=request.user,
        body_text=body_text,
    )


def _parts(text: str, sentinels: dict[str, Reference]) -> Text:
    out: list[str | Reference | SignedToken] = []
    end = 0
    for match in MARK.finditer(text):
        out += [*_referring(text[end : match.start()], sentinels), _signed(match[1], claims_in(match[2]), sentinels)]
        end = match.end()
    return (*out, *_referring(text[end:], sentinels)) or (text,)


def _signed(key: str, claims: Json, sentinels: dict[str, Reference]) -> SignedToken:
    scalars = set(_scalars(claims))
    return SignedToken(key, claims, {mark: one for mark, one in sentinels.items() if mark in scalars})


def _scalars(value: Json) -> Iterator[str]:
    """Yields the scalars in a JSON value, as texts."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)
    else:
        yield str(value)


def _referring(text: str, sentinels: dict[str, Reference]) -> Iterator[str | Reference]:
    if not sentinels:
        yield from (text,) if text else ()
        return
    pieces = re.split("(" + "|".join(sorted(sentinels, key=len, reverse=True)) + ")", text)
    yield from (sentinels.get(piece, piece) for piece in pieces if piece)


def _as_text(body: bytes | None) -> str | None:
    """Returns the body as text, which string literals represent exactly; None if it is not UTF-8."""
    try:
        return body.decode("utf-8") if body is not None else None
    except UnicodeDecodeError:
        return None


def _are_marks_whole(value: Json, sentinels: Iterable[str]) -> bool:
    """Returns whether each sentinel in a JSON value is a whole value, neither part of a longer text nor in a key."""
    if isinstance(value, dict):
        keys_are_free = not any(mark in key for key in value for mark in sentinels)
        return keys_are_free and all(_are_marks_whole(item, sentinels) for item in value.values())
    if isinstance(value, list):
        return all(_are_marks_whole(item, sentinels) for item in value)
    return not isinstance(value, str) or all(mark not in value or mark == value for mark in sentinels)
