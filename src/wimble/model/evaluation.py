"""What was seen when a test case ran once. Plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from wimble.model.database import Command, Database
from wimble.model.http import CallFailure, HttpRequest, HttpResponse
from wimble.model.testcase import TestCase
from wimble.types import Json, TargetId

_Key = TypeVar("_Key")


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Where in the SUT a fault came from. `file` is absolute; empty and line 0 where it could not be told."""

    file: str = ""
    line: int = 0
    message: str = ""
    """The error's message with its type (`TypeError: Cannot read ...`), or empty."""
    stack: str = ""
    statement: str = ""
    """`path:line` of the last executed statement (seed 000 §4.3), even where the stack names a better place."""


class Observation(msgspec.Struct, kw_only=True):
    """One call as it went. Exactly one of `response` and `failure` is set."""

    call_index: int
    request: HttpRequest
    response: HttpResponse | None = None
    failure: CallFailure | None = None
    detail: str = ""
    """Of a failure: what became of the connection."""
    elapsed_s: float = 0.0
    """Wall time; for oracles, reports and the pace of a SUT (engine/slowing.py), never for what the search tries next."""
    cause: Cause | None = None
    """From the agent, for calls that answered 5xx, failed, or threw."""


class CompareHint(msgspec.Struct, frozen=True, kw_only=True):
    """Operands met at a comparison whose outcome `wanted` is still uncovered.

    operator: `===`, `==`, `<`, `switch`, `startsWith`, `endsWith`, `includes`, `regex`, ... as in protocol/README.md.
    left, right: JSON scalars. For methods `left` is the receiver; for `regex` `right` is the source and `flags` its flags.
    """

    target: TargetId
    call: int
    operator: str
    left: Json
    right: Json
    wanted: bool
    flags: str = ""
    name: str = ""
    """What the program calls an operand that is undefined; empty where it has no name."""

    @property
    def is_about_member(self) -> bool:
        """Whether a library that checks documents by a schema said this of the member that `name` leads to."""
        return self.name.startswith(".")


class QueryHint(msgspec.Struct, frozen=True, kw_only=True):
    """A command whose outcome `wanted` (rows found: True) is still uncovered."""

    target: TargetId
    call: int
    wanted: bool
    command: Command
    database: Database
    tables: Mapping[str, Sequence[Mapping[str, Json]]]
    """Rows that were there after the call, by name of the table, of those that the command names."""
    kept_params: frozenset[int] = frozenset()
    """Places of the command's parameters that have to stay as they are, since something behind the command asks for what they came from."""


Hint = CompareHint | QueryHint
"""Union of all kinds of hint; grows."""


class Origin(msgspec.Struct, frozen=True):
    """An evaluation, counted since the SUT's start, and a call of it. `seq` 0: the start itself, or too long ago to say."""

    seq: int
    call: int | None


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A job of the SUT that runs by the clock, and that was kept from running during the search."""

    kind: Literal["interval", "timeout", "cron"]
    """`timeout`: a timer that sets itself again."""
    file: str
    """Where it was set, absolute; empty where it could not be told."""
    line: int
    period_ms: float | None
    expression: str
    """Of `cron`, as far as it is known."""


class Crash(msgspec.Struct, frozen=True, kw_only=True):
    """The SUT broke outside of an answer: its process died, or something was thrown or rejected that nobody caught.

    `exit`: a process of it ended by itself (`process.exit`), as its agent told; `died` follows where it was the one that serves.
    """

    kind: Literal["died", "uncaught-exception", "unhandled-rejection", "exit"]
    call_index: int | None
    """The call that was running; None where none had begun."""
    cause: Cause
    exit_code: int | None = None
    signal: str = ""
    late: Origin | None = None
    """Where it comes of work that an earlier evaluation, or the SUT's start, has left behind: no call of this one is to blame."""


class Reached(msgspec.Struct, frozen=True):
    """Best h of one target in one evaluation, and the call that reached it."""

    h: float
    call: int


def keep_nearest(reached: dict[_Key, Reached], key: _Key, h: float, call: int) -> None:
    """Notes that a call came so near; of several what came nearest, and the first among equals."""
    known = reached.get(key)
    if known is None or h > known.h:
        reached[key] = Reached(h, call)


class Evaluation(msgspec.Struct, kw_only=True):
    """One run of one test case. `reached` holds uncovered targets only, unless a full evaluation was asked for."""

    test_case: TestCase
    observations: tuple[Observation, ...]
    reached: dict[TargetId, Reached]
    hints: tuple[Hint, ...] = ()
    conflicts: tuple[QueryHint, ...] = ()
    """By which rows, or for lack of which, a database would have refused what its calls wrote; for no target."""
    commands: tuple[Command, ...] = ()
    """What its calls ran on databases, in order."""
    refused_rows: tuple[int, ...] = ()
    """Setup actions, by index, whose row a database has refused."""
    proposed: TestCase | None = None
    """What was run, where that is not `test_case`: it had rows that were refused."""
    n_draws: int = 0
    """Of numbers by chance, where nothing seeds it."""
    crashes: tuple[Crash, ...] = ()
    """Of its own calls; and the SUT's death, whatever it died of."""
    late: tuple[Evaluation, ...] = ()
    """Earlier evaluations whose left-over work broke during this one, each with what it broke."""
    strays: tuple[Crash, ...] = ()
    """What broke by itself during this one: no call set it off."""

    def covered(self) -> frozenset[TargetId]:
        """Targets that it covered, of those that it tells of: all in a full evaluation, else those that were not covered before."""
        return frozenset(target for target, reached in self.reached.items() if reached.h >= 1.0)

    @property
    def is_sut_lost(self) -> bool:
        """Whether the SUT has to be started again before the next evaluation."""
        return any(crash.kind == "died" for crash in self.crashes) or any(
            observation.failure == "blocked" for observation in self.observations
        )


class Finding(msgspec.Struct, kw_only=True):
    """An oracle's verdict. Findings with the same `key` are one fault."""

    oracle: str
    """Name in oracles/: `server-error`, `response-schema`, `response-status`, `content-type`, `process-died`, ..."""
    key: tuple[str, ...]
    """What makes it the same fault: oracle, then cause (file, line, message shape) or operation and detail."""
    operation: str
    status: int | None
    title: str
    """One line, such as `POST /orders answers 500: TypeError: Cannot read properties of undefined`."""
    observed: str
    expected: str
    cause: Cause
    call_index: int
