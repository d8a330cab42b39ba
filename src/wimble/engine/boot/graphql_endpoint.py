"""Finds the GraphQL endpoint of a running SUT, and its schema by introspection, else in the project."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from wimble.errors import SchemaError
from wimble.execute.sut.served_api import ServedApi
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Specification
from wimble.spec.graphql.endpoint_calls import (
    ENDPOINT_PATHS,
    introspection_of,
    introspection_request,
    is_graphql_answer,
    question,
    refusal_of,
)
from wimble.spec.graphql.schema_texts import mounted_at, operations_of_introspection, operations_of_sdl
from wimble.spec.loading.discovery import SDL_FILE_NAME, find_schema_files
from wimble.spec.loading.document_text import decoded

MAX_FILES: Final = 50
"""Maximum number of SDL files that are tried: a project may hold hundreds of client queries."""


def discover_graphql(api: ServedApi, mounted: str = "", project_dir: Path | None = None) -> Specification | None:
    """Returns the API of the first GraphQL endpoint on any of the SUT's servers, or None if there is no endpoint.

    mounted: a path that the user named. project_dir: where a schema is looked for if the endpoint refuses
    introspection.

    Raises: SchemaError, if there is an endpoint, but no schema is found.
    """
    path = find_endpoint(api, mounted)
    if path is None:
        return None
    try:
        return introspected(api.ask(introspection_request(path)), api.base_url + path, path)
    except SchemaError:
        found = None if project_dir is None else _in_project(project_dir, path)
        if found is None:
            raise
        return found


def _in_project(project_dir: Path, path: str) -> Specification | None:
    """Returns the schema of the project's only file that holds a complete schema.

    Returns None if there are several such files, or none.
    """
    found = []
    for file in find_schema_files(project_dir, SDL_FILE_NAME)[:MAX_FILES]:
        try:
            found.append(operations_of_sdl(decoded(file.read_bytes(), str(file)), str(file), path))
        except (SchemaError, OSError):
            continue  # a client's queries, or a part of a schema
    return found[0] if len(found) == 1 else None


def introspected(response: HttpResponse | None, source: str, path: str) -> Specification:
    """Raises: SchemaError, if the answer holds no schema."""
    introspection = introspection_of(response)
    if introspection is None:
        raise SchemaError(
            "graphql-no-introspection",
            f"the GraphQL endpoint {source} refuses introspection",
            details=(f"it says: {refusal_of(response)}",),
            hint="Give the schema as a file (--schema schema.graphql), or allow introspection while testing (Apollo: "
            "`introspection: true`, or NODE_ENV other than production).",
        )
    return operations_of_introspection(introspection, source, path)


def find_endpoint(api: ServedApi, mounted: str = "") -> str | None:
    """Returns the first path that answers like a GraphQL endpoint, or None.

    Switches the SUT to the port of that path.
    """
    paths = [mounted] if mounted else []
    paths += [mounted + path for path in ENDPOINT_PATHS]
    current, *others = api.ports
    for port in (current, *others):
        for path in paths:
            response = api.ask(question(path), port=port)
            if response is None:
                break
            if is_graphql_answer(response):
                if port != current:
                    api.use_port(port)
                return path
    return None


def at_endpoint(specification: Specification, api: ServedApi, mounted: str = "") -> Specification:
    """Returns a specification from a schema file with the path at which the SUT serves it.

    Raises: SchemaError, if no path of the SUT answers like a GraphQL endpoint.
    """
    path = find_endpoint(api, mounted)
    if path is not None:
        return mounted_at(specification, path)
    raise SchemaError(
        "graphql-no-endpoint",
        f"no GraphQL endpoint was found on {api.base_url}",
        where=specification.source,
        details=(f"asked {', '.join(ENDPOINT_PATHS)}",),
        hint="Name the endpoint with --schema URL instead, such as http://127.0.0.1:3000/my/graphql.",
    )
