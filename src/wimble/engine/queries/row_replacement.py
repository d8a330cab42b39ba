"""Uncovered branches behind a command that may need rows, or rows with other values than those that it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from wimble.databases.sql.scope import Cells
from wimble.databases.sql.sql_values import Value, text_of
from wimble.model.database import DatabaseCommand
from wimble.model.hints import Hint, OperandHint
from wimble.types import Json, TargetId

MAX_WAITING: Final = 3
"""Branches of a call that get hints at rows of one command: the last ones, which most likely come after it."""
OWN_ROWS_PER_BRANCH: Final = 20
"""Attempts per branch at replacing a found row by an inserted one. The search keeps few of these evaluations, and reads
the hints of those alone: with 2 the guard of that kind was passed in eight of ten seeds, with 20 in ten."""
MAX_ROWS_READ: Final = 50
"""Rows of one table whose values are recognised in comparisons."""


class BranchesBehind:
    """Counts the attempts per branch; grows with the number of branches."""

    def __init__(self, is_covered: Callable[[TargetId], bool]) -> None:
        self._is_covered = is_covered
        self._turns: Counter[TargetId] = Counter()

    def waiting(self, hints: Sequence[Hint], command: DatabaseCommand) -> list[TargetId]:
        """Uncovered branches of the same call."""
        return list(dict.fromkeys(hint.target for hint in self._open(hints, command)))[-MAX_WAITING:]

    def may_wait_for_other_rows(self, hints: Sequence[Hint], command: DatabaseCommand) -> bool:
        """Whether a branch has attempts left, so that the rows that the command found are worth reading."""
        return any(self._turns[hint.target] < OWN_ROWS_PER_BRANCH for hint in self._open(hints, command))

    def waiting_for_other_rows(
        self, hints: Sequence[Hint], command: DatabaseCommand, rows: Mapping[str, Sequence[Cells]]
    ) -> list[TargetId]:
        """Branches that compare a value of the rows; each of them uses up an attempt."""
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
    """The operand as text, whatever type the driver gave it; empty where it cannot be a value of a column."""
    known: Value = operand if isinstance(operand, (str, int, float)) else ""
    return text_of(known) or ""
