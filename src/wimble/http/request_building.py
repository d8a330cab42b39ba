"""Renders a call to a concrete HTTP request: parameter styles, encodings, bodies.

The same call with the same earlier answers always renders to the same bytes. For any values, the result is one
well-formed HTTP request to the path of the operation.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from urllib.parse import quote

from wimble.genes.gene import Resolver
from wimble.genes.wrappers import is_scalar
from wimble.http.binding import HttpBinding, binding_of
from wimble.http.bodies import form_of, render_body
from wimble.http.credential_forms import with_carried, with_carried_fields
from wimble.http.declarations import SAFE_METHODS, HttpInput
from wimble.http.http_messages import HttpRequest
from wimble.http.texts import (
    bracketed,
    encoded,
    encoded_value,
    is_json_type,
    joined,
    json_bytes,
    safe_header_value,
    text_of,
    without_non_finite,
)
from wimble.model.operation import Operation
from wimble.model.testcase import Call
from wimble.types import ABSENT, Json

EMPTY_PATH_VALUE = "%20"
"""Sent for a path value that is empty or absent. With a space, the request still reaches the operation, whereas
`/books/` is another path."""

DOT_IN_DOT_SEGMENT = "%252E"
"""URL parsers remove a segment `.` or `..`, also if it is encoded as `%2E` (WHATWG URL). So its dots are encoded
twice."""

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_EMPTY_SEGMENT = re.compile(r"^/+|/+$|/{2,}")
_DOT_SEGMENT = re.compile(r"(?<=/)\.{1,2}(?=/|$)")

_FRAMING_HEADERS = frozenset(
    {
        "connection",
        "content-length",
        "transfer-encoding",
        "expect",
        "upgrade",
        "keep-alive",
        "te",
        "trailer",
    }
)
"""Headers that the client sets: a parameter with such a name would break the connection instead of testing the
operation. `Host` is none of them: programs choose by it what they serve."""

METHOD_OVERRIDES = frozenset(["_method", "x-http-method-override", "x-http-method", "x-method-override"])
"""Undeclared inputs that would turn the call into one of another operation ([WB-Advanced] §5)."""

_DEFAULT_HEADERS = (("Accept", "*/*"),)


class _Plan:
    """The parts of an operation's rendering that do not depend on values."""

    __slots__ = (
        "body",
        "carried",
        "cookies",
        "headers",
        "is_plain_path",
        "method",
        "path_inputs",
        "path_literals",
        "query",
    )

    def __init__(self, operation: Operation) -> None:
        binding = binding_of(operation)
        self.method = binding.method
        by_name = {spec.name: i for i, spec in enumerate(binding.inputs) if spec.location == "path"}
        pieces = _PLACEHOLDER.split(binding.path)
        self.path_literals = [_clean_literal(piece) for piece in pieces[::2]]
        self.path_inputs: list[tuple[int | None, HttpInput | None]] = []
        for name in pieces[1::2]:
            index = by_name.get(name)
            self.path_inputs.append((index, binding.inputs[index] if index is not None else None))
        self.is_plain_path = not self.path_inputs
        self.query = _of_location(binding, "query")
        self.headers = [
            (index, spec)
            for index, spec in _of_location(binding, "header")
            if spec.is_undeclared or (_TOKEN.fullmatch(spec.name) and spec.name.lower() not in _FRAMING_HEADERS)
        ]
        self.cookies = [
            (i, spec)
            for i, spec in _of_location(binding, "cookie")
            if spec.is_undeclared or _TOKEN.fullmatch(spec.name)
        ]
        self.body = _of_location(binding, "body")
        self.carried = next((i for i, given in enumerate(operation.inputs) if given.role == "credential"), None)


@lru_cache(maxsize=8192)
def _plan_of(operation: Operation) -> _Plan:
    return _Plan(operation)


def _of_location(binding: HttpBinding, location: str) -> list[tuple[int, HttpInput]]:
    return [(i, spec) for i, spec in enumerate(binding.inputs) if spec.location == location]


def _clean_literal(text: str) -> str:
    """Returns a literal piece of the path template, with characters escaped that a request line must not contain."""
    return quote(text, safe="/:@!$&'()*+,;=~%-._?[]", errors="replace")


def build_request(call: Call, resolve: Resolver | None = None) -> HttpRequest:
    """Returns the request of `call`. `resolve` gives references to earlier responses their values."""
    plan = _plan_of(call.operation)
    genes = call.genes
    target = plan.path_literals[0] if plan.is_plain_path else _render_path(plan, call, resolve)
    if not target.startswith("/"):
        target = "/" + target

    if plan.query:
        pairs: list[str] = []
        for index, spec in plan.query:
            value = genes[index].phenotype(resolve)
            if value is not ABSENT:
                pairs += _query_pairs(spec, value)
        if pairs:
            target = f"{target}{'&' if '?' in target else '?'}{'&'.join(pairs)}"

    headers: tuple[tuple[str, str], ...] = _DEFAULT_HEADERS
    body: bytes | None = None
    for index, spec in plan.body:
        value = genes[index].phenotype(resolve)
        if value is not ABSENT:
            body, content_type = render_body(form_of(spec, genes[index]), value)
            headers = (*_DEFAULT_HEADERS, ("Content-Type", content_type))
            break
    headers = _with_parameters(plan, call, resolve, headers)
    carried = ABSENT if plan.carried is None else genes[plan.carried].phenotype(resolve)
    if isinstance(carried, dict):
        target, headers = with_carried(target, headers, carried)
        if plan.method not in SAFE_METHODS:
            body, headers = with_carried_fields(body, headers, carried)
    return HttpRequest(plan.method, target, headers, body, call.user)


# ---- path -----------------------------------------------------------------------------------------------------------


def _render_path(plan: _Plan, call: Call, resolve: Resolver | None) -> str:
    pieces = [plan.path_literals[0]]
    for (index, spec), literal in zip(plan.path_inputs, plan.path_literals[1:], strict=True):
        value = call.genes[index].phenotype(resolve) if index is not None else ABSENT
        text = "" if value is ABSENT or spec is None else _path_value(spec, value)
        pieces.append(text or EMPTY_PATH_VALUE)
        pieces.append(literal)
    path = "".join(pieces)
    if "/." in path:
        path = _DOT_SEGMENT.sub(lambda match: DOT_IN_DOT_SEGMENT * len(match.group()), path)
    return path


def _path_value(spec: HttpInput, value: Json) -> str:
    """Writes a path value in the style simple, label or matrix (RFC 6570)."""
    if type(value) is str and spec.style in ("", "simple"):
        return _segments(value) if spec.has_segments else quote(value, safe="", errors="replace")
    if spec.media_type and is_json_type(spec.media_type):
        return encoded(json_bytes(value).decode())
    explode = bool(spec.explode)
    if spec.style == "matrix":
        return _matrix(spec.name, value, explode)
    if spec.style == "label":
        text = joined(value, explode, "." if explode else ",")
        return f".{text}" if text else ""
    return joined(value, explode, ",")


def _segments(value: str) -> str:
    """Writes several segments, none of which is empty: servers and clients treat those in different ways."""
    text = quote(value, safe="/", errors="replace")
    return _EMPTY_SEGMENT.sub(lambda match: "%2F" * len(match.group()), text) if "/" in text else text


def _matrix(name: str, value: Json, explode: bool) -> str:
    key = encoded(name)
    if explode and isinstance(value, dict):
        return "".join(f";{encoded(member)}={encoded_value(item)}" for member, item in value.items())
    if explode and isinstance(value, list):
        return "".join(f";{key}={encoded_value(item)}" for item in value)
    return f";{key}={joined(value, False, ',')}"


# ---- query ----------------------------------------------------------------------------------------------------------

_ARRAY_SEPARATORS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C", "tabDelimited": "%09"}


def _query_pairs(spec: HttpInput, value: Json) -> list[str]:
    if spec.is_undeclared:
        sent = {name: item for name, item in value.items() if name not in METHOD_OVERRIDES}
        return [pair for name, item in sent.items() for pair in _undeclared(name, item)]
    key = quote(spec.name, safe="", errors="replace")
    if spec.style == "querystring":
        return [encoded_value(value)]
    if not isinstance(value, (list, dict)):
        return [f"{key}={encoded_value(value)}"]
    if spec.media_type and is_json_type(spec.media_type):
        return [f"{key}={encoded(json_bytes(value).decode())}"]
    style = spec.style or "form"
    if style == "deepObject" or (isinstance(value, dict) and is_scalar(spec.template)):
        # Where a scalar is declared, an object is written with brackets, from which `qs` and similar parsers make it.
        return list(bracketed(key, value))
    explode = spec.explode if spec.explode is not None else style == "form"
    if explode:
        if isinstance(value, list):
            return [f"{key}={encoded_value(item)}" for item in value]
        return [f"{encoded(member)}={encoded_value(item)}" for member, item in value.items()]
    return [f"{key}={joined(value, False, _ARRAY_SEPARATORS.get(style, ','))}"]


def _undeclared(name: str, value: Json) -> list[str]:
    key = encoded(name)
    if isinstance(value, list):
        return [f"{key}={encoded_value(item)}" for item in value]
    return list(bracketed(key, value)) if isinstance(value, dict) else [f"{key}={encoded_value(value)}"]


# ---- headers and cookies --------------------------------------------------------------------------------------------


def _with_parameters(
    plan: _Plan, call: Call, resolve: Resolver | None, headers: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """Returns `headers` with header and cookie parameters. A parameter replaces a default header of the same name."""
    if not plan.headers and not plan.cookies:
        return headers
    added: list[tuple[str, str]] = []
    for index, spec in plan.headers:
        value = call.genes[index].phenotype(resolve)
        if spec.is_undeclared and value is not ABSENT:
            added += _undeclared_headers(value)
        elif value is not ABSENT:
            added.append((spec.name, safe_header_value(_flat_text(spec, value))))
    cookies: list[str] = []
    for index, spec in plan.cookies:
        value = call.genes[index].phenotype(resolve)
        if value is not ABSENT:
            cookies += [f"{name}={encoded(text)}" for name, text in _cookie_pairs(spec, value)]
    if not added and not cookies:
        return headers
    names = {name.lower() for name, _ in added}
    merged = [*(header for header in headers if header[0].lower() not in names), *added]
    if cookies:
        merged = [header for header in merged if header[0].lower() != "cookie"]
        merged.append(("Cookie", "; ".join(cookies)))
    return tuple(merged)


def _undeclared_headers(value: dict[str, Json]) -> list[tuple[str, str]]:
    return [
        (name, safe_header_value(text_of(item)))
        for name, item in value.items()
        if _TOKEN.fullmatch(name) and not is_of_connection(name) and name.lower() not in METHOD_OVERRIDES
    ]


def is_of_connection(header: str) -> bool:
    """Whether a header belongs to the connection, so that no call may set it."""
    name = header.lower()
    return name in _FRAMING_HEADERS or name.startswith("proxy-")


def _cookie_pairs(spec: HttpInput, value: Json) -> list[tuple[str, str]]:
    """Returns (name, text) of the cookies of one parameter.

    An object has one cookie for each property unless `explode` is false (OpenAPI 3.0.3, Parameter Object). An array in
    style `cookie` has one for each item (OpenAPI 3.2). Any other value is one cookie.
    """
    is_written_whole = spec.media_type and is_json_type(spec.media_type)
    if isinstance(value, list) and spec.style == "cookie" and spec.explode is not False:
        return [(spec.name, text_of(item)) for item in value]
    if not isinstance(value, dict) or spec.explode is False or is_written_whole:
        return [(spec.name, _flat_text(spec, value))]
    return [(name, text_of(item)) for name, item in value.items() if _TOKEN.fullmatch(name)]


def _flat_text(spec: HttpInput, value: Json) -> str:
    """Writes a value in style simple without percent-encoding, which headers do not use."""
    if not isinstance(value, (list, dict)):
        return text_of(value)
    if spec.media_type and is_json_type(spec.media_type):
        return json.dumps(without_non_finite(value), separators=(",", ":"))
    if isinstance(value, list):
        return ",".join([text_of(item) for item in value])
    pair = "=" if spec.explode else ","
    return ",".join([f"{key}{pair}{text_of(item)}" for key, item in value.items()])
