"""Hints: observations of one evaluation that tell the search how to edit a test case. Each kind has a struct.

All kinds except `QueryHint` come from an agent, which sends them in this form (protocol/README.md, "Hints"). Values are
JSON scalars, encoded as described there ("Values in hints"). `target` is the uncovered outcome, `wanted` the result
that covers it, and `call` the index of the call that was running.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from wimble.model.database import Database, DatabaseCommand
from wimble.model.testcase import GeneAddress
from wimble.types import Json, TargetId

Operator: TypeAlias = Literal["identical", "equal", "less", "less-or-equal", "greater", "greater-or-equal"]
"""`identical` compares without conversions, `equal` after the conversions of the SUT's language."""

Place: TypeAlias = Literal["start", "end", "anywhere"]
"""The place at which a text has to contain another text."""

Use: TypeAlias = Literal[
    "list",
    "iterable",
    "record",
    "object",
    "text",
    "number",
    "boolean",
    "condition",
    "date",
    "json",
    "base64",
    "token",
    "address",
    "form",
    "gzip",
]
"""What a program takes a member for. `iterable`: a list or a text; `record`: an object whose keys are data;
`condition`: only its truth is read; `json`, `base64`, `token`: a text that is parsed or decoded; `form`, `gzip`: a
whole answer that should have had that form, as an error says."""

UNDEFINED: Final[Json] = {"$undefined": True}
"""The encoding of a value that does not exist or is unknown."""


TYPE_OF: Final = "type of "


class OperandHint(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A hint about values that the SUT evaluated. All kinds that agents send are subclasses."""

    target: TargetId
    call: int

    @property
    def operands(self) -> tuple[Json, Json]:
        """The two values that were compared, or the value that was evaluated and the requirement on it."""
        raise NotImplementedError


class ComparisonHint(OperandHint, frozen=True, kw_only=True, tag="comparison"):
    """Operands of a comparison; or a key or element that was looked up, and one that exists."""

    operator: Operator
    left: Json
    right: Json
    wanted: bool
    name: str = ""
    """The path from which the left operand, or an undefined right operand, was read; empty if it has none. If the
    operand is the name of a type, TYPE_OF precedes the path of what has the type."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.left, self.right

    @property
    def typed_name(self) -> str:
        """The path of what has the type that was compared; empty if the name is not that of a type."""
        return self.name.removeprefix(TYPE_OF) if self.name.startswith(TYPE_OF) else ""


class SubstringHint(OperandHint, frozen=True, kw_only=True, tag="substring"):
    """The SUT tested whether `text` starts with, ends with or contains `part`."""

    place: Place
    text: Json
    part: Json
    wanted: bool

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.part


class PatternHint(OperandHint, frozen=True, kw_only=True, tag="pattern"):
    """The SUT matched `text` against a regular expression."""

    text: Json
    source: str
    wanted: bool
    flags: str = ""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.source


class FormatHint(OperandHint, frozen=True, kw_only=True, tag="format"):
    """The SUT parsed `value` as a format (`date`, `email`, ...) or checked it (genes/string_specialisation.py)."""

    value: Json
    format: str
    wanted: bool

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.value, self.format


class TruthinessHint(OperandHint, frozen=True, kw_only=True, tag="truthiness"):
    """The SUT used `value` as a condition."""

    value: Json
    wanted: bool
    name: str = ""
    """The path from which the value was read; empty if it has none."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.value, None


class KeyHint(OperandHint, frozen=True, kw_only=True, tag="key"):
    """The SUT looked up `key`. The existing key `other` may lead to the wanted outcome, but this is not certain."""

    key: Json
    other: Json

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.key, self.other


class TableHint(OperandHint, frozen=True, kw_only=True, tag="table"):
    """The SUT looked up `key` in a table of functions or of collections, whose entries stand for operations; or in one
    of things, which has the key."""

    key: str
    holds: Literal["functions", "lists", "things"]
    keys: tuple[str, ...]
    """At most 100."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.key, self.keys[0]


class SplitHint(OperandHint, frozen=True, kw_only=True, tag="split"):
    """The SUT split `text`. A missing part may be wanted. The text is undefined if it is not known."""

    text: Json
    separator: Json
    parts: int = 0
    """So many parts get names in the program; 0 if that is not known."""
    are_numbers: bool = False
    """Whether the program reads these parts as numbers."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.separator


class GroupHint(OperandHint, frozen=True, kw_only=True, tag="group"):
    """`text` matched a regular expression. A group that took no part in the match may be wanted."""

    text: Json
    source: str
    flags: str = ""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.text, self.source


class ListHint(OperandHint, frozen=True, kw_only=True, tag="list"):
    """The SUT tested whether `value`, a scalar, is a list."""

    value: Json
    name: str = ""
    """The path from which the value was read; empty if it has none."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return self.value, "array"


class InputHint(OperandHint, frozen=True, kw_only=True, tag="input"):
    """The SUT read an input that the call does not have. `target` is the statement that read it."""

    location: Literal["query", "header", "cookie", "body", "file", "answer", "element", ""]
    """What the object that was read holds, judged by its name in the program; empty if the name tells nothing.
    `answer`: the body of an answer of a service, in which the path begins. `element`: a document that was made of
    such a body."""
    path: tuple[str, ...]
    """The names that lead from the object to the member. Digits are an index of a list. For `element`: a selector,
    after an empty name if it is looked for in another element; or `@` and the name of an attribute."""
    answers: tuple[int, ...] = ()
    """For `answer` and `element`: the ids of the planned answers with this body."""
    held: Json = {}
    """What the object holds: some of its members, with `{}` and `[]` for what has members itself; or a text whose
    member was read."""
    uses: tuple[Use, ...] = ()
    """What the program takes the member for, as far as its text tells."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return UNDEFINED, ".".join((self.location, *self.path))


class TokenKeyHint(OperandHint, frozen=True, kw_only=True, tag="token-key"):
    """The SUT has signed or checked a token with a secret. `target` is a statement of the call."""

    key: str
    """Identifies the secret."""
    algorithm: Literal["HS256", "HS384", "HS512"]
    secret: str = ""
    """Only the part of the core that signs keeps it; it is removed from hints that the search sees."""
    digest: str = ""
    """SHA-256 of `jwt ` and the secret, by which it is recognised in the project's files."""
    variable: str = ""
    """The environment variable that has it; empty if none has."""
    claims: dict[str, Json] = {}
    """Claims of a token that the SUT has signed with it."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return UNDEFINED, self.key


class TokenClaimsHint(OperandHint, frozen=True, kw_only=True, tag="token-claims"):
    """A library of the SUT demands these claims of a token. `target` is a statement of the call."""

    demands: dict[str, list[Json]]
    """Claim -> the values that are accepted; none: any."""

    @property
    def operands(self) -> tuple[Json, Json]:
        return UNDEFINED, next(iter(self.demands), "")


# ---- what a schema requires of a member -----------------------------------------------------------------------------


class BaseRequirement(msgspec.Struct, frozen=True, tag_field="kind"):
    """The requirement that a schema has for a member of a document."""

    @property
    def operand(self) -> Json:
        """The value in the requirement, such as a limit or a pattern; None if it has none."""
        raise NotImplementedError


class ComparisonRequirement(BaseRequirement, frozen=True, tag="comparison"):
    """The member is in this relation to a value. `identical` to an undefined value means that it is left out."""

    operator: Operator
    value: Json

    @property
    def operand(self) -> Json:
        return self.value


class SubstringRequirement(BaseRequirement, frozen=True, tag="substring"):
    """The member is a text that contains `part` at this place."""

    place: Place
    part: str

    @property
    def operand(self) -> Json:
        return self.part


class PatternRequirement(BaseRequirement, frozen=True, tag="pattern"):
    """The member is a text that matches a regular expression."""

    source: str
    flags: str = ""

    @property
    def operand(self) -> Json:
        return self.source


class FormatRequirement(BaseRequirement, frozen=True, tag="format"):
    """The member is a text of a format."""

    format: str

    @property
    def operand(self) -> Json:
        return self.format


class PresenceRequirement(BaseRequirement, frozen=True, tag="presence"):
    """The member is present, with any value."""

    @property
    def operand(self) -> Json:
        return None


class LengthRequirement(BaseRequirement, frozen=True, tag="length"):
    """The member is a text or list of this length."""

    length: Json

    @property
    def operand(self) -> Json:
        return self.length


class TypeRequirement(BaseRequirement, frozen=True, tag="type"):
    """The member is a value of this type."""

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
    """A validation library rejected a member of a document. `path` leads from the document to the member."""

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
    | TableHint
    | SplitHint
    | GroupHint
    | ListHint
    | InputHint
    | TokenClaimsHint
    | TokenKeyHint
    | SchemaHint
)
"""The kinds that agents send."""


class QueryHint(msgspec.Struct, frozen=True, kw_only=True):
    """A command whose outcome `wanted` (True: rows found) is uncovered. The core creates these hints itself."""

    target: TargetId
    call: int
    wanted: bool
    command: DatabaseCommand
    database: Database
    tables: Mapping[str, Sequence[Mapping[str, Json]]]
    """Table name -> rows after the call, for the tables that the command names."""
    kept_params: frozenset[int] = frozenset()
    """Indices of parameters whose values must stay, because code after the command requires them."""


class InjectionHint(msgspec.Struct, frozen=True, kw_only=True):
    """An input of a call stands in a command: an injection target. The core creates these hints itself."""

    key: tuple[str, ...]
    """Identifies the injection target: the operation, the place that sent the command, the input, the position."""
    call: int
    address: GeneAddress
    inner: tuple[str | int, ...]
    """Keys and indexes of the input within the value of a gene of any type."""
    templates: tuple[Json, ...]
    """Probes for the position, in the order in which they are tried (databases/injections/probes.py)."""


Hint: TypeAlias = AgentHint | QueryHint
