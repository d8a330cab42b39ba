"""Inputs that the search has learnt for an operation beside those that its document declares."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from wimble.genes.gene import Gene

LearnedLocation: TypeAlias = Literal["query", "header", "cookie", "body", "file"]
"""Where a learnt input is sent. `body`: a member of the content, whatever its media type; `file`: a member of it that
is uploaded as a file."""

Evidence: TypeAlias = Literal["read", "schema", "guard", "refusal"]
"""How it was learnt. `read`: the program read a member that was not there; `schema`: a validator was applied to it;
`guard`: code that refuses calls asks for it; `refusal`: the text of an answer names it."""


IN_JSON_TEXT: Final = "\0json"
"""A name in a path: what follows lies in the JSON document that the text up to here holds."""


ANY_NAME: Final = "*"
"""A name in a path: the member may have any name. With a name after it: it is called as the input of that name says,
`*field` for `req.body[req.query.field]`."""


class LearnedInput(msgspec.Struct, frozen=True, kw_only=True):
    """One input. `location` and `path` identify it within its operation."""

    location: LearnedLocation
    path: tuple[str, ...]
    """Name of the parameter; for a member of the content, the names that lead to it from its root. A name of digits
    is an index of a list; IN_JSON_TEXT leads into a text, ANY_NAME to a member of an object whose keys are data."""
    template: Gene | None = None
    """The gene from which its values are sampled; None for a text that can be recognised in the program."""
    evidence: Evidence = "read"
    is_list: bool = False
    """Whether the program was seen to need a list."""
    may_be_text: bool = False
    """Whether it may be a text as well where it is a list: the program goes through it, and does nothing else."""
    is_number: bool = False
    """Whether the program calculates with it, as its text says; it may be a text nevertheless."""

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return self.location, self.path

    @property
    def is_surely_list(self) -> bool:
        """Whether the program needs a list, and no text would do."""
        return self.is_list and not self.may_be_text

    @property
    def label(self) -> str:
        """Its name in reports: `query debug`, `body items.0.sku`."""
        return f"{self.location} {'.'.join(name for name in self.path if name != IN_JSON_TEXT)}"


class LearnedBody(msgspec.Struct, frozen=True, kw_only=True):
    """A gene from which the content of an operation is sampled in place of the declared one."""

    template: Gene
    media_type: str = ""
    """The media type that it is for; empty for any."""
    evidence: Evidence = "schema"
