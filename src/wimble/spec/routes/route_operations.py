"""Makes an OpenAPI document from the routes of the SUT, which the reader of documents then reads as any other.

The document says what is known of a route: method, path, patterns of parameters, and headers that it requires. Whether
it reads a body, and of which media type, is learnt (`http/undeclared_room.py`). Procedures of tRPC take any JSON:
queries as text in a query parameter, mutations as body.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from wimble.model.routes import LeftOutRoute, Procedure, RegisteredOperation, Route
from wimble.spec.routes.left_out_routes import (
    CATCH_ALL,
    DOCUMENTATION,
    MOUNTED,
    reason_against_method,
    reason_to_leave_out,
)
from wimble.spec.routes.path_templates import Template, templates_of
from wimble.types import Json

ANY_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
"""The methods that are tried on a route that takes any."""
MAX_OPERATIONS: Final = 10_000


class RoutedOperation(msgspec.Struct, frozen=True):
    """One method of one path template, and the routes that serve it."""

    method: str
    template: Template
    routes: tuple[Route, ...]

    @property
    def id(self) -> str:
        return f"{self.method} {self.template.path}"

    @property
    def registered(self) -> RegisteredOperation:
        """The operation, with the first place that is known."""
        placed = next((route for route in self.routes if route.file), self.routes[0])
        return RegisteredOperation(self.id, placed.file, placed.line)


class RoutedOperations(msgspec.Struct, frozen=True):
    """The operations of the routes of the SUT."""

    operations: tuple[RoutedOperation, ...]
    left_out: tuple[LeftOutRoute, ...]
    mounts: tuple[Template, ...] = ()
    """Paths below which functions serve what is not known."""


def routed_operations(routes: Iterable[Route]) -> RoutedOperations:
    """Returns the operations of routes, in order of registration, and what is left out.

    Of several templates that differ only in the names of their parameters, the first one is used.
    """
    collected = _Collected()
    known = [(route, templates_of(route.path, route.framework)) for route in routes]
    pages = {
        (route.file, route.line, template.path)
        for route, templates in known
        for template in templates
        if route.file and reason_to_leave_out(route, template) == DOCUMENTATION
    }
    for route, templates in known:
        if not templates:
            collected.leave_out(route, None, reason_to_leave_out(route, None))
        catches_all = any(reason_to_leave_out(route, template) == CATCH_ALL for template in templates)
        for template in templates:
            reason = reason_to_leave_out(route, template)
            if not reason and (route.file, route.line, template.path) in pages:
                reason = DOCUMENTATION  # several functions serve the page: `use('/docs', serve, setup(document))`
            if not reason and template.path == "/" and catches_all:
                reason = CATCH_ALL  # without the optional part: `/{*path}`
            if reason:
                collected.leave_out(route, template, reason)
            else:
                collected.add(route, template)
    return collected.result()


class _Collected:
    """The operations of the routes so far."""

    def __init__(self) -> None:
        self._routes: dict[tuple[str, str], tuple[Template, list[Route]]] = {}
        """By method (`*`: any) and shape with patterns."""
        self._left_out: dict[LeftOutRoute, None] = {}
        self._mounts: dict[str, Template] = {}

    def add(self, route: Route, template: Template) -> None:
        methods = ("*",) if route.takes_any_method else route.methods
        key = _key(template)
        for method in methods:
            reason = "" if method == "*" else reason_against_method(method)
            if reason:
                if not (method == "OPTIONS" and template.ends_in_wildcard):
                    self._left_out[LeftOutRoute(f"{method} {template.path}", reason, route.file, route.line)] = None
            elif len(self._routes) < MAX_OPERATIONS or (method, key) in self._routes:
                self._routes.setdefault((method, key), (template, []))[1].append(route)

    def leave_out(self, route: Route, template: Template | None, reason: str) -> None:
        path = template.path if template is not None else "".join(part.text for part in route.path)
        if template is not None:
            self._mounts.setdefault(template.path, template)
        method = "" if route.takes_any_method else f"{'|'.join(route.methods[:3])} "
        self._left_out[LeftOutRoute(f"{method}{path}", reason, route.file, route.line)] = None

    def result(self) -> RoutedOperations:
        for method, key in [known for known in self._routes if self._is_fallback(*known)]:
            template, routes = self._routes.pop((method, key))
            for route in routes:
                self.leave_out(route, template, CATCH_ALL)
        found = [
            RoutedOperation(method, template, tuple(routes))
            for (method, key), (template, routes) in self._routes.items()
            if not (method == "*" and self._hands_on(template, routes))
            for method in self._methods(method, key)
        ]
        paths = [operation.template.path for operation in found]
        left_out = [one for one in self._left_out if not (one.reason == MOUNTED and _has_below(one.path, paths))]
        return RoutedOperations(tuple(found), tuple(left_out), tuple(self._mounts.values()))

    def _is_fallback(self, method: str, key: str) -> bool:
        """Whether it takes what no other route takes of the paths below its own, with any method.

        NestJS registers such a route for unknown paths below a prefix that all others have.
        """
        template, routes = self._routes[method, key]
        if method != "*" or not template.ends_in_wildcard:
            return False
        above, frameworks = template.shape.rpartition("/")[0], _frameworks(routes)
        return any(
            other is not template
            and other.shape.startswith(f"{above}/")
            and not frameworks.isdisjoint(_frameworks(inner))
            for other, inner in self._routes.values()
        )

    def _hands_on(self, template: Template, routes: Sequence[Route]) -> bool:
        """Whether it is a function that gives the requests to another framework, whose routes lie below it."""
        frameworks = _frameworks(routes)
        below = f"{template.shape.rstrip('/')}/"
        return any(
            other.shape.startswith(below) and other.path != template.path and frameworks.isdisjoint(_frameworks(inner))
            for other, inner in self._routes.values()
        )

    def _methods(self, method: str, key: str) -> Sequence[str]:
        """Returns the methods of a route: `*` is all, unless routes of the same path have methods of their own."""
        if method == "HEAD":
            return () if ("GET", key) in self._routes else (method,)
        if method != "*":
            return (method,)
        has_own = any((own, key) in self._routes for own in ANY_METHODS)
        return () if has_own else ANY_METHODS


def _frameworks(routes: Iterable[Route]) -> set[str]:
    return {route.framework for route in routes}


def _key(template: Template) -> str:
    shape = template.shape.rstrip("/") or "/"
    return shape + "".join(f"\n{pattern}" for pattern in template.patterns.values())


def _has_below(path: str, paths: Sequence[str]) -> bool:
    """Whether an operation lies below a mounted function, which then most probably is middleware."""
    return any(one == path or one.startswith(f"{path}/") for one in paths)


def route_document(operations: Sequence[RoutedOperation], title: str = "") -> dict[str, Json]:
    """Returns an OpenAPI document with these operations."""
    paths: dict[str, dict[str, Json]] = {}
    for operation in operations:
        paths.setdefault(operation.template.path, {}).setdefault(operation.method.lower(), _described(operation))
    return {"openapi": "3.1.0", "info": {"title": title or "API", "version": "1"}, "paths": paths}


def _described(operation: RoutedOperation) -> dict[str, Json]:
    described: dict[str, Any] = {}
    parameters = [*_path_parameters(operation.template), *_header_parameters(operation.routes)]
    procedure = operation.routes[0].procedure
    if procedure is not None and procedure.kind == "query" and procedure.input != "none":
        parameters.append({"name": "input", "in": "query", "required": True, "content": _procedure_input(procedure)})
    if parameters:
        described["parameters"] = parameters
    if procedure is not None and procedure.kind == "mutation":
        described["requestBody"] = {"required": True, "content": _procedure_input(procedure)}
    described["responses"] = {}
    return described


def _procedure_input(procedure: Procedure) -> dict[str, Json]:
    """Returns the content that holds the input of a procedure, of which only the form is known.

    tRPC refuses mutations whose request says no content type, also those without input. Parsers of bodies in front of
    it may refuse what is no object or list, which most inputs are.
    """
    schema: dict[str, Json] = {"anyOf": [{"type": "object"}, {}]} if procedure.kind == "mutation" else {}
    if procedure.input == "none":
        schema = {"type": "object", "additionalProperties": False}
    elif procedure.input == "superjson":
        schema = {"type": "object", "properties": {"json": {}}, "required": ["json"]}
    return {"application/json": {"schema": schema}}


def _path_parameters(template: Template) -> list[Json]:
    parameters: list[Json] = []
    for part in template.path.split("{")[1:]:
        name = part.split("}", 1)[0]
        schema: dict[str, Json] = {"type": "string"}
        if name in template.patterns:
            schema["pattern"] = template.patterns[name]
        parameters.append({"name": name, "in": "path", "required": True, "schema": schema})
    if template.ends_in_wildcard and parameters and template.path.endswith("}"):
        parameters[-1]["allowReserved"] = True  # as from OpenAPI 3.2 on
    return parameters


def required_values(routes: Sequence[Route]) -> dict[str, tuple[tuple[str, ...], bool]]:
    """Returns the headers by which routes of one path differ: their values, and whether all routes require them."""
    values: dict[str, dict[str, None]] = {}
    for route in routes:
        for name, value in route.requires.items():
            values.setdefault(name, {})[value] = None
    return {name: (tuple(wanted), all(name in route.requires for route in routes)) for name, wanted in values.items()}


def _header_parameters(routes: Sequence[Route]) -> list[Json]:
    # `Host` cannot be declared; operations get it afterwards (required_headers.py).
    return [
        {"name": name, "in": "header", "required": is_required, "schema": {"type": "string", "enum": list(wanted)}}
        for name, (wanted, is_required) in required_values(routes).items()
        if name.lower() != "host"
    ]
