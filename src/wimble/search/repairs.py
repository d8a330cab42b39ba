"""An edit for one target may break what a library demands of the document: another mode wants another member. What it says then is put right for
the sake of that target, though the call has not come to it.
"""

from __future__ import annotations

import msgspec

from wimble.model.evaluation import CompareHint, Evaluation, Hint
from wimble.search.archive import Entry
from wimble.types import TargetId

MAX_REPAIRS_PER_TARGET = 30
"""Edits for it whose documents are put right; some demands contradict what the target needs."""


class Repairs:
    """Which refused edits are worth another one. Grows with the number of targets."""

    def __init__(self) -> None:
        self._made: dict[TargetId, int] = {}

    def entry(self, target: TargetId, evaluation: Evaluation, serial: int) -> Entry | None:
        """The test case that an edit for the target has made, with what was wrong with its documents; None where the target was reached, or nothing
        was said."""
        if target in evaluation.reached or self._made.get(target, 0) >= MAX_REPAIRS_PER_TARGET:
            return None
        wrong: list[Hint] = [
            msgspec.structs.replace(hint, target=target)
            for hint in evaluation.hints
            if isinstance(hint, CompareHint) and hint.is_about_member
        ]
        if not wrong:
            return None
        self._made[target] = self._made.get(target, 0) + 1
        entry = Entry(evaluation.test_case, serial=serial)
        entry.add_hints(target, wrong, evaluation.observations)
        return entry
