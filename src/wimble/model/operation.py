"""Operations: the entry points of the SUT, with the properties that the search uses. Plain, frozen data.

Only its binding knows how an operation is called, and only layers of that protocol read the binding.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.genes.gene import Gene
from wimble.model.resource_names import Place
from wimble.model.routes import RouteFindings
from wimble.types import Json, OperationId

InputRole = Literal["subject", "argument", "content", "credential"]
"""`subject`: identifies what the operation acts on, and cannot be left out. `content`: a document that describes it.
`credential`: what a call carries to be let in, which no document declares as an input. `argument`: any other input."""

Encoding = Literal["json", "form", "text"]
"""What the SUT can receive. `json`: any JSON value, unchanged; `form`: texts, which may form objects
(`name[key]=value`); `text`: texts."""

Effect = Literal["read", "create", "replace", "change", "remove", "other"]
"""What an operation of this form should do to its place."""


Entrance = Literal["", "sign-up", "login"]
"""Whether an operation makes a user who can log in (`sign-up`), or answers credentials of a user (`login`)."""


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """One input of an operation. `template` is the gene that each call starts from; it is optional if not required."""

    name: str
    template: Gene
    required: bool = False
    role: InputRole = "argument"
    encoding: Encoding = "json"
    is_repeatable: bool = False
    """Whether a call can send it several times, which the SUT reads as a list."""
    sent_in: str = ""
    """The part of a call that contains it, for names: `query`, `body`."""
    varying_member: str = ""
    """The member of its value that differs from call to call; empty for the whole value."""
    media_types: tuple[str, ...] = ()
    """The media types in which a content can be written, in the order of the template's alternatives."""
    is_undeclared: bool = False
    """Whether it is the room for inputs that no document declares: an object of named values, or a content. Its name is
    empty."""

    @property
    def is_json(self) -> bool:
        """Whether a value of any type can be sent, whatever the schema says. Otherwise all values are sent as text."""
        return self.encoding == "json"


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """One resource that the operation acts on, or that contains the resource it acts on."""

    input_index: int
    name: str
    """Name of the input."""
    resource: str
    """Noun of the collection in singular: `book`."""
    scope: Place
    """Place of the collection."""


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A declared link: a value of this call that later calls use as an input."""

    pointer: str
    """Pointer into the answer, in the notation of `ReferenceGene`; if `is_sent`, into an input's value."""
    is_sent: bool = False
    """Whether the value is in this call's request, rather than in its answer."""
    sent_input: int | None = None
    """Index of the input with the value; None if the request has no such input."""
    name: str = ""
    """Name of the input that takes the value; empty for the whole content."""
    is_subject: bool = False
    """Whether the input of this name may be a subject."""
    feeds: tuple[tuple[OperationId, int], ...] = ()
    """(later operation, index of its input that takes the value)."""


class Binding(msgspec.Struct, frozen=True):
    """How calls of an operation are made. Each protocol has a subclass."""


class Operation(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One operation; compared by identity."""

    id: OperationId
    binding: Binding = Binding()
    inputs: tuple[Input, ...] = ()
    """In a fixed order. `binding` may have further properties of each input."""
    is_safe: bool = False
    """Whether it does not ask for a change of state."""
    effect: Effect = "other"
    place: Place = ()
    """The place that it acts on."""
    group: str = ""
    """Operations of one group differ only in their effect."""
    action: str = ""
    """A word that may describe the action: the last part of the path."""
    subjects: tuple[Subject, ...] = ()
    """Outermost resource first."""
    resource: str = ""
    """The resource that it handles (singular, lower case), if this does not follow from its place."""
    provides: Literal["", "new", "existing"] = ""
    """Whether its answer shows a new resource, or existing ones without an identifying input; set only if
    this does not follow from its place."""
    needs: tuple[tuple[str, str], ...] = ()
    """(name of an input, the resource that it identifies), if this does not follow from the subjects."""
    answer_root: str = ""
    """JSON pointer to the part of an `ok` answer that shows the resource; empty for the whole answer."""
    results: tuple[Json, ...] = ()
    """Declared JSON schemas (draft 2020-12, self-contained) of the values of `ok` answers; None allows any value."""
    links: tuple[Link, ...] = ()
    entrance: Entrance = ""
    credential_places: tuple[str, ...] = ()
    """Where the document says that calls carry credentials, such as `header X-API-Key` or `cookie sid`."""
    access: tuple[tuple[str, ...], ...] | None = None
    """Alternatives, each with the schemes that a user must have. If empty, or with an empty alternative, no login is
    required. None if the document does not declare it."""


class Specification(msgspec.Struct, frozen=True, kw_only=True):
    """A loaded API description."""

    title: str
    operations: tuple[Operation, ...]
    source: str
    """File or URL of the document."""
    kind: str = "openapi"
    """`openapi`, `graphql`, or `routes`: made of the SUT's routes, for there is no document."""
    version: str = ""
    warnings: tuple[str, ...] = ()
    """One line each: place in the document, what is wrong, and what was done instead."""
    routes: RouteFindings = RouteFindings()
    """What is known from the routes of the running SUT."""
