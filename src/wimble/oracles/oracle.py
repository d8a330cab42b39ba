"""The type of an oracle, and the functions that oracles share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause, Observation, Outcome
from wimble.model.operation import Operation
from wimble.oracles.databases.written_columns import NOTHING_WRITTEN, WrittenColumns
from wimble.oracles.documents.contracts import Contracts
from wimble.oracles.failures.answered_promises import AnsweredPromises

NO_CAUSE = Cause()


class CallView(NamedTuple):
    """One call of an evaluation, as an oracle sees it."""

    operation: Operation
    observation: Observation
    evaluation: Evaluation
    contracts: Contracts
    promises: AnsweredPromises
    calls_services: bool = False
    """Whether the operation was seen to call a service, in this evaluation or in an earlier one."""
    written: WrittenColumns = NOTHING_WRITTEN


GIVEN_ANSWERS: Final[frozenset[Outcome]] = frozenset(["ok", "redirected", "partial", "refused"])
"""Outcomes of calls that the SUT has answered on purpose, rather than since it failed."""

Verdict = list[Finding]
CallOracle = Callable[[CallView], Verdict]
"""Judges one call that was sent."""
EvaluationOracle = Callable[[Evaluation], Verdict]
"""Judges what happened outside of answers."""


class Oracle(NamedTuple):
    """One line of the table of oracles.

    `yields_to`: names of oracles. If one of them has a finding on the same call, findings of this oracle on that call
    are dropped, since they show the same fault.
    `outcomes`: outcomes of the calls that it judges; None for all. `reads_interactions`: whether it judges calls only
    if the SUT had interactions. Both are there for speed: nearly all calls are answered as they should be.
    """

    name: str
    judge_call: CallOracle | None = None
    judge_evaluation: EvaluationOracle | None = None
    yields_to: frozenset[str] = frozenset()
    outcomes: frozenset[Outcome] | None = None
    reads_interactions: bool = False

    def judges(self, outcome: Outcome, *, has_interactions: bool) -> bool:
        """Whether it judges calls with this outcome, in an evaluation with or without interactions."""
        if self.judge_call is None or (self.reads_interactions and not has_interactions):
            return False
        return self.outcomes is None or outcome in self.outcomes


def cause_key(cause: Cause) -> tuple[str, ...]:
    """Returns (file, line) of a cause, which identifies its place; () if the file is not known."""
    return (cause.file, str(cause.line)) if cause.file else ()


def answer_key(cause: Cause) -> tuple[str, ...]:
    """Returns the same for the cause of an answer: the place in a package if packages alone have handled the call."""
    file, _, line = cause.thrown_at.rpartition(":")
    return cause_key(cause) or ((file, line) if file else ())


def place_of(cause: Cause) -> str:
    """Returns the place of a cause for the end of a sentence (` at path:line`); "" if it is not known."""
    if cause.file:
        return f" at {cause.file}:{cause.line}"
    return f" at {cause.statement}" if cause.statement else ""


def place_of_command(command: DatabaseCommand) -> Cause:
    """Returns the place in the code that has written the command, or NO_CAUSE."""
    file, _, line = command.place.rpartition(":")
    return Cause(file=file, line=int(line), statement=command.site) if file and line.isdigit() else NO_CAUSE


def place_of_thrown(view: CallView, cause: Cause) -> Cause:
    """Returns the cause with the place of the command that failed with it, if its stack names none of the program, or
    only a function that hands on commands.

    Drivers that report errors to callbacks make them without a stack. The place is then where the program last was,
    often its error handler.
    """
    if not cause.file or not cause.message:
        return cause
    for command in reversed(list(view.evaluation.interactions_of(DatabaseCommand, view.observation.call_index))):
        is_handed_on = bool(command.caller) and command.site == f"{cause.file}:{cause.line}"
        if cause.is_place_thrown and not is_handed_on:
            continue
        if command.error and command.error in cause.message and place_of_command(command).file:
            place = place_of_command(command)
            stack = cause.stack and f"{cause.stack}\n    at {command.place}"
            return msgspec.structs.replace(cause, file=place.file, line=place.line, stack=stack, thrown_at="")
    return cause
