"""Branches behind a command: which of them wait for rows with other values than those that it found, or for rows at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from wimble.model.database import Command
from wimble.model.evaluation import CompareHint, Evaluation
from wimble.sql.scope import Cells
from wimble.sql.values import Value, text_of
from wimble.types import Json, TargetId

MAX_WAITING: Final = 3
"""Branches of a call that get rows for one command: the last ones, which are most likely behind it."""
OWN_ROWS_PER_BRANCH: Final = 20
"""Evaluations of a branch behind rows that were there for which a row of the test case's own is proposed. The search keeps few of these, and takes
up what is proposed for them alone: with 2, the guard of that kind was passed in eight of ten seeds, with 20 in ten."""
MAX_ROWS_READ: Final = 50
"""Rows of one table whose values are known again in comparisons."""


class Behind:
    """Remembers which branches had their turn; grows with their number."""

    def __init__(self, is_covered: Callable[[TargetId], bool]) -> None:
        self._is_covered = is_covered
        self._turns: Counter[TargetId] = Counter()

    def waiting(self, evaluation: Evaluation, command: Command) -> list[TargetId]:
        """Branches of the same call that were not passed."""
        return list(dict.fromkeys(hint.target for hint in self._open(evaluation, command)))[-MAX_WAITING:]

    def may_wait_for_other_rows(self, evaluation: Evaluation, command: Command) -> bool:
        """Whether it is worth the while to read the rows that the command found."""
        return any(self._turns[hint.target] < OWN_ROWS_PER_BRANCH for hint in self._open(evaluation, command))

    def waiting_for_other_rows(
        self, evaluation: Evaluation, command: Command, rows: Mapping[str, Sequence[Cells]]
    ) -> list[TargetId]:
        """Those that compare something that stands in the rows. Each of them has its turn by that."""
        texts = {text_of(value) for table in rows.values() for row in table[:MAX_ROWS_READ] for value in row.values()}
        asking = dict.fromkeys(
            hint.target
            for hint in self._open(evaluation, command)
            if self._turns[hint.target] < OWN_ROWS_PER_BRANCH
            and any(_text(side) in texts for side in (hint.left, hint.right))
        )
        waiting = list(asking)[-MAX_WAITING:]
        self._turns.update(waiting)
        return waiting

    def _open(self, evaluation: Evaluation, command: Command) -> Iterator[CompareHint]:
        for hint in evaluation.hints:
            if isinstance(hint, CompareHint) and hint.call == command.call and not self._is_covered(hint.target):
                yield hint


def _text(operand: Json) -> str:
    """As text, whatever type a driver gave it; empty for what is no value of a column."""
    known: Value = operand if isinstance(operand, (str, int, float)) else ""
    return text_of(known) or ""
