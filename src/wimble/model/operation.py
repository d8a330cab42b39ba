"""Operations: the entry points of the API, as the specification (or discovery) gives them. Plain, frozen data."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.genes.base import Gene
from wimble.model.http import HttpResponse, graphql_errors
from wimble.types import Json, OperationId

Location = Literal["path", "query", "header", "cookie", "body"]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
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


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """One input of an operation. `template` is the gene that each call starts from (already optional if not required)."""

    name: str
    location: Location
    template: Gene
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


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """What the document says of a later call: which input of it takes a value of this one, and from where (OpenAPI's Link Object)."""

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


class Operation(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One operation; compared by identity. `inputs` are in a fixed order: path, query, header, cookie, body."""

    id: OperationId
    method: str
    """Upper case."""
    path: str
    """Template with `{name}`, the server's base path included."""
    inputs: tuple[Input, ...] = ()
    responses: tuple[ResponseSpec, ...] = ()
    """Empty: the document declares none, so no response can break it."""
    operation_id: str = ""
    """The document's own name for it; empty where it has none."""
    links: tuple[Link, ...] = ()
    """What later calls take of this one, as the document declares."""
    summary: str = ""
    tags: tuple[str, ...] = ()
    security: tuple[tuple[str, ...], ...] | None = None
    """Alternatives, each the names of the schemes that it takes; `()` in it or as a whole: nobody has to log in. None: the
    document does not say."""
    graphql: Literal["", "query", "mutation"] = ""
    """For a field of a GraphQL API: of which root. Empty for everything else."""
    resource: str = ""
    """What it deals in (singular, lower case), where its path does not tell."""
    provides: Literal["", "new", "existing"] = ""
    """Whether its answer brings a resource into being, or shows one without being told which; where its path does not tell."""
    needs: tuple[tuple[str, str], ...] = ()
    """(name of an input, the resource that it identifies), where paths do not tell."""

    @property
    def is_safe(self) -> bool:
        """Whether it asks for no change of state."""
        return self.graphql == "query" or self.method in SAFE_METHODS

    def is_success(self, response: HttpResponse) -> bool:
        """2xx; of a GraphQL API also without errors, which it answers beside a good status."""
        return 200 <= response.status < 300 and not (self.graphql and graphql_errors(response))


class Specification(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded API description."""

    title: str
    operations: tuple[Operation, ...]
    source: str
    """File or URL it came from."""
    kind: str = "openapi"
    version: str = ""
    warnings: tuple[str, ...] = ()
    """One line each: place in the document, what is wrong, what was done instead."""
