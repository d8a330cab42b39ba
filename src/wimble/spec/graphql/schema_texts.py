"""Recognises GraphQL schemas, as texts and as answers, and makes operations of them.

graphql-core is imported with the first schema, since that takes a fifth of the time in which a run starts.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from wimble.http.binding import binding_of, bound
from wimble.model.operation import Specification
from wimble.types import Json

DEFAULT_PATH = "/graphql"
SDL_SUFFIXES = (".graphql", ".gql", ".graphqls", ".sdl")
_SDL = re.compile(
    r'(?:\s|#[^\n]*|,|"""(?:[^"]|"(?!""))*"""|"[^"\n]*")*'
    r"(?:extend\s+)?(?:schema\s*[@{]|(?:type|input|enum|interface|union|scalar)\s+\w+|directive\s+@)"
)


def looks_like_sdl(text: str) -> bool:
    """Whether the text starts with a definition in GraphQL's schema language."""
    return _SDL.match(text.removeprefix("\ufeff")) is not None


def introspection_in(document: Json) -> dict[str, Any] | None:
    """Returns the introspection in a JSON document, bare or as answered (`{"data": {"__schema": ...}}`), or None."""
    for holder in (document, document.get("data") if isinstance(document, dict) else None):
        if isinstance(holder, dict) and isinstance(holder.get("__schema"), dict):
            return holder
    return None


def operations_of_sdl(text: str, source: str, path: str) -> Specification:
    """Returns the operations of a schema; all are sent to `path`.

    Raises: SchemaError, with line and column if the text is not a usable schema.
    """
    from wimble.spec.graphql.graphql_schema import schema_of_sdl
    from wimble.spec.graphql.root_fields import load_graphql

    return load_graphql(schema_of_sdl(text, source), source, path)


def operations_of_introspection(introspection: dict[str, Any], source: str, path: str) -> Specification:
    """Returns the operations of a schema; all are sent to `path`.

    Raises: SchemaError, if the introspection is not a usable schema.
    """
    from wimble.spec.graphql.graphql_schema import schema_of_introspection
    from wimble.spec.graphql.root_fields import load_graphql

    return load_graphql(schema_of_introspection(introspection, source), source, path)


def mounted_at(specification: Specification, path: str) -> Specification:
    """Returns the same operations, sent to another path."""
    operations = tuple(
        bound(
            msgspec.structs.replace(binding_of(one), path=path),
            id=one.id,
            resource=one.resource,
            provides=one.provides,
            needs=one.needs,
        )
        for one in specification.operations
    )
    return msgspec.structs.replace(specification, operations=operations)
