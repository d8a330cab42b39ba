"""What a document declares of an HTTP operation: inputs and how they are written, responses, links. Plain, frozen data."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from wimble.genes.gene import Gene
from wimble.types import Json

Location = Literal["path", "query", "header", "cookie", "body"]

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""RFC 9110 §9.2.1: no state change is asked for."""


class XmlShape(msgspec.Struct, frozen=True, kw_only=True):
    """How a value is written in XML, where that is not an element of the property's own name (OpenAPI's XML Object)."""

    name: str = ""
    """With its prefix; empty: the name of the property."""
    node: Literal["element", "attribute", "text", "cdata"] = "element"
    is_wrapped: bool = False
    """An array has an element of its own around its items."""
    namespace: str = ""
    fields: tuple[tuple[str, XmlShape], ...] = ()
    item: XmlShape | None = None


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """How one field of a form is written (OpenAPI's Encoding Object)."""

    content_type: str = ""
    """Empty: text for scalars, JSON for objects."""
    style: str = ""
    explode: bool | None = None
    is_file: bool = False


class BodyForm(msgspec.Struct, frozen=True, kw_only=True):
    """One of the media types that a body can be written in."""

    media_type: str
    parts: tuple[tuple[str, Part], ...] = ()
    xml: XmlShape | None = None


class HttpInput(msgspec.Struct, frozen=True, kw_only=True):
    """One input of a request."""

    name: str
    location: Location
    template: Gene
    """The gene that each call starts from (already optional if not required)."""
    required: bool = False
    style: str = ""
    """OpenAPI parameter style (`form`, `simple`, `deepObject`, ...); empty: the location's default."""
    explode: bool | None = None
    """None: the style's default. Swagger 2 `collectionFormat` is translated by the spec layer."""
    media_type: str = ""
    """For a body: `application/json`, `application/x-www-form-urlencoded`, ...; where it has several, the first."""
    forms: tuple[BodyForm, ...] = ()
    """For a body: how it is written. Of several, the template's choice (a ChoiceGene, maybe within an OptionalGene) picks
    the one of the same position."""


class ResponseSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What the document declares for one status. `status` is `200`, `4XX` or `default`, upper case."""

    status: str
    content: tuple[tuple[str, Json], ...] = ()
    """(media type, self-contained JSON schema in draft 2020-12 form or None where none is declared)."""


class DeclaredLink(msgspec.Struct, frozen=True, kw_only=True):
    """Which input of a later call takes a value of this one, and from where (OpenAPI's Link Object)."""

    pointer: str
    """Into the 2xx answer, as `ReferenceGene` has it; with `sent_in`, a parameter's name, or a pointer into the body that was sent."""
    sent_in: Location | Literal[""] = ""
    """Where this call sends the value; empty: its answer holds it."""
    name: str = ""
    """Of the parameter that takes the value; empty: the body as a whole."""
    location: Location | Literal[""] = ""
    """Where that parameter stands; empty: wherever the name does."""
    target: str = ""
    """The later operation: its `operation_id`, or verb and path as the document has them; empty: any."""
