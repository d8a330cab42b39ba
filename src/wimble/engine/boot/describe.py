"""Finds and loads the API's description.

The sources are, in this order: what the user named, well-known paths of the SUT, files of the project.
"""

from __future__ import annotations

import urllib.error
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from wimble.engine.boot.read_document import Overlay, read_file, read_from, read_url, specification_of
from wimble.errors import SchemaError
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Specification
from wimble.spec.graphql.graphql_schema import (
    SDL_SUFFIXES,
    introspection_in,
    looks_like_sdl,
    schema_of_introspection,
    schema_of_sdl,
)
from wimble.spec.graphql.root_fields import DEFAULT_PATH, load_graphql
from wimble.spec.loading.discovery import (
    WELL_KNOWN_PATHS,
    find_schema_files,
    looks_like_openapi,
    schema_in_script,
    schema_links_in_html,
)
from wimble.spec.loading.document_text import decoded, load_text
from wimble.spec.loading.external_references import Read

Fetch = Callable[..., HttpResponse | None]
"""Returns the response for a path on the SUT, or None if the SUT does not answer."""

MAX_PATHS = 100
"""Maximum number of paths that are tried. After that, redirects are not followed."""
LOOKED_AT_BYTES = 20_000
"""Number of bytes that are read to recognise a schema in SDL if the file's name does not tell."""


def is_url(schema: str) -> bool:
    """Whether it is an http(s) URL."""
    return schema.startswith(("http://", "https://"))


def is_on_sut(schema: str) -> bool:
    """Whether `schema` is a path on the SUT, such as `/v4/openapi.json`.

    It is not if there is such a file, or if the file's folder exists, since then the user most likely meant a file.
    """
    path = Path(schema)
    return (
        schema.startswith("/") and not path.exists() and (path.parent == path.parents[-1] or not path.parent.is_dir())
    )


def ready_path(schema: str | None) -> str:
    """Returns the path on the SUT that is served once the API is ready, or an empty string if none is known."""
    return schema if schema and is_on_sut(schema) else ""


def load_from_file(schema: str, base_path: str = "", overlays: tuple[Overlay, ...] = ()) -> Specification:
    """Loads a description from a file.

    base_path: where the API is mounted, if the document does not say.

    Raises: SchemaError, if the file cannot be read or used.
    """
    path = Path(schema)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SchemaError(
            "schema-unreadable",
            f"{schema} cannot be read: {error.strerror}",
            where="--schema",
            details=_nearest_files(path),
            hint=(
                "Name an OpenAPI document in JSON or YAML, or a GraphQL schema, as a file, a URL or a path on the SUT."
            ),
        ) from error
    return _load(content, schema, base_path, read_file, overlays)


def _load(content: bytes, source: str, base_path: str, read: Read, overlays: tuple[Overlay, ...]) -> Specification:
    notes: list[str] = []
    if source.endswith(SDL_SUFFIXES) or looks_like_sdl(content[:LOOKED_AT_BYTES].decode("utf-8", "replace")):
        return load_graphql(schema_of_sdl(decoded(content, source), source), source, base_path or DEFAULT_PATH)
    document = load_text(content, source, notes)
    introspection = introspection_in(document)
    if introspection is not None:
        return load_graphql(schema_of_introspection(introspection, source), source, base_path or DEFAULT_PATH)
    return specification_of(document, source, base_path, read=read, overlays=overlays, notes=notes)


def load_from_url(url: str, base_path: str = "", overlays: tuple[Overlay, ...] = ()) -> Specification:
    """Raises: SchemaError, if the server does not answer with a usable document."""
    try:
        content = read_url(url)
    except urllib.error.HTTPError as error:
        raise SchemaError(
            "schema-unreachable", f"{url} answers {error.code} {error.reason}", where="--schema"
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise SchemaError(
            "schema-unreachable",
            f"{url} cannot be fetched: {reason}",
            where="--schema",
            hint="Is the server running, and is the address right?",
        ) from error
    return _load(content, url, base_path, read_url, overlays)


def discover_on(
    fetch: Fetch,
    base_url: str,
    refused: list[str] | None = None,
    base_path: str = "",
    overlays: tuple[Overlay, ...] = (),
) -> Specification | None:
    """Returns the first usable document at a well-known path, or None.

    Adds to `refused` why other documents are unusable.
    """
    for path, document in _documents_on(fetch, base_path):
        try:
            read = read_from(fetch, base_url)
            return specification_of(document, base_url + path, base_path, read=read, overlays=overlays)
        except SchemaError as error:
            if refused is not None:
                refused.append(f"{path}: {error.what}")
    return None


def discover(
    fetch: Fetch,
    base_url: str,
    project_dir: Path | None,
    base_path: str = "",
    overlays: tuple[Overlay, ...] = (),
) -> Specification:
    """Returns the first usable description at a well-known path of the running SUT, else in a file of the project.

    base_path: where the user says that the API is mounted (the path of `--url`).

    Raises: SchemaError, if nothing is found. The error lists what was tried and which documents are unusable.
    """
    refused: list[str] = []
    found = discover_on(fetch, base_url, refused, base_path, overlays)
    if found is not None:
        return found
    for file in find_schema_files(project_dir) if project_dir is not None else []:
        try:
            document = load_text(file.read_bytes(), str(file))
            if looks_like_openapi(document):
                return specification_of(document, str(file), read=read_file, overlays=overlays)
            refused.append(f"{file}: not an OpenAPI document")
        except (SchemaError, OSError) as error:
            refused.append(f"{file}: {error}")
    where = f" and files such as openapi.yaml below {project_dir}" if project_dir is not None else ""
    raise SchemaError(
        "schema-not-found",
        f"no OpenAPI document and no GraphQL endpoint was found on {base_url}",
        details=(
            f"tried {', '.join(WELL_KNOWN_PATHS[:6])}, ... ({len(WELL_KNOWN_PATHS)} paths){where}",
            *refused[:8],
        ),
        hint="Name it with --schema FILE or --schema URL.",
    )


def _documents_on(fetch: Fetch, base_path: str = "") -> Iterator[tuple[str, object]]:
    tried: set[str] = set()
    pending = [base_path + path for path in WELL_KNOWN_PATHS] + (list(WELL_KNOWN_PATHS) if base_path else [])
    while pending:
        path = pending.pop(0)
        if path in tried:
            continue
        tried.add(path)
        response = fetch(path)
        if response is None:
            return
        if 300 <= response.status < 400:
            location = response.header("location") or ""
            if location.startswith("/") and len(tried) < MAX_PATHS:
                pending.insert(0, location)
        elif response.status == 200:
            document, links = _read(response, path)
            if document is not None:
                yield path, document
            pending[:0] = links


def _read(response: HttpResponse, path: str) -> tuple[object | None, Sequence[str]]:
    """Returns the API description in an answer, or None, and the paths of other documents that the answer names."""
    if "html" in response.media_type or response.body[:1] == b"<":
        return None, schema_links_in_html(response.body.decode("utf-8", "replace"), path)
    if path.endswith(".js"):
        script = response.body.decode("utf-8", "replace")
        return schema_in_script(script), schema_links_in_html(script, path)
    try:
        document = load_text(response.body, path)
    except SchemaError:
        return None, ()
    return (document if looks_like_openapi(document) else None), ()


def _nearest_files(path: Path) -> tuple[str, ...]:
    """Lists documents in the folder of the file that was not found."""
    folder = path.parent
    if not folder.is_dir():
        return (f"the folder {folder} does not exist",)
    names = sorted(entry.name for entry in folder.iterdir() if entry.suffix in (".json", ".yaml", ".yml"))
    return (f"in {folder}: {', '.join(names[:6])}",) if names else ()
