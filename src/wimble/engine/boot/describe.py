"""Loads an API description that the user named: a file, a URL, or a path on the SUT."""

from __future__ import annotations

import urllib.error
from collections.abc import Sequence
from pathlib import Path

from wimble.engine.boot.read_document import Overlay, read_file, read_url, specification_of
from wimble.errors import SchemaError, UsageError
from wimble.model.operation import Specification
from wimble.spec.graphql.schema_texts import (
    DEFAULT_PATH,
    SDL_SUFFIXES,
    introspection_in,
    looks_like_sdl,
    operations_of_introspection,
    operations_of_sdl,
)
from wimble.spec.loading.document_text import decoded, load_text
from wimble.spec.loading.external_references import Read

NO_DOCUMENT = "none"
"""As `--schema`: documents that exist are ignored, and the routes of the running program describe the API."""
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


def is_file(schema: str) -> bool:
    """Whether it names a file, which may not exist."""
    return schema != NO_DOCUMENT and not is_url(schema) and not is_on_sut(schema)


def ignores_documents(schemas: Sequence[str], *, has_command: bool) -> bool:
    """Whether the user wants no document to be used. Raises: UsageError, if that cannot be."""
    if NO_DOCUMENT not in schemas:
        return False
    if len(schemas) > 1:
        raise UsageError(
            "schema-none",
            f"`{NO_DOCUMENT}` and {len(schemas) - 1} other documents contradict each other",
            where="--schema",
            hint=f"Name the documents alone; a file that is called {NO_DOCUMENT} is ./{NO_DOCUMENT}.",
        )
    if not has_command:
        raise UsageError(
            "schema-none",
            "a server that is tested from outside has to have a document: its routes cannot be seen",
            where=f"--schema {NO_DOCUMENT}",
            hint="Let wimble start the program, with its command after `--`, or name the document.",
        )
    return True


def ready_path(schemas: Sequence[str]) -> str:
    """Returns the path on the SUT that is served once the API is ready, or an empty string if none is known."""
    return next((schema for schema in schemas if is_on_sut(schema)), "")


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
    return load_content(content, schema, base_path, read=read_file, overlays=overlays)


def load_content(
    content: bytes, source: str, base_path: str, *, read: Read, overlays: tuple[Overlay, ...] = ()
) -> Specification:
    """Loads a description from the content of a file or an answer.

    read: reads the other documents to which it refers.

    Raises: SchemaError.
    """
    notes: list[str] = []
    if source.endswith(SDL_SUFFIXES) or looks_like_sdl(content[:LOOKED_AT_BYTES].decode("utf-8", "replace")):
        return operations_of_sdl(decoded(content, source), source, base_path or DEFAULT_PATH)
    document = load_text(content, source, notes)
    introspection = introspection_in(document)
    if introspection is not None:
        return operations_of_introspection(introspection, source, base_path or DEFAULT_PATH)
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
    return load_content(content, url, base_path, read=read_url, overlays=overlays)


def _nearest_files(path: Path) -> tuple[str, ...]:
    """Lists documents in the folder of the file that was not found."""
    folder = path.parent
    if not folder.is_dir():
        return (f"the folder {folder} does not exist",)
    names = sorted(entry.name for entry in folder.iterdir() if entry.suffix in (".json", ".yaml", ".yml"))
    return (f"in {folder}: {', '.join(names[:6])}",) if names else ()
