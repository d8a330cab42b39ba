"""The declarations of an HTTP operation: its inputs and how they are written, responses, links. Plain, frozen data."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from wimble.genes.gene import Gene
from wimble.types import Json

Location = Literal["path", "query", "header", "cookie", "body"]

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that do not ask for a change of state (RFC 9110 §9.2.1)."""


class XmlShape(msgspec.Struct, frozen=True, kw_only=True):
    """How a value is written in XML, if not as an element with the property's name (OpenAPI's XML Object)."""

    name: str = ""
    """Name with its prefix; empty for the name of the property."""
    node: Literal["element", "attribute", "text", "cdata"] = "element"
    is_document: bool = False
    """Whether the value is the document, whose last member is the root element. With `node` text, a text is the whole
    document as it is."""
    is_wrapped: bool = False
    """Whether an array has an element of its own around its items."""
    namespace: str = ""
    fields: tuple[tuple[str, XmlShape], ...] = ()
    item: XmlShape | None = None


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """How one field of a form is written (OpenAPI's Encoding Object)."""

    content_type: str = ""
    """Empty for the default: text for scalars, JSON for objects."""
    style: str = ""
    explode: bool | None = None
    is_file: bool = False
    file_name: str = ""
    """The name of a file; if it is empty, one is made from the field's name and the content type."""


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
    """The gene that each call starts from. It is already optional if the input is not required."""
    required: bool = False
    style: str = ""
    """OpenAPI's parameter style (`form`, `simple`, `deepObject`, ...); empty for the location's default."""
    explode: bool | None = None
    """None for the style's default. The spec layer translates `collectionFormat` of Swagger 2."""
    media_type: str = ""
    """Media type of a body, such as `application/json`; the first one if there are several."""
    forms: tuple[BodyForm, ...] = ()
    """How a body is written, per media type. If there are several, the template is a ChoiceGene (or an OptionalGene of
    one), and its choice selects the form at the same position."""
    has_segments: bool = False
    """Whether it stands for several segments of the path, so that its slashes are sent as they are."""
    is_undeclared: bool = False
    """Whether it is the room for inputs of this location that no document declares (`undeclared_room.py`). Its name
    is empty, and its value is an object of named inputs, or the body."""


class ResponseSpec(msgspec.Struct, frozen=True, kw_only=True):
    """The declaration of one status. `status` is `200`, `4XX` or `default`, in upper case except `default`."""

    status: str
    content: tuple[tuple[str, Json], ...] = ()
    """(media type, schema). The schema is self-contained JSON Schema 2020-12, or None if none is declared."""


class DeclaredLink(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a later call that takes a value of this call (OpenAPI's Link Object)."""

    pointer: str
    """Pointer into the 2xx answer, in the notation of `ReferenceGene`. If `sent_in` is set, it is the name of a
    parameter, or a pointer into the request's body."""
    sent_in: Location | Literal[""] = ""
    """Location in this call's request that contains the value; empty if its answer does."""
    name: str = ""
    """Name of the parameter that takes the value; empty for the whole body."""
    location: Location | Literal[""] = ""
    """Location of this parameter; empty for any location."""
    target: str = ""
    """The later operation: its `operation_id`, or verb and path as in the document; empty for any operation."""
