"""Compares the routes of the SUT with the operations of its document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from wimble.http.binding import HttpBinding, binding_of
from wimble.model.operation import Operation
from wimble.spec.routes.path_templates import Template
from wimble.spec.routes.route_operations import RoutedOperation, RoutedOperations
from wimble.types import OperationId

CERTAIN_SHARE: Final = 0.5
"""Share of the documented operations that routes have to serve, before the others count as served by none: otherwise
paths differ in a prefix, or other servers share the document.
"""


class Comparison(msgspec.Struct, frozen=True):
    """The routes that the document lacks, and the documented operations that no route serves."""

    undocumented: tuple[RoutedOperation, ...]
    unserved: tuple[str, ...]


def compared(documented: Sequence[Operation], routed: RoutedOperations) -> Comparison:
    """Compares by method and path; names of parameters do not matter."""
    bindings = {operation.id: binding_of(operation) for operation in documented}
    known = {(binding.method, path_shape(binding.path)) for binding in bindings.values()}
    endpoints = {path_shape(binding.path) for binding in bindings.values() if binding.graphql}
    exact = {(one.method, path_shape(one.template.path)) for one in routed.operations}
    others = [
        binding
        for binding in bindings.values()
        if not binding.graphql and (binding.method, path_shape(binding.path)) not in exact
    ]
    wide = [one for one in routed.operations if "{" in one.template.path]
    serving = {one.id for one in wide if any(_serves(one.template, one.method, binding) for binding in others)}
    undocumented = tuple(
        one
        for one in routed.operations
        if (one.method, path_shape(one.template.path)) not in known
        and path_shape(one.template.path) not in endpoints
        and one.id not in serving
    )
    return Comparison(undocumented, _unserved(bindings, routed, exact, wide))


def _unserved(
    bindings: dict[OperationId, HttpBinding],
    routed: RoutedOperations,
    exact: set[tuple[str, str]],
    wide: Sequence[RoutedOperation],
) -> tuple[str, ...]:
    unserved = []
    for name, binding in bindings.items():
        is_served = (
            bool(binding.graphql)
            or (binding.method, path_shape(binding.path)) in exact
            or (binding.method == "HEAD" and ("GET", path_shape(binding.path)) in exact)
            or binding.method in ("OPTIONS", "TRACE")
            or any(_serves(one.template, one.method, binding) for one in wide)
            or any(_is_below(mount, binding.path) for mount in routed.mounts)
        )
        if not is_served:
            unserved.append(name)
    return tuple(unserved) if len(unserved) < CERTAIN_SHARE * len(bindings) else ()


def path_shape(path: str) -> str:
    """Returns the path without the names of its parameters, in lower case."""
    return re.sub(r"\{[^{}]*\}", "{}", path).rstrip("/").lower() or "/"


def _serves(template: Template, method: str, binding: HttpBinding) -> bool:
    """Whether a route with parameters serves a documented path that has texts or parameters in their places."""
    if method != binding.method:
        return False
    written = "".join(
        ("[^/]+" if not template.ends_in_wildcard else ".+") if part == "{}" else re.escape(part)
        for part in re.split(r"(\{\})", template.shape.rstrip("/"))
    )
    return re.fullmatch(written, re.sub(r"\{[^{}]*\}", "x", binding.path).rstrip("/"), re.IGNORECASE) is not None


def _is_below(mount: Template, path: str) -> bool:
    """Whether a path lies where a mounted function serves what is not known."""
    start = path_shape(mount.path.rsplit("/", 1)[0] if mount.ends_in_wildcard else mount.path)
    shape = path_shape(path)
    return start == "/" or shape == start or shape.startswith(f"{start}/")
