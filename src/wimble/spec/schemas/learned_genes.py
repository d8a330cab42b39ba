"""Genes of schemas that validation libraries apply, which no document declares."""

from __future__ import annotations

from typing import Any

from wimble.genes import Gene
from wimble.spec.loading.document import Document, Warnings
from wimble.spec.schemas.normalise import SchemaNormaliser
from wimble.spec.schemas.schema_genes import GeneBuilder


def learned_gene(schema: dict[str, Any], pointer: tuple[str, ...] = ()) -> Gene:
    """Returns the gene of a JSON Schema, which may be malformed.

    pointer: names of members that lead to the part of it that is wanted.
    """
    document = Document(schema, "3.1", Warnings())
    part, place = at_members(document, pointer)
    normaliser = SchemaNormaliser(document, "request")
    builder = GeneBuilder(normaliser)
    return builder.build(normaliser.normalise(part, place))


def at_members(document: Document, names: tuple[str, ...]) -> tuple[Any, str]:
    """Returns the schema of a member, and its place; a schema that allows any value if there is none."""
    part: Any = document.root
    place = "#"
    for name in names:
        part, place = _followed(document, part, place)
        members = part.get("properties") if isinstance(part, dict) else None
        if not isinstance(members, dict) or name not in members:
            return True, place
        part, place = members[name], f"{place}/properties/{name}"
    return part, place


def _followed(document: Document, part: Any, place: str) -> tuple[Any, str]:
    for _ in range(10):
        reference = part.get("$ref") if isinstance(part, dict) else None
        if not isinstance(reference, str):
            break
        part, place = document.pointed(reference)
    return part, place


def members_of(schema: dict[str, Any], pointer: tuple[str, ...] = ()) -> tuple[dict[str, Any], frozenset[str]]:
    """Returns the declared members of an object's schema, and the names of the required ones."""
    document = Document(schema, "3.1", Warnings())
    part, _ = _followed(document, *at_members(document, pointer))
    members = part.get("properties") if isinstance(part, dict) else None
    required = part.get("required") if isinstance(part, dict) else None
    names = frozenset(name for name in required if isinstance(name, str)) if isinstance(required, list) else frozenset()
    return (members if isinstance(members, dict) else {}), names
