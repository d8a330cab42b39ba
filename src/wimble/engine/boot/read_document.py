"""Builds a specification from a document.

It applies overlays, resolves references to other documents, and reads the operations.
"""

from __future__ import annotations

import ssl
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Specification
from wimble.spec.loading.document_text import load_file
from wimble.spec.loading.external_references import Read, bundled
from wimble.spec.loading.overlays import with_overlay
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.types import Json

MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
FETCH_TIMEOUT_S = 20.0

Overlay: TypeAlias = tuple[str, Json]
"""The name of the overlay's file, and its content."""


def read_overlays(paths: tuple[str, ...]) -> tuple[Overlay, ...]:
    """Raises: SchemaError, if an overlay cannot be read."""
    return tuple((path, load_file(Path(path))) for path in paths)


def specification_of(
    document: Json,
    source: str,
    base_path: str = "",
    *,
    read: Read,
    overlays: tuple[Overlay, ...] = (),
    notes: list[str] | None = None,
) -> Specification:
    """Builds the specification of a document, with `overlays` applied.

    read: reads the other documents to which it refers. notes: receives what is worth telling the user.

    Raises: SchemaError.
    """
    told = notes if notes is not None else []
    for name, overlay in overlays:
        document = with_overlay(document, overlay, name, told)
    document = bundled(document, source, read, told)
    return load_openapi(document, source, base_path, notes=tuple(told))


def read_file(location: str) -> bytes:
    """Returns the content of a file.

    Raises: OSError; ValueError, if the file is too large.
    """
    path = Path(location)
    if path.stat().st_size > MAX_DOCUMENT_BYTES:
        raise ValueError("too large for an API description")
    return path.read_bytes()


def read_url(url: str) -> bytes:
    """Raises: OSError or ValueError."""
    context = ssl.create_default_context()
    if urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1"):
        # A local server has a self-signed certificate, if any.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    request = urllib.request.Request(url, headers={"Accept": "application/json, application/yaml, */*"})
    with urllib.request.urlopen(request, timeout=FETCH_TIMEOUT_S, context=context) as response:
        content: bytes = response.read(MAX_DOCUMENT_BYTES)
    return content


def read_from(fetch: Callable[..., HttpResponse | None], base_url: str) -> Read:
    """Returns a function that reads URLs of the SUT with `fetch`, as the document itself was read."""

    def read(url: str) -> bytes:
        response = fetch(url.removeprefix(base_url))
        if response is None:
            raise ValueError("the server does not answer")
        if response.status != 200:
            raise ValueError(f"the server answers {response.status}")
        return response.body

    return read
