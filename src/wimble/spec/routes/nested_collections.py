"""Collections below things of others, which a route serves with parameters alone: `/{parent}/{id}/{child}` beside
`/posts`, `/posts/{id}` and `/comments`, `/comments/{id}` serves `/posts/{id}/comments`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import msgspec

from wimble.spec.routes.path_templates import Template
from wimble.spec.routes.route_operations import RoutedOperation

MAX_PAIRS: Final = 30
"""Maximum number of pairs of collections, each of which costs a request."""
SOME_ID: Final = "1"
NO_COLLECTION: Final = "no-collection"
"""A name that no collection has."""


class NestedCollection(msgspec.Struct, frozen=True):
    """Operations that may be served, and the paths of two requests that are answered differently if they are."""

    operations: tuple[RoutedOperation, ...]
    asked: str
    unknown: str


def nested_collections(operations: Sequence[RoutedOperation]) -> list[NestedCollection]:
    """Returns what routes with a parent, an id and a child as parameters may serve, in order of the collections."""
    known = {(one.method, one.template.shape) for one in operations}
    found: list[NestedCollection] = []
    for prefix, wide in _wide(operations).items():
        for parent, child in permutations(_collections(operations, prefix), 2):
            nested = tuple(
                one
                for one in (_nested(served, prefix, parent, child) for served in wide)
                if (one.method, one.template.shape) not in known
            )
            if nested and len(found) < MAX_PAIRS:
                below = f"{prefix}/{parent}/{SOME_ID}/"
                found.append(NestedCollection(nested, below + child, below + NO_COLLECTION))
    return found


def _wide(operations: Sequence[RoutedOperation]) -> dict[str, list[RoutedOperation]]:
    """Returns the operations whose path ends in a parent, an id and a child, by what is in front of these."""
    wide: dict[str, list[RoutedOperation]] = {}
    for one in operations:
        shape = one.template.shape.rstrip("/")
        prefix = shape.removesuffix("/{}/{}/{}")
        if prefix != shape and "{" not in prefix and not one.template.ends_in_wildcard and not one.template.patterns:
            wide.setdefault(prefix, []).append(one)
    return wide


def _collections(operations: Sequence[RoutedOperation], prefix: str) -> list[str]:
    """Returns the names that are read at once and thing by thing."""
    read = {one.template.shape.rstrip("/") for one in operations if one.method == "GET"}
    names = (path.removeprefix(f"{prefix}/") for path in sorted(read) if path.startswith(f"{prefix}/"))
    return [name for name in names if name and not {"/", "{"} & set(name) and f"{prefix}/{name}/{{}}" in read]


def _nested(wide: RoutedOperation, prefix: str, parent: str, child: str) -> RoutedOperation:
    thing = wide.template.path.rstrip("/").split("/")[-2]
    return msgspec.structs.replace(wide, template=Template(f"{prefix}/{parent}/{thing}/{child}"))
