"""Adds what the routes of the running SUT say to the API's description, or makes the description from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec

from wimble.engine.boot.documentation_pages import without_documentation_pages
from wimble.execute.sut.served_api import ServedApi
from wimble.http.binding import binding_of
from wimble.model.operation import Specification
from wimble.model.routes import LeftOutRoute, PathPart, RegisteredOperation, Route, RouteFindings
from wimble.spec.merged_specifications import merged
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.spec.routes.left_out_routes import MOUNTED, is_health_check
from wimble.spec.routes.nested_collections import nested_collections
from wimble.spec.routes.required_headers import told_headers, with_required_headers
from wimble.spec.routes.route_comparison import compared
from wimble.spec.routes.route_operations import RoutedOperation, RoutedOperations, route_document, routed_operations
from wimble.spec.routes.superseded_routes import is_mount_unknown, older_versions, without_unmounted

SHOWN: Final = 5
"""Maximum number of routes that a note names."""
MAX_ASKED: Final = 50
"""Maximum number of mounted functions that are called."""
FIRST_ERROR: Final = 400
"""The lowest status of errors."""
OWN_DOCUMENT: Final = "document"
"""The `framework` of the route of a document that the SUT serves, if no framework has told it."""


def specification_from_routes(
    api: ServedApi, explored: Callable[[], Sequence[Route]], *, is_port_chosen: bool
) -> Specification | None:
    """Returns a description made of the routes of the SUT, or None if it has none.

    Turns to the server with most of the routes, unless the user has chosen a port.

    explored: finds the routes of a program without a router.
    """
    _update_routes(api)
    if not is_port_chosen:
        _turn_to_most_routes(api)
    routed = routed_operations(_routes_at(api))
    if not routed.operations:
        routed = routed_operations([*_routes_at(api), *explored()])
    if not routed.operations:
        return None
    older = older_versions(routed.operations)
    operations = [one for one in routed.operations if one.id not in older]
    operations += _nested(api, operations)
    frameworks = dict.fromkeys(route.framework for one in operations for route in one.routes)
    return msgspec.structs.replace(
        _specification_of(operations, f"routes of {' and '.join(frameworks)}"),
        kind="routes",
        routes=RouteFindings(
            registered=tuple(one.registered for one in operations),
            left_out=(*routed.left_out, *older.values(), *_of_other_servers(api, routed)),
        ),
    )


def says_little(specification: Specification) -> bool:
    """Whether a description consists of a root, health checks and the like, as that of a server beside the API's."""
    return all(is_health_check(one.group) or one.group in ("/", "/metrics") for one in specification.operations)


def with_routes(specification: Specification, api: ServedApi) -> Specification:
    """Returns the description of a document with the routes that the document lacks.

    A document that the SUT serves itself is an operation as well.
    """
    _update_routes(api)
    own = document_path(specification.source, api.base_url)
    routes = _routes_at(api)
    routed = routed_operations([*routes, *_own_document(own, routes)])
    if lacking := compared(specification.operations, routed).undocumented:
        routed = without_documentation_pages(routed, lacking, own, api.fetch)
    comparison = compared(specification.operations, routed)
    older = older_versions(routed.operations)
    undocumented = [one for one in comparison.undocumented if one.id not in older]
    left_out = [older[one.id] for one in comparison.undocumented if one.id in older]
    findings = RouteFindings(
        registered=tuple(one.registered for one in routed.operations if one.id not in older),
        undocumented=tuple(one.registered for one in undocumented if one.template.path not in own),
        unserved=comparison.unserved,
        left_out=(*_undocumented_only(specification, routed), *left_out),
        own_documents=tuple(one.id for one in undocumented if one.template.path in own),
    )
    operations = with_required_headers(specification.operations, routed.operations)
    warnings = (*specification.warnings, *told_headers(specification.operations, operations))
    described = msgspec.structs.replace(specification, operations=operations, routes=findings, warnings=warnings)
    if not undocumented:
        return described
    added = _specification_of(undocumented, specification.source)
    joined = merged([described, added])
    return msgspec.structs.replace(
        joined, source=specification.source, version=specification.version, warnings=warnings
    )


def joining_operations(described: Specification, api: ServedApi) -> Specification:
    """Returns the operations of routes that a description lacks, with what is then known from routes."""
    routed = routed_operations(_routes_at(api))
    left_out = {*(one.path for one in described.routes.left_out), *older_versions(routed.operations)}
    undocumented = [one for one in compared(described.operations, routed).undocumented if one.id not in left_out]
    if not undocumented:
        return msgspec.structs.replace(described, operations=())
    registered, known = tuple(one.registered for one in undocumented), described.routes
    return msgspec.structs.replace(
        _specification_of(undocumented, described.source),
        routes=msgspec.structs.replace(
            known,
            registered=(*known.registered, *registered),
            undocumented=(*known.undocumented, *registered) if described.kind == "openapi" else (),
        ),
    )


def notes_on_routes(specification: Specification, shown_path: str = "") -> list[str]:
    """Returns what is worth telling the user. shown_path: the folder that is left out in front of files."""
    findings = specification.routes
    notes = []
    if findings.undocumented:
        notes.append(
            f"{_counted(len(findings.undocumented), 'route is', 'routes are')} not in the document and joined the "
            f"search: {_named(findings.undocumented, shown_path)}"
        )
    if findings.unserved:
        more = f" and {len(findings.unserved) - SHOWN} more" if len(findings.unserved) > SHOWN else ""
        notes.append(
            f"{_counted(len(findings.unserved), 'operation', 'operations')} of the document "
            f"{'is' if len(findings.unserved) == 1 else 'are'} served by no route: "
            f"{', '.join(findings.unserved[:SHOWN])}{more}"
        )
    reasons: dict[str, list[LeftOutRoute]] = {}
    called = {binding_of(operation).path.rstrip("/") for operation in specification.operations}
    for one in findings.left_out:
        if one.reason != MOUNTED or one.path.rstrip("/") not in called:  # else it is the GraphQL endpoint
            reasons.setdefault(one.reason, []).append(one)
    for reason, left in reasons.items():
        notes.append(f"left out of the search ({reason}): {_named(left, shown_path)}")
    return notes


def document_path(source: str, base_url: str) -> tuple[str, ...]:
    """Returns the paths on the SUT of the documents that make up a description."""
    return tuple(
        urlsplit(one).path for one in source.split(", ") if one.startswith(f"{base_url}/") and " and " not in one
    )


def _specification_of(operations: Sequence[RoutedOperation], source: str) -> Specification:
    loaded = load_openapi(route_document(operations), source)
    return msgspec.structs.replace(loaded, operations=with_required_headers(loaded.operations, operations), version="")


def _own_document(paths: Sequence[str], routes: Sequence[Route]) -> list[Route]:
    """Returns routes for documents that the SUT serves by other means than a framework's route."""
    known = {"".join(part.text for part in route.path).rstrip("/") for route in routes}
    return [Route(OWN_DOCUMENT, ("GET",), (PathPart(path),)) for path in paths if path.rstrip("/") not in known]


def _update_routes(api: ServedApi) -> None:
    """Updates the routes, and calls functions that are mounted once: they may load routes when they are asked first.

    Where a function hands requests on to another framework, its call shows below which path that one's routes are.
    """
    api.update_routes()
    routes = _routes_at(api)
    routed = routed_operations(routes)
    mounted = [one.path for one in routed.left_out if one.reason == MOUNTED and one.path[:1] == "/"]
    if any(is_mount_unknown(route) for route in routes):
        mounted += [one.template.path for one in routed.operations if any(map(_may_hand_on, one.routes))]
    asked = [path for path in dict.fromkeys(mounted) if "{" not in path][:MAX_ASKED]
    for path in asked:
        api.fetch(path)
    if asked:
        api.update_routes()


def _nested(api: ServedApi, operations: Sequence[RoutedOperation]) -> list[RoutedOperation]:
    """Returns the operations on collections below things of others that the SUT answers other than unknown ones."""
    found: list[RoutedOperation] = []
    for nested in nested_collections(operations):
        answer, unknown = api.fetch(nested.asked), api.fetch(nested.unknown)
        if answer is not None and unknown is not None and answer.status < FIRST_ERROR <= unknown.status:
            found += nested.operations
    return found


def _may_hand_on(route: Route) -> bool:
    return route.takes_any_method and not is_mount_unknown(route)


def _routes_at(api: ServedApi) -> list[Route]:
    """Returns the routes of the server that is in use, as far as it is known which server has them."""
    return without_unmounted([route for route in api.routes if route.port is None or route.port == api.port])


def _of_other_servers(api: ServedApi, routed: RoutedOperations) -> tuple[LeftOutRoute, ...]:
    """Returns the routes of the SUT's other servers: a run searches one of them."""
    searched = {one.registered.operation for one in routed.operations}
    found = []
    for port in sorted({route.port for route in api.routes if route.port not in (None, api.port)} & set(api.ports)):
        others = routed_operations([route for route in api.routes if route.port == port])
        reason = f"on another server of the program; --port {port} searches that one"
        found += [
            LeftOutRoute(one.registered.operation, reason, one.registered.file, one.registered.line)
            for one in others.operations
            if one.registered.operation not in searched
        ]
    return tuple(found)


def _turn_to_most_routes(api: ServedApi) -> None:
    counts = Counter(route.port for route in api.routes if route.port is not None and not route.is_mount)
    best = max(api.ports, key=lambda port: counts[port], default=api.port)
    if counts[best] > counts[api.port]:
        api.use_port(best)


def _undocumented_only(specification: Specification, routed: RoutedOperations) -> tuple[LeftOutRoute, ...]:
    documented = {operation.id for operation in specification.operations}
    return tuple(one for one in routed.left_out if one.path not in documented)


def _counted(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _named(found: Sequence[RegisteredOperation] | Sequence[LeftOutRoute], folder: str) -> str:
    shown = []
    for one in found[:SHOWN]:
        name = one.operation if isinstance(one, RegisteredOperation) else one.path
        place = f" ({one.file.removeprefix(f'{folder}/')}:{one.line})" if one.file else ""
        shown.append(f"{name}{place}")
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(shown) + more
