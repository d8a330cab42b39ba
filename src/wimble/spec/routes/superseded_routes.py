"""Routes whose place others take: those that were told before it was known where they are mounted, and those of older
versions of an API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from wimble.model.routes import LeftOutRoute, Route
from wimble.spec.routes.route_operations import RoutedOperation

MAX_VERSIONS: Final = 3
"""Maximum number of versions of one operation that are all searched: more of them run the same code again and again."""
OLD_VERSION: Final = "an older version of an operation that is registered at the same place"

_LATE_FRAMEWORKS: Final = frozenset({"openapi-backend"})
"""Frameworks whose routes are told before it is known where the program mounts them, with a path of one part."""
_VERSION: Final = re.compile(r"v?(\d{1,6}(?:[._-]\d{1,6}){0,3})", re.IGNORECASE)


def without_unmounted(routes: Sequence[Route]) -> list[Route]:
    """Returns the routes without those that have been told again since, with the path at which they are mounted."""
    mounted: dict[tuple[str, str, int, tuple[str, ...]], set[str]] = {}
    for route in routes:
        if len(route.path) > 1 and route.framework in _LATE_FRAMEWORKS:
            mounted.setdefault(_place(route), set()).add(route.path[-1].text)
    return [
        route
        for route in routes
        if len(route.path) != 1 or not any(map(route.path[0].text.endswith, mounted.get(_place(route), ())))
    ]


def is_mount_unknown(route: Route) -> bool:
    """Whether a function of the program may serve the route below another path."""
    return route.framework in _LATE_FRAMEWORKS and len(route.path) == 1


def older_versions(operations: Iterable[RoutedOperation]) -> dict[str, LeftOutRoute]:
    """Returns, by their ids, the operations that are older versions of others (`/v1/pads` of `/v2/pads`).

    Versions belong together if they were registered at the same place, as by a loop over them.
    """
    versions: dict[tuple[str, str, int, str], list[tuple[tuple[int, ...], RoutedOperation]]] = {}
    for one in operations:
        version, path = _versioned(one.template.shape)
        registered = one.registered
        if version and registered.file:
            versions.setdefault((one.method, registered.file, registered.line, path), []).append((version, one))
    return {
        one.id: LeftOutRoute(one.id, OLD_VERSION, one.registered.file, one.registered.line)
        for alike in versions.values()
        if len(alike) > MAX_VERSIONS
        for _, one in sorted(alike, key=lambda pair: pair[0])[:-1]
    }


def _place(route: Route) -> tuple[str, str, int, tuple[str, ...]]:
    return route.framework, route.file, route.line, route.methods


def _versioned(path: str) -> tuple[tuple[int, ...], str]:
    """Returns the version that the first fitting segment of a path names, and the path without it."""
    segments = path.split("/")
    for at, segment in enumerate(segments):
        named = _VERSION.fullmatch(segment)
        if named is not None:
            numbers = tuple(int(number) for number in re.split(r"[._-]", named[1]))
            return numbers, "/".join([*segments[:at], "{version}", *segments[at + 1 :]])
    return (), path
