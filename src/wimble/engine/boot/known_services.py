"""Collects what is known of the services before the search: recorded answers, and their OpenAPI documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wimble.engine.boot.documents_in_project import MAX_FILES
from wimble.engine.boot.protobuf_files import iter_definitions, iter_generated
from wimble.engine.session.recordings import read_recordings
from wimble.errors import SchemaError, UsageError
from wimble.model.external import ExternalRequest, origin_of
from wimble.search.external.connect_answers import is_rpc
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.settings import Settings
from wimble.spec.loading.discovery import find_schema_files, looks_like_openapi
from wimble.spec.loading.document_text import load_text
from wimble.spec.service_documents import ServiceDocument


class NamedServices:
    """What the settings name of services: recorded answers, and documents."""

    def __init__(self, settings: Settings) -> None:
        """Reads them. Raises: UsageError, in which case nothing need be started."""
        self._recordings = read_recordings(settings.recorded)
        self._documents = [_named(one) for one in settings.service_schemas]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about what the settings name in vain."""
        return tuple(self._recordings.warnings)

    def teach(self, knowledge: ServiceKnowledge) -> None:
        knowledge.add_recorded(self._recordings.answers)
        for document in self._documents:
            knowledge.add_document(document)


class ServicesInProject:
    """The documents of services in the project, which are read when the program calls a service for the first time.

    Definitions of Protocol Buffers are read when it calls one by gRPC or Connect.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_read = False
        self._has_definitions = False

    def learn(self, knowledge: ServiceKnowledge, requests: Iterable[ExternalRequest]) -> None:
        if not self._has_definitions and any(map(is_rpc, requests)):
            self._has_definitions = True
            knowledge.add_definitions(iter_definitions(self._folder), iter_generated(self._folder))
        if not self._is_read:
            self._is_read = True
            for document in _in_project(self._folder):
                knowledge.add_document(document)


def _named(named: str) -> ServiceDocument:
    origin, is_given, file = named.rpartition("=")
    try:
        root = load_text(Path(file).read_bytes(), file)
    except (OSError, SchemaError) as error:
        raise UsageError("service-schema", f"{file} cannot be read: {error}", where="--service-schema") from error
    document = ServiceDocument(root, _origin(origin)) if looks_like_openapi(root) else None
    if document is None or not document.origins:
        raise UsageError(
            "service-schema",
            f"{file} names no server" if document else f"{file} is no OpenAPI document",
            where="--service-schema",
            hint="Such as --service-schema https://api.payments.example=payments.yaml" if not is_given else "",
        )
    return document


def _origin(text: str) -> str:
    try:
        parts = urlsplit(text)
        return origin_of(parts.scheme, parts.hostname, parts.port) if parts.scheme and parts.hostname else ""
    except ValueError as error:  # brackets or a port that are none
        raise UsageError("service-schema", f"{text} is no origin: {error}", where="--service-schema") from error


def _in_project(folder: Path) -> Iterator[ServiceDocument]:
    for file in find_schema_files(folder)[:MAX_FILES]:
        try:
            root: Any = load_text(file.read_bytes(), str(file))
            document = ServiceDocument(root) if looks_like_openapi(root) else None
        except (OSError, SchemaError):
            continue  # told where the API's own documents are looked for
        if document is not None and document.origins:
            yield document
