"""Turns an OpenAPI document into operations: the entry point of this package for a loaded document (see `loading`).

A document that is usable in part is used in part. Each malformed part becomes a warning that names its place; only a
document without a usable operation raises SchemaError.
"""

from __future__ import annotations

import re
from typing import Any

from wimble.errors import SchemaError
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.link_targets import with_links
from wimble.model.operation import Operation, Specification
from wimble.spec.loading.document import Document, Warnings, at, shown
from wimble.spec.loading.versions import version_of
from wimble.spec.openapi.base_path import base_path, server_path
from wimble.spec.openapi.parameters import LOCATIONS, WHOLE_QUERY, InputBuilder, Parameter, collected
from wimble.spec.openapi.request_bodies import BodyBuilder
from wimble.spec.openapi.response_links import links_of
from wimble.spec.openapi.responses import ResponseBuilder
from wimble.spec.openapi.security import credential_places, security_of
from wimble.spec.schemas.normalise import SchemaNormaliser
from wimble.spec.schemas.schema_genes import GeneBuilder
from wimble.types import Json, OperationId

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_LATER_METHODS = (*METHODS, "query")  # 3.2
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def load_openapi(
    document: Json, source: str, fallback_base_path: str = "", *, notes: tuple[str, ...] = ()
) -> Specification:
    """Returns the operations of an OpenAPI document, version 2.0, 3.0, 3.1 or 3.2.

    source: the file or URL of the document; relative server URLs are resolved against it.
    fallback_base_path: the prefix of all paths, if the document declares none.
    notes: warnings from loading, which come first in the specification's warnings.
    Raises SchemaError if the document is not OpenAPI or has no usable operation.
    """
    warnings = Warnings()
    family, version = version_of(document, source, warnings)
    reader = _Reader(Document(document, family, warnings), source, fallback_base_path)
    operations = reader.operations()
    if not operations:
        raise _no_operations(document, source, warnings)
    info = document.get("info")
    title = info.get("title") if isinstance(info, dict) else None
    return Specification(
        title=title if isinstance(title, str) else "",
        operations=operations,
        source=source,
        version=version,
        warnings=(*notes, *warnings.lines()),
    )


def _no_operations(document: dict[str, Any], source: str, warnings: Warnings) -> SchemaError:
    paths = document.get("paths")
    if not isinstance(paths, dict):
        found = "it has no `paths`" if paths is None else f"`paths` is {shown(paths)}"
    else:
        found = f"`paths` has {len(paths)} entries, none with an operation that can be used"
    return SchemaError(
        "schema-no-operations",
        "the API description has no operations",
        where=source,
        details=(found, *warnings.lines()[:3]),
        hint="each operation is a verb (`get`, `post`, ...) under a path",
    )


class _Reader:
    """Walks paths and verbs. Separate builders read the parts of an operation."""

    def __init__(self, document: Document, source: str, fallback_base_path: str) -> None:
        self._document = document
        self._source = source
        self._base_path = base_path(document, source, fallback_base_path)
        requests = SchemaNormaliser(document, "request")
        genes = GeneBuilder(requests)
        self._inputs = InputBuilder(document, requests, genes)
        self._bodies = BodyBuilder(document, requests, genes)
        self._responses = ResponseBuilder(document, SchemaNormaliser(document, "response"))

    def operations(self) -> tuple[Operation, ...]:
        found: dict[str, Operation] = {}
        for key, raw in self._document.section(self._document.root, "paths", "#").items():
            if key.startswith("x-"):
                continue
            place = at("#/paths", key)
            path = self._path(key, place)
            item, item_place = self._document.followed(raw, place)
            if item is None:
                continue
            if item is raw or "$ref" not in raw:
                pass
            elif len(raw) > 1:  # 3.x: siblings of a path item's $ref apply too
                item = {**item, **{name: value for name, value in raw.items() if name != "$ref"}}
            for operation in self._of_path(path, item, item_place):
                if operation.id in found:
                    self._document.warn(place, f"`{operation.id}` is described twice", "the first description is used")
                else:
                    found[operation.id] = operation
        return with_links(found.values())

    def _of_path(self, path: str, item: dict[str, Json], place: str) -> list[Operation]:
        found = []
        verbs = [(verb, item[verb], at(place, verb)) for verb in self._verbs(item, place)]
        more = self._document.section(item, "additionalOperations", place) if self._document.version == "3.1" else {}
        verbs += [(verb, raw, at(place, "additionalOperations", verb)) for verb, raw in more.items()]
        for verb, raw, here in verbs:
            if not re.fullmatch(r"[A-Za-z-]+", verb):
                self._document.warn(here, f"{shown(verb)} is not a verb", "ignored")
            elif not isinstance(raw, dict):
                self._document.warn(here, f"an object is expected, found {shown(raw)}", "operation ignored")
            else:
                found.append(self._operation(verb.upper(), path, raw, here, item=item, item_place=place))
        return found

    def _verbs(self, item: dict[str, Json], place: str) -> list[str]:
        known = METHODS if self._document.version != "3.1" else _LATER_METHODS
        verbs = []
        for key in item:
            if key in known:
                verbs.append(key)
            elif key.lower() in known and key.lower() not in item:
                self._document.warn(at(place, key), "verbs are written in lower case", "used all the same")
                verbs.append(key)
        return verbs

    def _operation(
        self, method: str, path: str, raw: dict[str, Json], place: str, *, item: dict[str, Json], item_place: str
    ) -> Operation:
        """raw: the operation; item: the path item that contains it."""
        base = None
        if not self._document.is_swagger2:
            base = server_path(self._document, raw, place, self._source)
            if base is None:
                base = server_path(self._document, item, item_place, self._source)
        parameters = collected(self._document, [(item, item_place), (raw, place)])
        template = (self._base_path if base is None else base) + self._with_braces(path, parameters, place)
        inputs = [*self._plain_inputs(template, parameters, place), *self._body(parameters, raw, place)]
        tags = raw.get("tags")
        access = security_of(self._document, raw, place)
        return http_operation(
            id=OperationId(f"{method} {template}"),
            method=method,
            path=template,
            inputs=inputs,
            responses=self._responses.build(raw, self._types(raw, "produces", place), place),
            links=links_of(self._document, raw, place),
            operation_id=self._document.text(raw, "operationId"),
            summary=self._document.text(raw, "summary"),
            tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
            security=access,
            credential_places=credential_places(self._document, access),
        )

    def _plain_inputs(self, template: str, parameters: list[Parameter], place: str) -> list[HttpInput]:
        names = list(dict.fromkeys(_PLACEHOLDER.findall(template)))
        by_location: dict[str, list[HttpInput]] = {location: [] for location in LOCATIONS}
        declared = {parameter.name for parameter in parameters if parameter.location == "path"}
        for name in names:
            if name not in declared:
                self._document.warn(place, f"path parameter `{name}` is not declared", "any text is sent")
                by_location["path"].append(self._inputs.undeclared_path_input(name))
        for parameter in parameters:
            location = "query" if parameter.location == WHOLE_QUERY else parameter.location
            if location not in by_location:
                continue
            if parameter.location == "path" and parameter.name not in names:
                self._document.warn(parameter.place, f"`{{{parameter.name}}}` is not in the path", "parameter ignored")
                continue
            made = self._inputs.input_of(parameter)
            if made is not None:
                by_location[location].append(made)
        by_location["path"].sort(key=lambda one: names.index(one.name))
        return [one for location in LOCATIONS for one in by_location[location]]

    def _body(self, parameters: list[Parameter], raw: dict[str, Json], place: str) -> list[HttpInput]:
        if self._document.is_swagger2:
            body = self._bodies.from_swagger2(parameters, self._types(raw, "consumes", place), place)
        else:
            body = self._bodies.from_request_body(raw, place)
        return [] if body is None else [body]

    def _types(self, raw: dict[str, Json], key: str, place: str) -> list[str]:
        """Returns `consumes` or `produces` of a 2.0 operation, else the document's; [] for other versions."""
        if not self._document.is_swagger2:
            return []
        holder, here = (raw, place) if raw.get(key) is not None else (self._document.root, "#")
        value = holder.get(key)
        if isinstance(value, str):
            return [value]
        return [one for one in self._document.listing(holder, key, here) if isinstance(one, str)]

    def _path(self, key: str, place: str) -> str:
        path = key
        if not path.startswith("/"):
            self._document.warn(place, "a path starts with `/`", "one is put before it")
            path = "/" + path
        bare = re.split(r"[?#](?![^{]*\})", path, maxsplit=1)[0]
        if bare != path:
            self._document.warn(place, "a path has no query and no fragment", "they are cut off")
        # `{id:[0-9]+}`, `{+path}`, `{path*}`: additions of other template languages to the name
        return _PLACEHOLDER.sub(lambda match: "{" + _plain_name(match[1]) + "}", bare)

    def _with_braces(self, path: str, parameters: list[Parameter], place: str) -> str:
        """Replaces `:id`, the notation of routers, by `{id}`, if the path parameter `id` is declared."""
        for parameter in parameters:
            written = re.compile(rf"(?<=/):{re.escape(parameter.name)}(?![\w-])")
            if parameter.location == "path" and written.search(path):
                self._document.warn(place, f"`:{parameter.name}` in a path", f"read as `{{{parameter.name}}}`")
                path = written.sub(lambda _, name=parameter.name: "{" + name + "}", path)  # type: ignore[misc]
        return path


def _plain_name(text: str) -> str:
    name = text.split(":", 1)[0].strip()
    return name.lstrip("+#./;?&").rstrip("*") or text
