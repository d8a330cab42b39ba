"""Plain data about one run of a test case: what was observed, and what was concluded from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Literal, TypeVar

import msgspec

from wimble.model.database import QueryPerRow
from wimble.model.hints import Hint, InjectionHint, QueryHint
from wimble.model.interaction import Interaction
from wimble.model.observation import BLOCKED, Cause, Observation
from wimble.model.testcase import Call, TestCase
from wimble.model.user_row import UserRow
from wimble.model.validation import Validation
from wimble.types import TargetId

_Key = TypeVar("_Key")
_Interaction = TypeVar("_Interaction", bound=Interaction)


class Origin(msgspec.Struct, frozen=True):
    """An evaluation, counted from the start of the SUT, and one of its calls.

    `seq` is 0 for the start itself, and if the evaluation was too long ago to be known.
    """

    seq: int
    call: int | None


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A timed job of the SUT that was kept from running during the search."""

    kind: Literal["interval", "timeout", "cron"]
    """`timeout`: a timer that starts itself again."""
    file: str
    """Absolute path of the file that created the job; empty if it is not known."""
    line: int
    period_ms: float | None
    expression: str
    """The expression of a `cron` job, if it is known."""


class Crash(msgspec.Struct, frozen=True, kw_only=True):
    """A failure of the SUT outside of an answer: its process died, or nothing handled an error.

    `exit`: one of its processes ended by itself (`process.exit`), as reported by its agent. If it was the process that
    serves, a `died` follows. `unheard-error`: an object of a library has emitted `error` and nothing listened.
    """

    kind: Literal["died", "uncaught-exception", "unhandled-rejection", "unheard-error", "exit"]
    call_index: int | None
    """Index of the call that was running; None if no call had begun."""
    cause: Cause
    exit_code: int | None = None
    signal: str = ""
    late: Origin | None = None
    """Set if the failure comes from work that an earlier evaluation, or the SUT's start, left running. Then no call of
    this evaluation caused it."""


class Reached(msgspec.Struct, frozen=True):
    """The best h of one target in one evaluation, and the index of the call that reached it."""

    h: float
    call: int


def keep_nearest(reached: dict[_Key, Reached], key: _Key, h: float, call: int) -> None:
    """Records h of a call in `reached`, if it is the best so far. Of equal values, the first one stays."""
    known = reached.get(key)
    if known is None or h > known.h:
        reached[key] = Reached(h, call)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """An oracle's verdict. Findings with the same `key` are one fault."""

    oracle: str
    """Name of the oracle: `server-error`, `response-schema`, `response-status`, `content-type`, `process-died`, ..."""
    key: tuple[str, ...]
    """Identifies the fault: the oracle, then the cause (file, line, message shape) or the operation and a detail."""
    operation: str
    title: str
    """One line, such as `POST /orders answers 500: TypeError: Cannot read properties of undefined`."""
    observed: str
    expected: str
    cause: Cause
    call_index: int
    status: int | None = None
    """The status of the HTTP answer that shows it; None if there is none."""
    part_of: tuple[tuple[str, ...], ...] = ()
    """Keys of faults that have the same cause, if the run finds them."""
    subject: str = ""
    """What it is about, in the words of its oracle: the path of a member of the answer (`$.items[0].price`), or the
    command of a change that was kept."""
    rule: str = ""
    """The keyword of the schema that an answer breaks, such as `type`; "" for other oracles."""
    is_about_document: bool = False
    """Whether the program most likely means what it answers, and the API description does not say it."""


class Evaluation(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One run of one test case: what was observed, and what the stages of the evaluator added.

    It is immutable; `msgspec.structs.replace` makes changed copies.
    """

    test_case: TestCase
    observations: tuple[Observation, ...]
    n_kept: int = 0
    """Number of the first calls that were not sent, since the SUT was in the state in which they leave it. They have
    observations from when they were, and all else is of the other calls."""
    reached: Mapping[TargetId, Reached]
    """h of targets: only of uncovered ones, except in a full evaluation."""
    findings: tuple[Finding, ...] = ()
    hints: tuple[Hint, ...] = ()
    conflicts: tuple[QueryHint, ...] = ()
    """Rows, or missing rows, with which a database would have refused a write of the calls. They serve no target."""
    injections: tuple[InjectionHint, ...] = ()
    """Inputs of the calls that stand in commands. Like conflicts, they serve no target of the archive."""
    user_rows: tuple[UserRow, ...] = ()
    """What sign-ups of the calls have stored."""
    queries_per_row: tuple[QueryPerRow, ...] = ()
    """Queries of the calls that ran for each row of another one."""
    interactions: tuple[Interaction, ...] = ()
    """Interactions of the calls, in order."""
    refused_setup: tuple[int, ...] = ()
    """Indices of setup actions that could not be applied, for example because the database refused the row."""
    proposed: TestCase | None = None
    """The test case with the setup actions that could not be applied, if there were any; it is what was run."""
    validations: tuple[Validation, ...] = ()
    """Schemas that validation libraries have applied in its calls, in order."""
    n_random_values: int = 0
    """Number of random numbers that no seed determined."""
    crashes: tuple[Crash, ...] = ()
    """Crashes caused by its own calls, and the death of the SUT for any reason."""
    late: tuple[Evaluation, ...] = ()
    """Earlier evaluations whose left-over work failed during this one, each with its crashes."""
    unattributed_crashes: tuple[Crash, ...] = ()
    """Crashes during this evaluation that no call caused."""

    def interactions_of(self, kind: type[_Interaction], call: int | None = None) -> list[_Interaction]:
        """Returns the interactions of one kind, such as DatabaseCommand, in order. call: only those of this call."""
        return [one for one in self.interactions if isinstance(one, kind) and (call is None or one.call == call)]

    def covered(self) -> frozenset[TargetId]:
        """Returns the targets that it covered; unless it is full, only those that were uncovered before."""
        return frozenset(target for target, reached in self.reached.items() if reached.h >= 1.0)

    def sent_calls(self) -> Iterator[tuple[Call, Observation]]:
        """Yields the calls that were sent, with their observations: not those that have others from before."""
        pairs = zip(self.test_case.calls, self.observations, strict=False)
        return islice(pairs, self.n_kept, None)

    def outcome_keys(self) -> list[str]:
        """Returns the key of the outcome of each call that was made, in order."""
        return [observation.outcome_key for observation in self.observations]

    @property
    def has_hung(self) -> bool:
        """Whether a call was not answered, so that the evaluation took as long as the time-out."""
        return any(observation.outcome == "hung" for observation in self.observations)

    @property
    def is_cut(self) -> bool:
        """Whether a call was not sent although the SUT was there: the time was over."""
        return not self.is_sut_lost and any(one.outcome == "not-run" for one in self.observations)

    @cached_property
    def is_sut_lost(self) -> bool:
        """Whether the SUT has to be started again before the next evaluation."""
        if self.crashes and any(crash.kind == "died" for crash in self.crashes):
            return True
        return BLOCKED in self.outcome_keys()


class Additions(msgspec.Struct, frozen=True, kw_only=True):
    """The results that one stage of the evaluator adds to an evaluation."""

    reached: Mapping[TargetId, Reached] = {}
    findings: Sequence[Finding] = ()
    hints: Sequence[Hint] = ()
    conflicts: Sequence[QueryHint] = ()
    injections: Sequence[InjectionHint] = ()
    user_rows: Sequence[UserRow] = ()
    queries_per_row: Sequence[QueryPerRow] = ()


def with_additions(evaluation: Evaluation, additions: Iterable[Additions]) -> Evaluation:
    """Returns a copy with the additions of all stages, in order. No two stages have h of the same target."""
    reached = dict(evaluation.reached)
    findings, hints = [*evaluation.findings], [*evaluation.hints]
    conflicts, injections = [*evaluation.conflicts], [*evaluation.injections]
    user_rows, queries_per_row = [*evaluation.user_rows], [*evaluation.queries_per_row]
    for added in additions:
        reached.update(added.reached)
        findings += added.findings
        hints += added.hints
        conflicts += added.conflicts
        injections += added.injections
        user_rows += added.user_rows
        queries_per_row += added.queries_per_row
    return msgspec.structs.replace(
        evaluation,
        reached=reached,
        findings=tuple(findings),
        hints=tuple(hints),
        conflicts=tuple(conflicts),
        injections=tuple(injections),
        user_rows=tuple(user_rows),
        queries_per_row=tuple(queries_per_row),
    )
