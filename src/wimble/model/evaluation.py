"""What was seen when a test case ran once. Plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from wimble.model.hints import Hint, QueryHint
from wimble.model.interaction import Interaction
from wimble.model.observation import BLOCKED, Cause, Observation
from wimble.model.testcase import TestCase
from wimble.types import TargetId

_Key = TypeVar("_Key")
_Interaction = TypeVar("_Interaction", bound=Interaction)


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
    """The SUT broke outside of an answer: its process died, or an error was raised or rejected that nothing handled.

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


class Finding(msgspec.Struct, frozen=True, kw_only=True):
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


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """One run of one test case: what the SUT showed, and what the stages of the evaluator added to it.

    It is built once; whoever wants another one makes a copy with `msgspec.structs.replace`.
    """

    test_case: TestCase
    observations: tuple[Observation, ...]
    reached: Mapping[TargetId, Reached]
    """Uncovered targets only, unless a full evaluation was asked for."""
    findings: tuple[Finding, ...] = ()
    hints: tuple[Hint, ...] = ()
    conflicts: tuple[QueryHint, ...] = ()
    """By which rows, or for lack of which, a database would have refused what its calls wrote; for no target."""
    interactions: tuple[Interaction, ...] = ()
    """What its calls made the SUT do to the outside, in order."""
    refused_setup: tuple[int, ...] = ()
    """Setup actions, by index, that could not be applied: the database has refused the row, say."""
    proposed: TestCase | None = None
    """What was run, where that is not `test_case`: it had setup actions that could not be applied."""
    n_random_values: int = 0
    """Of numbers by chance, where nothing seeds it."""
    crashes: tuple[Crash, ...] = ()
    """Of its own calls; and the SUT's death, whatever it died of."""
    late: tuple[Evaluation, ...] = ()
    """Earlier evaluations whose left-over work broke during this one, each with what it broke."""
    unattributed_crashes: tuple[Crash, ...] = ()
    """What broke by itself during this one: no call set it off."""

    def interactions_of(self, kind: type[_Interaction], call: int | None = None) -> list[_Interaction]:
        """The interactions of one kind, in order: `interactions_of(DatabaseCommand)`. call: only those of this call."""
        return [one for one in self.interactions if isinstance(one, kind) and (call is None or one.call == call)]

    def covered(self) -> frozenset[TargetId]:
        """Targets that it covered, of those that it tells of: all in a full evaluation, else those that were not covered before."""
        return frozenset(target for target, reached in self.reached.items() if reached.h >= 1.0)

    @property
    def is_sut_lost(self) -> bool:
        """Whether the SUT has to be started again before the next evaluation."""
        return any(crash.kind == "died" for crash in self.crashes) or any(
            observation.outcome_key == BLOCKED for observation in self.observations
        )


class Additions(msgspec.Struct, frozen=True, kw_only=True):
    """What one stage of the evaluator adds to an evaluation."""

    reached: Mapping[TargetId, Reached] = {}
    findings: Sequence[Finding] = ()
    hints: Sequence[Hint] = ()
    conflicts: Sequence[QueryHint] = ()


def with_additions(evaluation: Evaluation, additions: Iterable[Additions]) -> Evaluation:
    """A copy of the evaluation with what all stages added, in their order. No two stages reach the same target."""
    reached = dict(evaluation.reached)
    findings, hints, conflicts = [*evaluation.findings], [*evaluation.hints], [*evaluation.conflicts]
    for added in additions:
        reached.update(added.reached)
        findings += added.findings
        hints += added.hints
        conflicts += added.conflicts
    return msgspec.structs.replace(
        evaluation, reached=reached, findings=tuple(findings), hints=tuple(hints), conflicts=tuple(conflicts)
    )
