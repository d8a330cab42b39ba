"""Converts results of agents to the model: targets with the ids of the run, hints, causes, crashes, schedules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, cast

import msgspec

from wimble.agent.agents import Agent
from wimble.agent.protocol import database_messages, messages
from wimble.model.evaluation import Crash, Origin, Reached, Schedule
from wimble.model.hints import UNDEFINED, AgentHint
from wimble.model.observation import Cause
from wimble.model.validation import Validation
from wimble.types import ABSENT, TargetId


class MergedResult(msgspec.Struct):
    """The merged results of all agents in one evaluation.

    For each target, it has the best h and the first call that reached this h.
    """

    reached: dict[TargetId, Reached]
    hints: list[AgentHint]
    causes: dict[int, Cause]
    """Cause by index of the call."""
    n_calls: int
    is_complete: bool
    """False if a serving process has ended or did not answer in time."""
    causes_at: dict[int, dict[str, Cause]] = {}
    """Causes of failed parts of an answer, by index of the call and path in the answer."""
    commands: list[database_messages.CommandMessage] = []
    """Commands of the evaluation, of work left over from earlier ones, and of requests between evaluations."""
    n_commands_dropped: int = 0
    n_random_values: int = 0
    """Number of random numbers that no seed determined."""
    validations: list[Validation] = []
    guarded: frozenset[int] = frozenset()
    """Indexes of the calls that have set a time-out, while the SUT calls services."""
    sent_requests: list[messages.SentRequest] = []
    slowest: Cause | None = None
    """The statement that took most of the time, in an evaluation that was timed."""


def merged(heard: Iterable[tuple[Agent, messages.Result]], *, is_complete: bool) -> MergedResult:
    """Returns the result of an evaluation, from those of its processes."""
    result = MergedResult({}, [], {}, 0, is_complete=is_complete)
    for agent, message in heard:
        _merge(result, agent, message)
    return result


def _merge(result: MergedResult, agent: Agent, message: messages.Result) -> None:
    reached, global_ids = result.reached, agent.global_ids
    n_known = len(global_ids)
    flat = iter(message.targets)
    for local, call, h in zip(flat, flat, flat, strict=True):
        if local < n_known:
            target = global_ids[cast(int, local)]
            known = reached.get(target)
            if known is None or h > known.h or (h == known.h and call < known.call):
                reached[target] = Reached(float(h), int(call))
    for hint in message.hints:
        if 0 <= hint.target < n_known:
            result.hints.append(msgspec.structs.replace(hint, target=global_ids[hint.target]))
    _merge_causes(result, message)
    if message.validations:
        result.validations = result.validations + list(_validations(agent, message))
    result.n_calls += message.calls
    if message.commands:
        result.commands = result.commands + message.commands
    result.n_commands_dropped += message.commands_dropped
    result.n_random_values += message.random_values
    if message.guarded or message.sent_requests:
        result.guarded |= frozenset(message.guarded)
        result.sent_requests = result.sent_requests + message.sent_requests
    file, _, line = message.slowest.rpartition(":")
    if line.isdigit():
        result.slowest = Cause(file=file, line=int(line))


def _merge_causes(result: MergedResult, message: messages.Result) -> None:
    """Adds causes of calls, and those of parts of answers. The first cause of each counts."""
    for cause in message.causes:
        if cause.call is None:
            continue
        if cause.path is None:
            result.causes.setdefault(cause.call, cause.to_cause())
        else:
            result.causes_at.setdefault(cause.call, {}).setdefault(cause.path, cause.to_cause())


def _validations(agent: Agent, message: messages.Result) -> Iterator[Validation]:
    for one in message.validations:
        applied = agent.schemas.get(one.schema)
        if applied is not None:
            value = ABSENT if one.value == UNDEFINED else one.value
            yield Validation(call=one.call, applied=applied, value=value, place=tuple(one.place), is_valid=one.valid)


def crash_of(message: messages.CrashMessage) -> Crash:
    kind: Literal["uncaught-exception", "unhandled-rejection", "unheard-error", "exit"]
    match message.kind:
        case "unheard-error":
            kind = "unheard-error"
        case "unhandled-rejection":
            kind = "unhandled-rejection"
        case "exit":
            kind = "exit"
        case _:
            kind = "uncaught-exception"
    cause = message.cause.to_cause() if message.cause is not None else Cause()
    late = None if message.late is None else Origin(message.late.seq, message.late.call)
    return Crash(kind=kind, call_index=message.call, cause=cause, exit_code=message.exit_code, late=late)


def schedule_of(message: messages.ScheduleMessage) -> Schedule:
    kind: Literal["interval", "timeout", "cron"]
    match message.kind:
        case "cron":
            kind = "cron"
        case "timeout":
            kind = "timeout"
        case _:
            kind = "interval"
    return Schedule(
        kind=kind,
        file=message.file,
        line=message.line,
        period_ms=message.period_ms,
        expression=message.expression,
    )
