"""OpenAPI documents of services that the program calls: which answers they declare for a request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from wimble.genes import Gene, ObjectGene
from wimble.model.external import origin_of, segments_of
from wimble.spec.loading.document import Document, Warnings
from wimble.spec.schemas.normalise import SchemaNormaliser
from wimble.spec.schemas.schema_genes import GeneBuilder

MAX_ANSWERS: Final = 6
"""Declared answers of one operation that are tried."""
_ANY_STATUS: Final = {"1XX": 100, "2XX": 200, "3XX": 302, "4XX": 400, "5XX": 500, "DEFAULT": 500}


class ServiceDocument:
    """One document. origin: that of the service; empty: those of the servers that the document names."""

    def __init__(self, root: dict[str, Any], origin: str = "") -> None:
        version = str(root.get("swagger") or root.get("openapi") or "3.1")
        self._document = Document(root, version, Warnings())
        bases = list(_servers(root)) or list(_swagger_servers(root))
        self._bases = [(origin or base, path) for base, path in bases]
        self._genes: dict[str, Gene] = {}

    @property
    def origins(self) -> frozenset[str]:
        """The services that it describes, with their ports."""
        return frozenset(base for base, _ in self._bases if base)

    def answers_to(self, origin: str, method: str, target: str) -> list[tuple[int, Gene]]:
        """Returns (status, gene of the body) of the declared answers with JSON, success first."""
        for base, prefix in self._bases:
            if base == origin and (operation := self._operation(method, segments_of(target), prefix)) is not None:
                return sorted(self._answers(*operation), key=lambda one: one[0])[:MAX_ANSWERS]
        return []

    def _operation(self, method: str, given: tuple[str, ...], prefix: str) -> tuple[dict[str, Any], str] | None:
        paths = self._document.section(self._document.root, "paths", "#")
        best: tuple[int, dict[str, Any], str] | None = None
        for template, item in paths.items():
            wanted = segments_of(f"{prefix.rstrip('/')}{template}")
            if len(wanted) != len(given) or not isinstance(item, dict):
                continue
            is_literal = ["{" not in own for own in wanted]
            operation = item.get(method.lower())
            if isinstance(operation, dict) and all(
                own == other or not literal for own, other, literal in zip(wanted, given, is_literal, strict=True)
            ):
                place = f"#/paths/{template.replace('~', '~0').replace('/', '~1')}/{method.lower()}"
                if best is None or sum(is_literal) > best[0]:
                    best = sum(is_literal), operation, place
        return None if best is None else best[1:]

    def _answers(self, operation: dict[str, Any], place: str) -> Iterator[tuple[int, Gene]]:
        responses = self._document.section(operation, "responses", place)
        for status, raw in responses.items():
            number = int(status) if str(status).isdigit() else _ANY_STATUS.get(str(status).upper())
            response, at = self._document.followed(raw, f"{place}/responses/{status}")
            if number is not None and response is not None:
                yield number, self._body(response, at)

    def _body(self, response: dict[str, Any], place: str) -> Gene:
        schema, at = response.get("schema"), f"{place}/schema"
        content = response.get("content")
        for media_type, held in content.items() if isinstance(content, dict) else ():
            if "json" in media_type and isinstance(held, dict):
                schema = held.get("schema")
                at = f"{place}/content/{media_type.replace('/', '~1')}/schema"
        if schema is None:
            return ObjectGene()
        if at not in self._genes:
            normaliser = SchemaNormaliser(self._document, "response")
            self._genes[at] = GeneBuilder(normaliser).build(normaliser.normalise(schema, at))
        return self._genes[at]


def _servers(root: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields (origin, base path) of the servers of OpenAPI 3; the origin is empty if the document does not say it."""
    servers = root.get("servers")
    for server in servers if isinstance(servers, list) else ():
        url = server.get("url") if isinstance(server, dict) else None
        if isinstance(url, str):
            yield _origin(url), urlsplit(url).path


def _swagger_servers(root: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The same of Swagger 2.0."""
    base, host, schemes = root.get("basePath"), root.get("host"), root.get("schemes")
    for scheme in schemes if isinstance(schemes, list) and schemes else ["https"]:
        yield _origin(f"{scheme}://{host}") if host else "", base if isinstance(base, str) else ""


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
        return origin_of(parts.scheme, parts.hostname, parts.port) if parts.scheme and parts.hostname else ""
    except ValueError:
        return ""
