"""An edit for one target may break what stands before it: another mode wants another member of the document, or another row than the test case
brings. What was said then is put right for the sake of that target, though the call has not come to it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from wimble.model.evaluation import CompareHint, Evaluation, Hint, QueryHint
from wimble.model.setup import as_written
from wimble.model.testcase import TestCase
from wimble.search.archive import Entry
from wimble.types import Json, TargetId

MAX_REPAIRS_PER_TARGET = 30
"""Edits for it whose documents are put right; some demands contradict what the target needs."""
MAX_ROW_REPAIRS_PER_TARGET = 3
"""Edits for it whose rows are. One is enough as a rule, and rows take milliseconds to work out: with 30, an API with many optional filters lost a
tenth of its calls/s."""


class Repairs:
    """Which refused edits are worth another one. Grows with the number of targets."""

    def __init__(self) -> None:
        self._made: dict[TargetId, int] = {}
        self._made_of_rows: dict[TargetId, int] = {}

    def entry(
        self, target: TargetId, evaluation: Evaluation, serial: int, before: TestCase | None = None
    ) -> Entry | None:
        """The test case that an edit for the target has made of `before`, with what was wrong with its documents and rows; None where the
        target was reached, or nothing was said."""
        if target in evaluation.reached:
            return None
        wrong = [*self._of_documents(target, evaluation), *self._of_rows(target, evaluation, before)]
        if not wrong:
            return None
        entry = Entry(evaluation.test_case, serial=serial)
        entry.add_hints(target, wrong, evaluation.observations)
        return entry

    def _of_documents(self, target: TargetId, evaluation: Evaluation) -> list[Hint]:
        if self._made.get(target, 0) >= MAX_REPAIRS_PER_TARGET:
            return []
        wrong: list[Hint] = [
            msgspec.structs.replace(hint, target=target)
            for hint in evaluation.hints
            if isinstance(hint, CompareHint) and hint.is_about_member
        ]
        if wrong:
            self._made[target] = self._made.get(target, 0) + 1
        return wrong

    def _of_rows(self, target: TargetId, evaluation: Evaluation, before: TestCase | None) -> list[Hint]:
        """What the edit has given to inputs was the point of it, so it is no part of what may be put right."""
        last = len(evaluation.test_case.calls) - 1
        missed = [hint for hint in evaluation.hints if isinstance(hint, QueryHint) and _is_missed(hint, last)]
        if before is None or not missed or self._made_of_rows.get(target, 0) >= MAX_ROW_REPAIRS_PER_TARGET:
            return []
        # As texts: drivers have a number where the input was its text.
        changed = {as_written(value) for value in _changed_values(evaluation.test_case, before)}
        wrong: list[Hint] = []
        for hint in missed:
            params = enumerate(hint.command.params)
            kept_params = frozenset(place for place, param in params if as_written(param) in changed)
            if kept_params:
                wrong.append(msgspec.structs.replace(hint, target=target, kept_params=kept_params))
        if wrong:
            self._made_of_rows[target] = self._made_of_rows.get(target, 0) + 1
        return wrong


def _is_missed(hint: QueryHint, call: int) -> bool:
    """Whether rows were not found by the call that reached the target before: the last one, since test cases are cut behind it."""
    return hint.wanted and hint.call == call and not (hint.command.returned or hint.command.affected)


def _changed_values(test_case: TestCase, before: TestCase) -> Iterator[Json]:
    earlier = dict(before.iter_genes())
    changed = (gene.phenotype() for address, gene in test_case.iter_genes() if gene != earlier.get(address))
    return (value for value in changed if isinstance(value, (str, int, float)) and not isinstance(value, bool))
