"""What a command came to: whether it found rows, and h of both outcomes (seed 000 §3.3: never 0 for what was reached, 1 when covered)."""

from __future__ import annotations

from typing import Protocol

import msgspec

from wimble.model.database import Command
from wimble.sql.truth import BASE, Truth, closeness


class Counting(Protocol):
    """What has to be known of a statement here."""

    @property
    def is_count(self) -> bool: ...


class Outcome(msgspec.Struct, frozen=True):
    is_found: bool
    h_found: float
    h_missed: float


def is_found(command: Command, statement: Counting, truth: Truth | None) -> bool | None:
    """Whether the command found rows; None where it failed, or where that cannot be told.

    The driver says it, except for a count, which answers a row in any case.
    """
    if command.error:
        return None
    if statement.is_count:
        return None if truth is None else truth.value
    count = command.returned if command.returned is not None else command.affected
    return None if count is None else count > 0


def outcome_of(found: bool, truth: Truth | None) -> Outcome:
    """truth: over the rows that are there; None, or at odds with what the driver saw, where no distance is known."""
    h = BASE
    if truth is not None and truth.value is found:
        h = closeness(truth.to_false if found else truth.to_true)
    elif truth is not None and truth.value is None and not found:
        h = closeness(truth.to_true)
    return Outcome(found, 1.0, h) if found else Outcome(found, h, 1.0)
