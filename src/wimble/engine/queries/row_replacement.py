"""Uncovered branches after a command that may need rows, or rows with other values than those that it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from wimble.databases.conditions.stored_values import Cells, Value, text_of
from wimble.model.database import DatabaseCommand
from wimble.model.hints import Hint, OperandHint
from wimble.types import Json, TargetId

MAX_WAITING: Final = 3
"""Number of branches of a call that get hints for rows of one command. The last ones are taken, since they most likely
run after the command.
"""
OWN_ROWS_PER_BRANCH: Final = 20
"""Attempts per branch to replace a found row by an inserted one. The search keeps few of these evaluations, and reads
only their hints: with 2 attempts the guard of that kind was passed in eight of ten seeds, with 20 in all ten.
"""
MAX_ROWS_READ: Final = 50
"""Number of rows of one table whose values are recognised in comparisons."""


class BranchesBehind:
    """Counts the attempts per branch. Its size grows with the number of branches."""

    def __init__(self, is_covered: Callable[[TargetId], bool]) -> None:
        self._is_covered = is_covered
        self._turns: Counter[TargetId] = Counter()

    def waiting(self, hints: Sequence[Hint], command: DatabaseCommand) -> list[TargetId]:
        """Returns uncovered branches of the same call."""
        return list(dict.fromkeys(hint.target for hint in self._open(hints, command)))[-MAX_WAITING:]

    def may_wait_for_other_rows(self, hints: Sequence[Hint], command: DatabaseCommand) -> bool:
        """Whether a branch has attempts left, so that it is worth reading the rows that the command found."""
        return any(self._turns[hint.target] < OWN_ROWS_PER_BRANCH for hint in self._open(hints, command))

    def waiting_for_other_rows(
        self, hints: Sequence[Hint], command: DatabaseCommand, rows: Mapping[str, Sequence[Cells]]
    ) -> list[TargetId]:
        """Returns branches that compare a value of the rows. Each of them uses up an attempt."""
        texts = {text_of(value) for table in rows.values() for row in table[:MAX_ROWS_READ] for value in row.values()}
        asking = dict.fromkeys(
            hint.target
            for hint in self._open(hints, command)
            if self._turns[hint.target] < OWN_ROWS_PER_BRANCH and any(_text(side) in texts for side in hint.operands)
        )
        waiting = list(asking)[-MAX_WAITING:]
        self._turns.update(waiting)
        return waiting

    def _open(self, hints: Sequence[Hint], command: DatabaseCommand) -> Iterator[OperandHint]:
        for hint in hints:
            if isinstance(hint, OperandHint) and hint.call == command.call and not self._is_covered(hint.target):
                yield hint


def _text(operand: Json) -> str:
    """Returns the operand as text, independent of the type that the driver gave it; empty if no column can hold it."""
    known: Value = operand if isinstance(operand, (str, int, float)) else ""
    return text_of(known) or ""
