"""Gives operations room for inputs that their document does not declare.

Each location gets one more input without a name, after the declared ones, so that the positions of these stay as they
are: `UndeclaredGene`s for query, headers and cookies, and a body in any of the usual media types if none is declared.
All of them are left out until the search has learnt a name (`search/learned/`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from wimble.genes import ArrayGene, ChoiceGene, Gene, ObjectGene, StringGene
from wimble.genes.undeclared import UnaskedGene, UndeclaredGene
from wimble.http.binding import binding_of, inputs_of
from wimble.http.declarations import SAFE_METHODS, BodyForm, HttpInput, Location, XmlShape
from wimble.model.operation import Operation

BODY_FORMS: Final[tuple[tuple[str, Gene], ...]] = (
    ("application/json", ObjectGene()),
    ("application/x-www-form-urlencoded", ObjectGene()),
    ("multipart/form-data", ObjectGene()),
    ("text/plain", StringGene()),
    ("application/xml", ObjectGene()),
    ("application/x-ndjson", ArrayGene(ObjectGene(), (ObjectGene(),), min_items=1)),
    ("application/xml", StringGene()),
)
"""Media types in which a body is tried that no document declares, each with what it is at first. XML is a document of
elements for programs with a parser, and a text for those that look for its tags themselves."""

_NAMED: Final[tuple[Location, ...]] = ("query", "header", "cookie")


def with_undeclared_inputs(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Returns the operations with room for undeclared inputs; fields of a GraphQL API stay as they are."""
    return tuple(one if binding_of(one).graphql else _with_room(one) for one in operations)


def _with_room(operation: Operation) -> Operation:
    binding = binding_of(operation)
    if any(given.is_undeclared for given in binding.inputs):
        return operation
    added = [HttpInput(name="", location=place, template=UndeclaredGene(), is_undeclared=True) for place in _NAMED]
    if binding.method not in SAFE_METHODS and all(given.location != "body" for given in binding.inputs):
        added.append(_body())
    new = msgspec.structs.replace(binding, inputs=(*binding.inputs, *added))
    return msgspec.structs.replace(operation, binding=new, inputs=inputs_of(new))


def _body() -> HttpInput:
    return HttpInput(
        name="",
        location="body",
        template=UnaskedGene(ChoiceGene(tuple(gene for _, gene in BODY_FORMS)), False),
        media_type=BODY_FORMS[0][0],
        forms=tuple(BodyForm(media_type=media_type, xml=_xml_shape(gene)) for media_type, gene in BODY_FORMS),
        is_undeclared=True,
    )


def _xml_shape(gene: Gene) -> XmlShape:
    # Programs name the root element of a document that they have parsed.
    return XmlShape(is_document=True, node="text" if isinstance(gene, StringGene) else "element")
