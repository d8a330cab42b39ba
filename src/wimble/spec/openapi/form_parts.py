"""Determines how each field of a form or multipart body is written.

Follows OpenAPI's Encoding Object, and its defaults for fields without one.
"""

from __future__ import annotations

from typing import Any

from wimble.http.declarations import Part
from wimble.spec.loading.document import Document, at, shown
from wimble.spec.openapi import media_types
from wimble.spec.schemas.normalise import Schema
from wimble.spec.schemas.schema_genes import GeneBuilder

_TEXT_TYPES = ("text/", "application/json", "application/xml")


def parts_of(
    document: Document, schema: Schema, encoding: dict[str, Any], place: str, genes: GeneBuilder
) -> tuple[tuple[str, Part], ...]:
    """Returns (name, how it is written) of the fields that are not plain text."""
    found: dict[str, Part] = {}
    for flat in genes.variants(schema):
        for name, field in flat.keywords.get("properties", {}).items():
            if name in found:
                continue
            part = _part(document, field, encoding.get(name), at(place, name), genes)
            if part != Part():
                found[name] = part
    return tuple(found.items())


def _part(document: Document, schema: Schema, written: Any, place: str, genes: GeneBuilder) -> Part:
    if written is not None and not isinstance(written, dict):
        document.warn(place, f"an object is expected as the encoding of a field, found {shown(written)}", "ignored")
        written = None
    declared = written or {}
    content_type = declared.get("contentType")
    first = content_type.split(",", 1)[0].strip() if isinstance(content_type, str) else ""
    keywords = genes.flat(schema).keywords
    if keywords.get("type") == "array":
        keywords = genes.flat(keywords.get("items", True)).keywords
    media = keywords.get("contentMediaType", "")
    is_file = keywords.get("format") == "binary" or bool(media and not media.startswith(_TEXT_TYPES))
    if first:
        is_file = is_file or not first.lower().startswith(_TEXT_TYPES)
    style, explode = declared.get("style"), declared.get("explode")
    return Part(
        content_type=_sendable(first or (media if is_file else "")),
        style=style if isinstance(style, str) else "",
        explode=explode if isinstance(explode, bool) else None,
        is_file=is_file,
    )


def _sendable(media_type: str) -> str:
    if media_type.lower().startswith("image/*"):
        return "image/png"
    return media_types.concrete(media_type) if "*" in media_type else media_type
