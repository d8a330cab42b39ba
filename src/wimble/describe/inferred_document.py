"""Makes the inferred document: an OpenAPI 3.1 description of what calls have sent and what was answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from posixpath import commonpath
from typing import Final

import msgspec

from wimble.describe.answer_headers import common_headers, header_objects
from wimble.describe.call_records import AnswerRecord, CallRecords, Example, OperationRecord
from wimble.describe.components import ERROR, Components
from wimble.describe.described_inputs import parameters_of, request_body
from wimble.describe.operation_names import OperationName, name_of, pascal, unique_ids, words_of
from wimble.describe.secret_names import without_secrets
from wimble.describe.security_schemes import (
    Schemes,
    is_credential,
    places_of,
    requirements,
    schemes_of,
    without_doubles,
)
from wimble.describe.sent_values import Key
from wimble.describe.shape_schemas import Schema, SchemaMaker
from wimble.describe.shapes import Shape, copied
from wimble.http.binding import HttpBinding, binding_of
from wimble.http.texts import is_json_type
from wimble.model.operation import Operation
from wimble.types import ABSENT, Json
from wimble.users import AuthUser, Secrets

OPENAPI_VERSION: Final = "3.1.0"
_METHODS: Final = ("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE")
"""Methods that a path item can have, in the order of the standard."""
_NO_OPERATION: Final = frozenset([404, 405, 501])
_ORDER: Final = {method: number for number, method in enumerate(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"))}


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What is described, apart from its calls."""

    title: str
    version: str = ""
    summary: str = ""
    url: str = ""
    """Base URL; empty if it differs from start to start."""
    operations: Sequence[Operation] = ()
    unsure: Collection[str] = frozenset()
    """Ids of operations that no document names: they are left out if the SUT says that they do not exist."""
    constants: Collection[str] = frozenset()
    """Texts in the SUT's code."""
    users: Sequence[AuthUser] = ()
    secrets: Secrets = msgspec.field(default_factory=Secrets)
    note: str = ""
    """Who made the document, and of what."""


def inferred_document(subject: Subject, records: CallRecords) -> dict[str, Json]:
    """Returns the document, of the same operations and calls always the same; {} if there is no operation over HTTP."""
    described = [
        record
        for record in records.of(subject.operations)
        if isinstance(record.operation.binding, HttpBinding)
        and not record.operation.binding.graphql
        and record.operation.binding.method in _METHODS
        and not (record.operation.id in subject.unsure and is_nothing(record))
    ]
    described.sort(key=lambda record: _place(binding_of(record.operation)))
    return _Builder(subject, described).document() if described else {}


def is_nothing(record: OperationRecord) -> bool:
    """Whether all answers say that there is no such operation: no call names a thing that could be missing instead."""
    statuses = set(record.statuses)
    return bool(statuses) and statuses <= _NO_OPERATION and "{" not in binding_of(record.operation).path


def _place(binding: HttpBinding) -> tuple[str, int, str]:
    """By path, `/books` before `/books/{id}` before `/books/search`, then by verb."""
    return (binding.path.replace("{", " "), _ORDER.get(binding.method, len(_ORDER)), binding.method)


def _sent(record: OperationRecord) -> Mapping[Key, Json]:
    """Returns the inputs of the call that is shown as an example."""
    example = best_example(record)
    return {} if example is None else example.inputs


def _common_path(paths: Sequence[str]) -> str:
    common = commonpath(path.split("{", 1)[0] for path in paths)
    return f"Operations under `{common.rstrip('/') or '/'}`"


class _Builder:
    """Builds one document."""

    def __init__(self, subject: Subject, records: Sequence[OperationRecord]) -> None:
        self._subject = subject
        self._records = records
        self._schemes: Schemes = schemes_of(subject.users)
        required = [requirements(record, self._schemes, _sent(record)) for record in records]
        self._required = without_doubles(self._schemes, required)
        self._keys = places_of(self._schemes)
        self._shapes = {
            (id(record), key): _described_shape(answer) for record in records for key, answer in record.answers.items()
        }
        self._names = [name_of(binding_of(record.operation), self._successes(record)) for record in records]
        self._ids = unique_ids(self._names, [binding_of(record.operation).path for record in records])
        self._components = self._found_components()
        self._maker = SchemaMaker(subject.constants, self._components.reference_of)
        self._common_headers = common_headers(records)

    def _successes(self, record: OperationRecord) -> list[Shape]:
        return [self._shapes[id(record), key] for key in record.answers if 200 <= key[0] < 300]

    def _found_components(self) -> Components:
        components = Components()
        for record, name, own_id in zip(self._records, self._names, self._ids, strict=True):
            for key in sorted(record.answers):
                is_error = key[0] >= 400
                if key[0] >= 200:
                    resource = ERROR if is_error else name.resource
                    context = _error_name(key[0]) if is_error else pascal(words_of(own_id))
                    shape = self._shapes[id(record), key]
                    components.put_answer(shape, resource, context, is_many=name.is_many and not is_error)
        components.put_nested()
        components.name_them()
        return components

    # ---- the document -----------------------------------------------------------------------------------------------

    def document(self) -> dict[str, Json]:
        subject = self._subject
        paths: dict[str, dict[str, Json]] = {}
        operations = zip(self._records, self._names, self._ids, self._required, strict=True)
        for record, name, own_id, required in operations:
            made = self._operation(record, name, own_id)
            if required is not None:
                made["security"] = required
            binding = binding_of(record.operation)
            paths.setdefault(binding.path, {})[binding.method.lower()] = made
        info = {"title": subject.title or "API", "version": subject.version or "0.0.0"}
        if subject.summary:
            info["summary"] = subject.summary
        info["description"] = subject.note
        document: dict[str, Json] = {
            "openapi": OPENAPI_VERSION,
            "info": info,
            "servers": [{"url": subject.url or "/"}],
            "security": [],
            "tags": self._tags(),
            "paths": paths,
        }
        components = self._component_objects(paths)
        if components:
            document["components"] = components
        return document

    def _tags(self) -> list[Json]:
        """Returns the tags of the operations; each is described by what its paths have in common."""
        paths: dict[str, list[str]] = {}
        for record, name in zip(self._records, self._names, strict=True):
            if name.tag:
                paths.setdefault(name.tag, []).append(binding_of(record.operation).path)
        return [{"name": tag, "description": _common_path(of_tag)} for tag, of_tag in sorted(paths.items())]

    def _component_objects(self, paths: Json) -> dict[str, Json]:
        """Returns the Components Object, with the schemas that the paths refer to."""
        shapes = {one.name: one.shape for one in self._components.all if one.name}
        schemas: dict[str, Schema] = {}
        waiting = referenced(paths)
        while waiting:
            name = waiting.pop()
            if name not in schemas:
                schemas[name] = self._maker.object_schema(shapes[name])
                waiting += referenced(schemas[name])
        found: dict[str, Json] = {}
        if schemas:
            found["schemas"] = dict(sorted(schemas.items()))
        if self._schemes.definitions:
            found["securitySchemes"] = dict(sorted(self._schemes.definitions.items()))
        return found

    def _operation(self, record: OperationRecord, name: OperationName, own_id: str) -> dict[str, Json]:
        example = best_example(record)
        sent = {} if example is None else example.inputs
        made: dict[str, Json] = {
            "tags": [name.tag] if name.tag else [],
            "summary": name.summary,
            "operationId": own_id,
        }
        shown = self._shown_inputs(sent)
        parameters = parameters_of(record, shown, self._maker, self._keys)
        if parameters:
            made["parameters"] = parameters
        body = request_body(record, shown, "" if example is None else example.media_type, self._maker)
        if body is not None:
            made["requestBody"] = body
        made["responses"] = self._responses(record)
        return made

    def _shown_inputs(self, sent: Mapping[Key, Json]) -> dict[Key, Json]:
        """Returns the values that examples show."""
        return {key: self._shown(value, key[1]) for key, value in sent.items() if not is_credential(key)}

    def _shown(self, value: Json, name: str = "") -> Json:
        return without_secrets(value, self._subject.secrets.redact, name)

    # ---- answers ----------------------------------------------------------------------------------------------------

    def _responses(self, record: OperationRecord) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for status in record.statuses:
            if status >= 200:
                found[str(status)] = self._response(record, status)
        return found or {"default": {"description": "No answer was seen"}}

    def _response(self, record: OperationRecord, status: int) -> dict[str, Json]:
        answers = sorted((key, answer) for key, answer in record.answers.items() if key[0] == status)
        made: dict[str, Json] = {"description": status_phrase(status)}
        headers: dict[str, Json] = {}
        content: dict[str, Json] = {}
        for key, answer in answers:
            headers |= header_objects(answer, self._common_headers, self._maker)
            if key[1]:
                content[key[1]] = self._media(answer, self._shapes[id(record), key], key[1])
        if headers:
            made["headers"] = dict(sorted(headers.items()))
        if content:
            made["content"] = content
        return made

    def _media(self, answer: AnswerRecord, shape: Shape, media_type: str) -> dict[str, Json]:
        if shape.n_values == 0:
            made: dict[str, Json] = {"schema": {"type": "string"}} if is_text(media_type) else {}
        else:
            made = {"schema": self._maker.schema(shape)}
        example = answer.example
        if example is not None and example.answer is not ABSENT and not is_api_document(answer.shape):
            made["example"] = self._shown(example.answer)
        return made


def _described_shape(answer: AnswerRecord) -> Shape:
    """Returns a copy of the shape of answers. That of an API description says only that it is an object."""
    if is_api_document(answer.shape):
        return Shape(n_objects=answer.shape.n_objects)
    return copied(answer.shape)


def is_api_document(shape: Shape) -> bool:
    """Whether the answers are OpenAPI documents: the API serves its own."""
    return shape.members.keys() >= {"paths", "info"} and not shape.members.keys().isdisjoint(("openapi", "swagger"))


def referenced(value: Json) -> list[str]:
    """Returns the names of the schemas that a part of the document refers to."""
    if isinstance(value, list):
        return [name for one in value for name in referenced(one)]
    if not isinstance(value, dict):
        return []
    names = [name for key, one in value.items() if key not in ("example", "$ref") for name in referenced(one)]
    reference = value.get("$ref")
    if isinstance(reference, str):
        names.append(reference.rpartition("/")[2])
    return names


def is_text(media_type: str) -> bool:
    """Whether bodies of this type are text."""
    return media_type.startswith("text/") or media_type.endswith(("/xml", "+xml", "/javascript", "json"))


def best_example(record: OperationRecord) -> Example | None:
    """Returns the accepted call that is shown: one with an answer in JSON if there is any, the easiest to read."""
    for low in (200, 300):
        examples = [
            (not is_json_type(media_type), answer.example.rank, status, answer.example)
            for (status, media_type), answer in record.answers.items()
            if low <= status < low + 100 and answer.example is not None
        ]
        if examples:
            return min(examples, key=lambda example: example[:3])[3]
    return None


def status_phrase(status: int) -> str:
    """Returns the reason phrase of a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Status {status}"


def _error_name(status: int) -> str:
    """Returns a name for the errors of a status: `NotFound`."""
    return pascal(words_of(status_phrase(status)))
