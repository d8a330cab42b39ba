"""What an oracle is, and what oracles share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause, Observation
from wimble.model.operation import Operation
from wimble.oracles.contracts import Contracts

NO_CAUSE = Cause()


class CallView(NamedTuple):
    """One call of an evaluation, as an oracle sees it."""

    operation: Operation
    observation: Observation
    evaluation: Evaluation
    contracts: Contracts


Verdict = list[Finding]
CallOracle = Callable[[CallView], Verdict]
"""Looks at one call that was sent."""
EvaluationOracle = Callable[[Evaluation], Verdict]
"""Looks at what happened beside the answers."""


class Oracle(NamedTuple):
    """One line of the table.

    `yields_to`: names of oracles whose finding on the same call makes this one's superfluous, since it is the same
    fault.
    """

    name: str
    judge_call: CallOracle | None = None
    judge_evaluation: EvaluationOracle | None = None
    yields_to: frozenset[str] = frozenset()


def cause_key(cause: Cause) -> tuple[str, ...]:
    """What identifies the place of a cause: file and line; empty where they are not known."""
    return (cause.file, str(cause.line)) if cause.file else ()


def place_of(cause: Cause) -> str:
    """` at path:line`, or nothing; for sentences."""
    if cause.file:
        return f" at {cause.file}:{cause.line}"
    return f" at {cause.statement}" if cause.statement else ""


def place_of_command(command: DatabaseCommand) -> Cause:
    """The place that ran the command."""
    file, _, line = command.site.rpartition(":")
    return Cause(file=file, line=int(line), statement=command.site) if file and line.isdigit() else NO_CAUSE
