"""What became of one call: its outcome, in words that no protocol owns, and the exchange that only its binding can
read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from wimble.genes.gene import Resolver
from wimble.model.json_pointer import at_pointer
from wimble.types import ABSENT, Absent, Json

Outcome = Literal["ok", "redirected", "partial", "refused", "failed", "crashed", "hung", "unreadable", "not-run"]
"""With an answer: `ok`: the SUT did what it was asked; `redirected`: it names another place instead; `partial`: there
are errors beside a result; `refused`: it says that the call is wrong; `failed`: it says that it went wrong itself.
Without: `crashed`: the SUT, or the connection to it, broke; `hung`: no answer came in time; `unreadable`: what came is
no answer; `not-run`: an earlier call of the test case ended the SUT."""
UNANSWERED: Final = frozenset({"crashed", "hung", "unreadable", "not-run"})
BLOCKED: Final = "blocked"
"""Outcome key of a call after which the SUT's event loop does not turn any more: it has to be started again."""

Complaint = Literal["", "input", "missing", "other"]
"""Why an answer is no success: the call's input is wrong; what it names is not there; something else (who calls, how
often, how). Empty: it does not complain of the call."""

PLACE: Final = "header:location"
"""Pointer to the name by which the answer's `place` calls what the call has made."""


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the SUT a fault came from. `file` is absolute; empty and line 0 where it could not be told."""

    file: str = ""
    line: int = 0
    message: str = ""
    """The error's message with its type (`TypeError: Cannot read ...`), or empty."""
    stack: str = ""
    statement: str = ""
    """`path:line` of the last executed statement ([WB-JS] §4.3), even where the stack names a better place."""


class Exchange(msgspec.Struct):
    """What a call sent and what came back. Bindings subclass it; the search reads it by these methods only."""

    def value(self) -> Json | Absent:
        """What came back, parsed once, when first asked for; ABSENT where it is no value."""
        return ABSENT

    def pointed(self, pointer: str) -> Json:
        """What a reference to the answer stands for: a JSON pointer into the value, or `PLACE`. ABSENT where there is
        no such thing."""
        return at_pointer(self.value(), pointer)

    @property
    def n_bytes(self) -> int:
        """Size of what came back, before it is parsed."""
        return 0

    def text(self) -> str:
        """What came back as text, whatever it is; empty where it cannot be read."""
        return ""

    def plain_text(self) -> str | None:
        """What came back, where that is a whole text without markup; None where it is anything else."""
        return None

    def place(self) -> str:
        """Where the answer says that the result stands; empty where it does not say."""
        return ""

    def complaint(self) -> Complaint:
        return ""

    def phrase(self) -> str:
        """What became of the call, for names of tests: `answers 404`."""
        return ""

    def kept(self) -> Exchange:
        """A copy that holds `value` and `place` in little memory."""
        return self


class Observation(msgspec.Struct, kw_only=True):
    """One call as it went."""

    call_index: int
    outcome: Outcome
    outcome_keys: tuple[str, ...]
    """Each a target of the operation; the first tells its outcomes apart (`201`, `timeout`), others tell more
    (`errors`)."""
    exchange: Exchange
    """Only layers that know the call's binding look into it."""
    elapsed_s: float = 0.0
    """Wall time; for oracles, reports and the pace of a SUT, never for what the search tries next."""
    cause: Cause | None = None
    """From the agent, for calls that failed, crashed, hung or threw."""

    @property
    def outcome_key(self) -> str:
        return self.outcome_keys[0]

    @property
    def is_answered(self) -> bool:
        return self.outcome not in UNANSWERED


def call_resolver(observations: Sequence[Observation]) -> Resolver:
    """Answers references to earlier calls of the same test case, ABSENT where there is no such thing
    (`Exchange.pointed`).

    `observations` may grow while the resolver is in use.
    """

    def resolve(index: int, pointer: str) -> Json:
        return observations[index].exchange.pointed(pointer) if 0 <= index < len(observations) else ABSENT

    return resolve
