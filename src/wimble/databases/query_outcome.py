"""The outcome of a command (whether it found rows), and h of both outcomes.

As in [WB-JS] §3.3, h of both outcomes is above 0 once the command has run, and h of the outcome that occurred is 1.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from wimble.databases.conditions.truth import BASE, Truth, closeness
from wimble.model.database import DatabaseCommand


class Counting(Protocol):
    """The part of a compiled command that `is_found` needs."""

    @property
    def is_count(self) -> bool: ...


class Outcome(msgspec.Struct, frozen=True):
    """Whether a command found rows, and h of both outcomes."""

    is_found: bool
    h_found: float
    h_missed: float


def is_found(command: DatabaseCommand, statement: Counting, truth: Truth | None) -> bool | None:
    """Returns whether the command found rows; None if it failed, or if that is not known.

    The driver reports the number of rows. A count returns a row in any case, so its `truth` decides.
    """
    if command.error:
        return None
    if statement.is_count:
        return None if truth is None else truth.value
    count = command.returned if command.returned is not None else command.affected
    return None if count is None else count > 0


def outcome_of(found: bool, truth: Truth | None) -> Outcome:
    """Returns the outcome and h of both outcomes.

    truth: the truth of the command over the present rows. If it is None or contradicts what the driver reported, no
    distance is known.
    """
    h = BASE
    if truth is not None and truth.value is found:
        h = closeness(truth.to_false if found else truth.to_true)
    elif truth is not None and truth.value is None and not found:
        h = closeness(truth.to_true)
    return Outcome(found, 1.0, h) if found else Outcome(found, h, 1.0)
