"""Hints: what was learnt in one evaluation that tells the search how to edit a test case. One struct per kind.

All kinds but `QueryHint` come from an agent, which sends them in this form (protocol/README.md, "Hints"). Values are
JSON scalars, encoded as described there ("Values in hints"). `target` is the uncovered outcome, `wanted` the result
that covers it, and `call` the index of the call that was running.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from wimble.model.database import Database, DatabaseCommand
from wimble.types import Json, TargetId

Operator: TypeAlias = Literal["identical", "equal", "less", "less-or-equal", "greater", "greater-or-equal"]
"""`identical` compares without conversions, `equal` after those of the SUT's language."""

Place: TypeAlias = Literal["start", "end", "anywhere"]
"""Where a text has to contain another one."""

UNDEFINED: Final[Json] = {"$undefined": True}
"""The encoding of a value that does not exist or is not known."""


class OperandHint(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A hint about values that the SUT looked at. All kinds that agents send are of this class."""

    target: TargetId
    call: int

    @property
    def operands(self) -> tuple[Json, Json]:
        """The two values that met, or the value that was looked at and what was asked of it."""
        raise NotImplementedError


class ComparisonHint(OperandHint, frozen=True, kw_only=True, tag="comparison"):
    """Operands met at a comparison; or a key or element that was searched, and one of those that exist."""

    operator: Operator
    left: Json
    right: Json
    wanted: bool
    name: str = ""
    """The path that the left operand, or a right one that is undefined, was read from; empty if it has none."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.left, self.right


class SubstringHint(OperandHint, frozen=True, kw_only=True, tag="substring"):
    """It was asked whether `text` starts with, ends with or contains `part`."""

    place: Place
    text: Json
    part: Json
    wanted: bool

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.part


class PatternHint(OperandHint, frozen=True, kw_only=True, tag="pattern"):
    """`text` was matched against a regular expression."""

    text: Json
    source: str
    wanted: bool
    flags: str = ""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.source


class FormatHint(OperandHint, frozen=True, kw_only=True, tag="format"):
    """`value` was parsed as, or checked for, a format: `date`, `email`, ... (genes/string_specialisation.py)."""

    value: Json
    format: str
    wanted: bool

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.value, self.format


class TruthinessHint(OperandHint, frozen=True, kw_only=True, tag="truthiness"):
    """`value` was a condition by itself."""

    value: Json
    wanted: bool
    name: str = ""
    """The path that the value was read from; empty if it has none."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.value, None


class KeyHint(OperandHint, frozen=True, kw_only=True, tag="key"):
    """`key` was looked up. With `other`, which exists, the outcome may be the wanted one; it is not certain."""

    key: Json
    other: Json

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.key, self.other


class SplitHint(OperandHint, frozen=True, kw_only=True, tag="split"):
    """`text` was split, and a part that does not exist may be wanted. The text is undefined where it is not known."""

    text: Json
    separator: Json

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.separator


class GroupHint(OperandHint, frozen=True, kw_only=True, tag="group"):
    """`text` matched a regular expression, of which a group that took no part in the match may be wanted."""

    text: Json
    source: str
    flags: str = ""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.source


class ListHint(OperandHint, frozen=True, kw_only=True, tag="list"):
    """It was asked whether `value`, which is a scalar, is a list."""

    value: Json

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.value, "array"


# ---- what a schema requires of a member -----------------------------------------------------------------------------


class BaseRequirement(msgspec.Struct, frozen=True, tag_field="kind"):
    """What a member of a document has to be."""

    @property
    def operand(self) -> Json:
        """The value that it is written with."""
        raise NotImplementedError


class ComparisonRequirement(BaseRequirement, frozen=True, tag="comparison"):
    """In this relation to a value; identical to an undefined one: left out."""

    operator: Operator
    value: Json

    @property
    def operand(self) -> Json:
        return self.value


class SubstringRequirement(BaseRequirement, frozen=True, tag="substring"):
    """A text that contains `part`."""

    place: Place
    part: str

    @property
    def operand(self) -> Json:
        return self.part


class PatternRequirement(BaseRequirement, frozen=True, tag="pattern"):
    """A text that a regular expression matches."""

    source: str
    flags: str = ""

    @property
    def operand(self) -> Json:
        return self.source


class FormatRequirement(BaseRequirement, frozen=True, tag="format"):
    """A text of a format."""

    format: str

    @property
    def operand(self) -> Json:
        return self.format


class PresenceRequirement(BaseRequirement, frozen=True, tag="presence"):
    """There, with any value."""

    @property
    def operand(self) -> Json:
        return None


class LengthRequirement(BaseRequirement, frozen=True, tag="length"):
    """A text or list of this length."""

    length: Json

    @property
    def operand(self) -> Json:
        return self.length


class TypeRequirement(BaseRequirement, frozen=True, tag="type"):
    """A value of this type."""

    type: Literal["object", "array"]

    @property
    def operand(self) -> Json:
        return self.type


Requirement: TypeAlias = (
    ComparisonRequirement
    | SubstringRequirement
    | PatternRequirement
    | FormatRequirement
    | PresenceRequirement
    | LengthRequirement
    | TypeRequirement
)


class SchemaHint(OperandHint, frozen=True, kw_only=True, tag="schema"):
    """A library that checks documents by a schema found a member wrong; `path` leads to it from the document on."""

    path: str
    requirement: Requirement

    @property
    def operands(self) -> tuple[Json, Json]:
        return UNDEFINED, self.requirement.operand


AgentHint: TypeAlias = (
    ComparisonHint
    | SubstringHint
    | PatternHint
    | FormatHint
    | TruthinessHint
    | KeyHint
    | SplitHint
    | GroupHint
    | ListHint
    | SchemaHint
)
"""The kinds that agents send."""


class QueryHint(msgspec.Struct, frozen=True, kw_only=True):
    """A command whose outcome `wanted` (rows found: True) is still uncovered. The core makes these itself."""

    target: TargetId
    call: int
    wanted: bool
    command: DatabaseCommand
    database: Database
    tables: Mapping[str, Sequence[Mapping[str, Json]]]
    """Rows that existed after the call, by name of the table, of the tables that the command names."""
    kept_params: frozenset[int] = frozenset()
    """Indexes of parameters of the command that have to keep their values: code behind the command requires them."""


Hint: TypeAlias = AgentHint | QueryHint
