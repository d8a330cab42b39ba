"""The result of one call: an outcome that is independent of the protocol, and the exchange of its binding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Literal

import msgspec

from wimble.genes.gene import Resolver
from wimble.model.json_pointer import at_pointer
from wimble.types import ABSENT, Absent, Json

Outcome = Literal["ok", "redirected", "partial", "refused", "failed", "crashed", "hung", "unreadable", "not-run"]
"""Of answered calls: `ok`: the SUT did what the call asked; `redirected`: it refers to another place; `partial`: the
answer has a result and errors; `refused`: the SUT says that the call is wrong; `failed`: it says that it failed itself.
Of other calls: `crashed`: the SUT, or the connection to it, broke; `hung`: no answer came in time; `unreadable`: the
answer does not follow the protocol; `not-run`: an earlier call of the test case ended the SUT."""
UNANSWERED: Final = frozenset({"crashed", "hung", "unreadable", "not-run"})
BLOCKED: Final = "blocked"
"""Outcome key of a call after which the SUT's event loop no longer runs, so that the SUT has to be restarted."""

Complaint = Literal["", "input", "content", "missing", "limit", "other"]
"""Why the SUT did not accept a call: its input is wrong (`input`), or its content is of a kind that it does not take
(`content`), the thing that it names does not exist (`missing`), too many calls came before it, so that the answer says
nothing about it (`limit`), or another reason, such as the user or the method (`other`). Empty if the SUT does not
complain."""

FIELD_POINTER: Final = "field:"
"""Prefix of a pointer to a named input, or `meta`, of a page."""
PLACE: Final = "header:location"
"""Pointer to the name, in the answer's `place`, of the thing that the call has created."""


class Mistake(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the program did in a call and cannot have meant, such as using a value that it had to await."""

    file: str
    line: int
    text: str
    members: tuple[str, ...] | None = None
    """Where the program has put the value into an answer; `*` is an element of a list. The mistake counts only if the
    answer holds an object without members there, or null (`is_null`). None if the mistake is not about an answer."""
    is_fault: bool = msgspec.field(default=False, name="isFault")
    """Whether it is a fault whatever the call is answered."""
    is_null: bool = msgspec.field(default=False, name="isNull")
    """Whether the value is `null` in the answer: a number or date that JSON has no notation for."""


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """The place in the SUT that a fault comes from. `file` is absolute; it is empty, and line 0, if it is not known."""

    file: str = ""
    line: int = 0
    message: str = ""
    """The error's message with its type (`TypeError: Cannot read ...`); empty if there is none."""
    stack: str = ""
    statement: str = ""
    """`path:line` of the last executed statement ([WB-JS] §4.3), even if the stack has a better place."""
    thrown_at: str = ""
    """`path:line` where a package has made the error, if its stack has no place of the program."""
    mistakes: tuple[Mistake, ...] = ()
    """The program's own mistakes in the same call, in order."""

    @property
    def is_place_thrown(self) -> bool:
        """Whether the place stands in the stack of the error.

        Otherwise, if there is a stack, the error was made in a package, and the place is where the program last was,
        which differs from call to call.
        """
        return bool(self.file) and f"{self.file}:{self.line}" in self.stack


Denial = Literal["", "unknown", "forbidden", "forged"]
"""`unknown`: the SUT does not know who calls. `forbidden`: it knows, and asks for another user or role. `forged`: it
asks for a token of one of its pages, against forged requests (CSRF)."""


class GivenCredential(msgspec.Struct, frozen=True):
    """A value in an answer that may let later calls in."""

    kind: Literal["token", "cookie"]
    name: str
    """Its name in the answer: that of a member, a header or a cookie."""
    pointer: str
    """In the notation of `ReferenceGene`."""
    own_place: str = ""
    """Where later calls may carry it, as its name suggests, such as `header X-Token`; empty if it suggests none."""
    is_against_forgery: bool = False
    """Whether it is a token against forged requests: anybody gets one, and a user needs it beside a session."""
    is_document: bool = False
    """Whether its value is a JSON document, rather than an id or a token."""


class GivenText(msgspec.Struct, frozen=True):
    """An unusual text in an answer, which later calls may have to send again."""

    name: str
    """Its name in the answer: that of a member, a header or a cookie."""
    text: str
    pointer: str
    """In the notation of `ReferenceGene`."""


class Exchange(msgspec.Struct):
    """The input that a call sent, and the answer that it got.

    Each binding has a subclass; the search uses only these methods.
    """

    is_compared_whole: ClassVar[bool] = False
    """Whether a test asserts the whole value, whatever its size."""

    def value(self) -> Json | Absent:
        """Returns the answer as a value, parsed once on demand; ABSENT if it is not a value."""
        return ABSENT

    def pointed(self, pointer: str) -> Json:
        """Returns the value of a reference to the answer: at a JSON pointer, or at `PLACE`; ABSENT if there is none."""
        return at_pointer(self.value(), pointer)

    @property
    def n_bytes(self) -> int:
        """Size of the answer before parsing, in bytes."""
        return 0

    def text(self) -> str:
        """Returns the answer as text, whatever its type; empty if it cannot be decoded."""
        return ""

    def refusal_text(self) -> str:
        """Returns what the answer says of a refusal, without what tells only which operation was refused."""
        return self.text()

    def plain_text(self) -> str | None:
        """Returns the answer if it is a complete text without markup, else None."""
        return None

    def place(self) -> str:
        """Returns the location of the result that the answer names; empty if it names none."""
        return ""

    def failed_parts(self) -> frozenset[tuple[str, ...]]:
        """Returns the places of an otherwise given answer that could not be filled, as names of members from where the
        operation answers, without indexes of lists; () stands for all of it.
        """
        return frozenset()

    def complaint(self) -> Complaint:
        """Returns why the SUT did not accept the call; "" if it does not complain."""
        return ""

    def denial(self) -> Denial:
        """Returns how the SUT did not let the call in; "" if it did, or said something else."""
        return ""

    def blames_state(self) -> bool:
        """Whether the SUT says that a user, or a thing, is not in a state in which the call is allowed."""
        return False

    def credentials(self) -> tuple[GivenCredential, ...]:
        """Returns the values in the answer that may let later calls in, likeliest first."""
        return ()

    def asks_again(self) -> bool:
        """Whether the answer is a page with a form that asks for a password, as a refused sign-up or login gives."""
        return False

    def given_texts(self) -> tuple[GivenText, ...]:
        """Returns the unusual texts in the answer, to which inputs of later calls may refer."""
        return ()

    def named(self, operation: str) -> str:
        """Returns what the result is of, for names of tests: the operation, unless another call has ended before it."""
        return operation

    def steps_before(self) -> tuple[str, ...]:
        """Returns the names of what was called on the same object before; empty if the binding knows no such calls."""
        return ()

    def phrase(self) -> str:
        """Returns the result of the call in words, for names of tests, such as `answers 404`."""
        return ""

    def kept(self) -> Exchange:
        """Returns a copy that keeps `value` and `place` and needs little memory."""
        return self


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one call."""

    call_index: int
    outcome: Outcome
    outcome_keys: tuple[str, ...]
    """Each key is a target of the operation. The first one identifies the outcome (`201`, `timeout`), others add to it
    (`errors`)."""
    exchange: Exchange
    """Only layers that know the call's binding read it."""
    elapsed_s: float = 0.0
    """Wall time. In a search with a budget in calls, it never affects what is tried next."""
    cause: Cause | None = None
    """The agent's cause for calls that failed, crashed, hung or threw."""
    causes_at: Mapping[str, Cause] = {}
    """The agent's causes of parts of the answer that failed, by their path in the answer (`films/1/country`)."""

    @property
    def outcome_key(self) -> str:
        """The key that identifies the outcome, such as `201` or `timeout`."""
        return self.outcome_keys[0]

    @property
    def is_answered(self) -> bool:
        return self.outcome not in UNANSWERED


def call_resolver(observations: Sequence[Observation]) -> Resolver:
    """Returns a resolver of references to earlier calls of the same test case (`Exchange.pointed`).

    It returns ABSENT if there is no such call or value. `observations` may grow while the resolver is in use.
    """

    def resolve(index: int, pointer: str) -> Json:
        return observations[index].exchange.pointed(pointer) if 0 <= index < len(observations) else ABSENT

    return resolve
