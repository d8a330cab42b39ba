"""What the document declares about each operation's answers, compiled once and cached for the search."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple, TypeVar

import jsonschema_rs

from wimble.http.binding import binding_of
from wimble.http.declarations import ResponseSpec
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Operation
from wimble.oracles.documents.answer_parts import SchemaParts
from wimble.oracles.documents.input_limits import InputLimits
from wimble.oracles.documents.missing_members import MissingMembers
from wimble.oracles.documents.response_limits import Limits
from wimble.types import ABSENT, Json

MAX_VIOLATIONS = 5
"""Maximum per body. Only places in the schema count: a list of a hundred wrong elements is one mistake."""
MIN_SHAPE_MEMBERS = 2
MAX_REMEMBERED_BODIES = 5_000
"""Maximum per operation, status and media type; an entry takes a few hundred bytes."""
MAX_BODY_BYTES = 4 * 1024 * 1024
_IGNORED_KINDS = frozenset(["backtrackLimitExceeded", "regexEngineFailure", "format"])

_T = TypeVar("_T")


class Violation(NamedTuple):
    """One rule of the schema that a body breaks, with the first place in the body that breaks it."""

    rule: tuple[str, ...]
    """Place of the rule in the schema. It is the same for all values that break the rule."""
    body_path: str
    message: str
    keyword: str
    limit: Json
    missing: tuple[str, ...] = ()
    """The members that the object lacks, if the rule requires them."""
    value: Json = None
    """The value that breaks the rule."""
    shape: str = ""
    """For a null: a digest of the declaration of the object that contains it; the same for each copy of it."""


class Nearness(NamedTuple):
    """How near an answer came to breaking a limit of its schema. h is 1 if the answer breaks it."""

    limit: str
    """Name of the limit, such as `POST /orders 201 #/properties/total/minimum`."""
    h: float


class DeclaredBody:
    """The schema of one operation, status and media type. Results are cached by the hash of the body."""

    __slots__ = ("_limits", "_names", "_nearness", "_of", "_parts", "_schema", "_validator", "_violations")

    def __init__(self, validator: jsonschema_rs.Draft202012Validator | None, schema: Json = None, of: str = "") -> None:
        """of: the operation and status of the schema; names outside of named components begin with it."""
        self._validator = validator
        self._schema = schema
        self._of = of
        self._parts: SchemaParts | None = None
        self._limits = Limits(schema)
        self._names = tuple(
            f"{'' if rule[0] == '$defs' else of} #/{'/'.join(rule)}".lstrip() for rule in self._limits.rules
        )
        self._violations: dict[int, tuple[Violation, ...]] = {}
        self._nearness: dict[int, tuple[Nearness, ...]] = {}

    @property
    def has_schema(self) -> bool:
        """Whether bodies can be checked: a schema is declared, and the validator can use it."""
        return self._validator is not None

    @property
    def has_limits(self) -> bool:
        """Whether the schema declares a limit that can be measured."""
        return bool(self._names)

    def violations(self, response: HttpResponse) -> tuple[Violation, ...]:
        """Returns at most MAX_VIOLATIONS violations. Returns () without a schema, or for a body that is incomplete."""
        if self._validator is None or not _is_whole(response):
            return ()
        # The hash has 64 bits: among 5,000 bodies, a collision has a chance of 1 in 10^12, and costs one check.
        key = hash(response.body)
        known = self._violations.get(key)
        if known is None:
            known = self._broken(self._validator, response, self._schema)
            _remember(self._violations, key, known)
        return known

    def nearness(self, response: HttpResponse) -> tuple[Nearness, ...]:
        """Returns how near the body came to each limit that it has values for.

        Measured on demand, because most phases of a run do not use it.
        """
        if self._validator is None or not self._limits or not _is_whole(response):
            return ()
        key = hash(response.body)
        known = self._nearness.get(key)
        if known is None:
            measured = self._limits.measured(response.json())
            known = tuple(Nearness(self._names[index], h) for index, h in measured.items())
            _remember(self._nearness, key, known)
        return known

    def parts(self, response: HttpResponse) -> dict[str, bool]:
        """Returns name of a declared part -> whether the body shows it, for the parts that the body can tell about.

        Black-box runs use the parts as targets.
        """
        if self._validator is None or len(response.body) > MAX_BODY_BYTES or (body := response.json()) is ABSENT:
            return {}
        if self._parts is None:
            self._parts = SchemaParts(self._schema, self._of)
        return self._parts.of_body(response.body, body)

    @staticmethod
    def _broken(
        validator: jsonschema_rs.Draft202012Validator, response: HttpResponse, schema: Json
    ) -> tuple[Violation, ...]:
        value = response.json()
        if value is ABSENT:
            return (Violation(("json",), "$", _why_not_json(response.body), "json", None),)
        try:
            if validator.is_valid(value):
                return ()
            return _distinct_violations(validator, value, schema)
        except ValueError:
            # The validator cannot represent the value, such as an integer of a thousand digits. That is no fault of the
            # SUT.
            return ()


def _is_whole(response: HttpResponse) -> bool:
    return response.is_readable and not response.is_truncated and len(response.body) <= MAX_BODY_BYTES


def _remember(known: dict[int, _T], key: int, value: _T) -> None:
    if len(known) >= MAX_REMEMBERED_BODIES:
        known.clear()
    known[key] = value


def _why_not_json(body: bytes) -> str:
    try:
        body.decode()
    except UnicodeDecodeError:
        return "the body is not UTF-8, as JSON has to be"
    return "the body is not JSON"


def _distinct_violations(
    validator: jsonschema_rs.Draft202012Validator, value: Json, schema: Json
) -> tuple[Violation, ...]:
    found: dict[tuple[str, ...], Violation] = {}
    for error in validator.iter_errors(value):
        kind = error.kind
        if kind.name in _IGNORED_KINDS:
            continue
        name = getattr(kind, "property", None)
        missing = (name,) if isinstance(name, str) else ()
        rule = tuple(str(step) for step in error.schema_path)
        known = found.get(rule)
        if known is not None:
            if missing and missing[0] not in known.missing:
                found[rule] = _with_missing(known, missing[0])
            continue
        if len(found) >= MAX_VIOLATIONS:
            break
        path = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.instance_path)
        value = error.instance
        shape = _shape_around(schema, rule) if value is None else ""
        found[rule] = Violation(rule, path, _short(error.message), kind.name, kind.value, missing, value, shape)
    return tuple(found.values())


def _with_missing(violation: Violation, name: str) -> Violation:
    """Returns the violation with another missing member, which its message names."""
    missing = (*violation.missing, name)
    named = ", ".join(f'"{member}"' for member in missing)
    return violation._replace(missing=missing, message=f"{named} are required properties")


def _shape_around(schema: Json, rule: tuple[str, ...]) -> str:
    """Returns a digest of the declared object whose member the rule is about; "" if it declares fewer than two members.

    Generators of documents copy an object into each operation that returns it. An object with a single member is no
    copy of another one with the same member: `{"message": ...}` stands anywhere.
    """
    depth = max((at for at, step in enumerate(rule) if step == "properties"), default=-1)
    if depth < 0:
        return ""
    node = schema
    for step in rule[:depth]:
        if isinstance(node, list) and step.isdigit() and int(step) < len(node):
            node = node[int(step)]
        elif isinstance(node, dict):
            node = node.get(step)
    properties = node.get("properties") if isinstance(node, dict) else None
    if not isinstance(properties, dict) or len(properties) < MIN_SHAPE_MEMBERS:
        return ""
    return hashlib.sha256(json.dumps(node, sort_keys=True).encode()).hexdigest()[:12]


def _short(message: str, limit: int = 160) -> str:
    """Shortens a message in its middle. It begins with the value, maybe the whole body, and ends with what is wrong."""
    return message if len(message) <= limit else message[: limit // 2 - 1] + "…" + message[-limit // 2 :]


class DeclaredResponse(NamedTuple):
    """One `ResponseSpec` with its compiled schemas."""

    spec: ResponseSpec
    bodies: tuple[tuple[str, DeclaredBody], ...]
    """(media type or range, its schema)."""

    def body_for(self, media_type: str) -> DeclaredBody | None:
        """Returns the most specific declaration that covers the media type, or None."""
        ranges: DeclaredBody | None = None
        for declared, body in self.bodies:
            if declared == media_type:
                return body
            if _covers(declared, media_type):
                ranges = ranges or body
        return ranges

    @property
    def promises_body(self) -> bool:
        """Whether the response declares at least one media type, and a schema for each of them."""
        return bool(self.bodies) and all(body.has_schema for _, body in self.bodies)


def _covers(declared: str, media_type: str) -> bool:
    if declared == "*/*":
        return True
    if declared.endswith("/*"):
        return media_type.startswith(declared[:-1])
    # A client of `application/json` can also read `application/problem+json`.
    return _is_json(declared) and _is_json(media_type)


def _is_json(media_type: str) -> bool:
    return media_type in ("application/json", "text/json") or media_type.endswith("+json")


class Contracts:
    """The declared answers of all operations seen so far."""

    def __init__(self, input_limits: InputLimits | None = None) -> None:
        self.input_limits = input_limits or InputLimits()
        self._warnings: list[str] = []
        self.missing_members = MissingMembers()
        self._operations: dict[int, tuple[Operation, dict[str, DeclaredResponse]]] = {}
        self._matches: dict[tuple[int, int], DeclaredResponse | None] = {}

    def take_warnings(self) -> list[str]:
        """Returns the warnings since the last call of this method: schemas that cannot be used."""
        warnings, self._warnings = self._warnings, []
        return warnings

    def declared(self, operation: Operation, status: int) -> DeclaredResponse | None:
        """Returns the declaration for `status`: the exact status, else its range (`4XX`), else `default`, else None."""
        key = (id(operation), status)
        try:
            return self._matches[key]
        except KeyError:
            found = self._find(operation, status)
            self._matches[key] = found
            return found

    def _find(self, operation: Operation, status: int) -> DeclaredResponse | None:
        known = self._operations.get(id(operation))
        if known is None:
            # Keeping a reference to the operation keeps its id from being reused.
            known = (
                operation,
                {spec.status: self._compiled(operation, spec) for spec in binding_of(operation).responses},
            )
            self._operations[id(operation)] = known
        responses = known[1]
        for name in (str(status), f"{status // 100}XX", "default"):
            if name in responses:
                return responses[name]
        return None

    def _compiled(self, operation: Operation, spec: ResponseSpec) -> DeclaredResponse:
        bodies = tuple(
            (
                name,
                DeclaredBody(self._validator(operation, spec, name, schema), schema, f"{operation.id} {spec.status}"),
            )
            for name, schema in spec.content
        )
        return DeclaredResponse(spec, bodies)

    def _validator(
        self, operation: Operation, spec: ResponseSpec, media_type: str, schema: Any
    ) -> jsonschema_rs.Draft202012Validator | None:
        if schema is None:
            return None
        try:
            # offline: resolving a reference must never open a network connection
            return jsonschema_rs.Draft202012Validator(schema, validate_formats=False, offline=True)
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            self._warnings.append(
                f"{operation.id}, response {spec.status} {media_type}: the schema cannot be used ({reason}); "
                "answers are not compared with it"
            )
            return None
