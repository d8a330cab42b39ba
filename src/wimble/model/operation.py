"""Operations: the entry points of the SUT, as far as the search has to know them. Plain, frozen data.

How an operation is called is known to its binding alone, which layers of that protocol open.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.genes.gene import Gene
from wimble.model.resource_names import Place
from wimble.types import Json, OperationId

InputRole = Literal["subject", "argument", "content"]
"""`subject`: it tells what the operation acts on, and cannot be left out. `content`: a document that describes that. `argument`: any other."""

Encoding = Literal["json", "form", "text"]
"""What reaches the SUT: `json`: any JSON value, as it is; `form`: texts, of which objects can be made (`name[key]=value`); `text`: texts."""

Effect = Literal["read", "create", "replace", "change", "remove", "other"]
"""What the form of an operation promises that it does to its place."""


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """One input of an operation. `template` is the gene that each call starts from (already optional if not required)."""

    name: str
    template: Gene
    required: bool = False
    role: InputRole = "argument"
    encoding: Encoding = "json"
    is_repeatable: bool = False
    """Whether it can be sent several times, which the SUT reads as a list."""
    sent_in: str = ""
    """Which part of a call holds it, for names: `query`, `body`."""
    varying_member: str = ""
    """Member of its value that holds what differs from call to call; empty: the value as a whole."""

    @property
    def is_json(self) -> bool:
        """Whether a value of any type can be sent whatever the schema says; elsewhere everything is sent as text."""
        return self.encoding == "json"


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """One resource that the operation acts on, or within."""

    input_index: int
    name: str
    """The input's."""
    resource: str
    """Singular noun of the collection: `book`."""
    scope: Place
    """The collection."""


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A value of this call that later calls take, as the document declares."""

    pointer: str
    """Into the answer, as `ReferenceGene` has it; with `is_sent`, into the value of an input of this call."""
    is_sent: bool = False
    """Whether this call sends the value; else its answer holds it."""
    sent_input: int | None = None
    """Index of the input that sends it; None: it has none such."""
    name: str = ""
    """Of the input that takes the value; empty: a content as a whole."""
    is_subject: bool = False
    """Whether an input of that name may be a subject."""
    feeds: tuple[tuple[OperationId, int], ...] = ()
    """Later operations, each with the index of the input that takes the value."""


class Binding(msgspec.Struct, frozen=True):
    """How calls of an operation are made. Each protocol subclasses it."""


class Operation(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One operation; compared by identity."""

    id: OperationId
    binding: Binding = Binding()
    inputs: tuple[Input, ...] = ()
    """In a fixed order; `binding` may know more of each."""
    is_safe: bool = False
    """Whether it asks for no change of state."""
    effect: Effect = "other"
    place: Place = ()
    """What it acts on."""
    group: str = ""
    """Operations of one group differ in their effect only."""
    action: str = ""
    """A word that may say what it does: the last part of its path."""
    subjects: tuple[Subject, ...] = ()
    """Outermost first."""
    resource: str = ""
    """What it deals in (singular, lower case), where its place does not tell."""
    provides: Literal["", "new", "existing"] = ""
    """Whether its answer brings a resource into being, or shows one without being told which; where its place does not tell."""
    needs: tuple[tuple[str, str], ...] = ()
    """(name of an input, the resource that it identifies), where subjects do not tell."""
    results: tuple[Json, ...] = ()
    """JSON schemas (draft 2020-12, self-contained) that are declared for the values of `ok` answers; None: any."""
    links: tuple[Link, ...] = ()
    access: tuple[tuple[str, ...], ...] | None = None
    """Alternatives, each the schemes that a user has to have; `()` in it or as a whole: nobody has to log in. None: not declared."""


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
