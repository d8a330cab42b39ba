"""An edit for one target may break what stands before it: another mode wants another member of the document, or another row than the test case
brings. What was said then is put right for the sake of that target, though the call has not come to it.
"""

from __future__ import annotations

import msgspec

from wimble.model.evaluation import CompareHint, Evaluation, Hint
from wimble.model.testcase import TestCase
from wimble.search.archive import Entry
from wimble.types import Json, TargetId

MAX_REPAIRS_PER_TARGET = 30
"""Edits for it whose documents and rows are put right; some demands contradict what the target needs."""


class Repairs:
    """Which refused edits are worth another one. Grows with the number of targets."""

    def __init__(self) -> None:
        self._made: dict[TargetId, int] = {}

    def entry(
        self, target: TargetId, evaluation: Evaluation, serial: int, before: TestCase | None = None
    ) -> Entry | None:
        """The test case that an edit for the target has made of `before`, with what was wrong with its documents and rows; None where the
        target was reached, or nothing was said."""
        if target in evaluation.reached or self._made.get(target, 0) >= MAX_REPAIRS_PER_TARGET:
            return None
        kept = _changed_values(evaluation.test_case, before) if before is not None else ()
        wrong = [right for hint in evaluation.hints if (right := _for(target, hint, evaluation, kept)) is not None]
        if not wrong:
            return None
        self._made[target] = self._made.get(target, 0) + 1
        entry = Entry(evaluation.test_case, serial=serial)
        entry.add_hints(target, wrong, evaluation.observations)
        return entry


def _for(target: TargetId, hint: Hint, evaluation: Evaluation, kept: tuple[Json, ...]) -> Hint | None:
    """The hint as one for the target; None where it is about something else."""
    if isinstance(hint, CompareHint):
        return msgspec.structs.replace(hint, target=target) if hint.is_about_member else None
    # The target was reached by the last call: test cases are cut behind it.
    is_in_the_way = hint.wanted and hint.call == len(evaluation.test_case.calls) - 1
    return msgspec.structs.replace(hint, target=target, kept=kept) if is_in_the_way else None


def _changed_values(test_case: TestCase, before: TestCase) -> tuple[Json, ...]:
    """What an edit has given to inputs: it was the point of the edit, so it is no part of what may be put right."""
    earlier = dict(before.iter_genes())
    changed = (gene.phenotype() for address, gene in test_case.iter_genes() if gene != earlier.get(address))
    return tuple(value for value in changed if isinstance(value, (str, int, float)) and not isinstance(value, bool))
