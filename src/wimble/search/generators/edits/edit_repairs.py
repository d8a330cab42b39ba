"""Restores preconditions that an edit has invalidated.

An edit for one target may break a check before it: another mode needs another member of the document, or another row
than the test case inserts. The hints of that check are then used for the target of the edit, although the call has not
reached the target.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.hints import Hint, QueryHint, SchemaHint
from wimble.model.setup import as_written
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Entry
from wimble.types import Json, TargetId

MAX_REPAIRS_PER_TARGET = 30
"""Maximum number of edits for a target whose documents are repaired. Some checks contradict what the target needs."""
MAX_ROW_REPAIRS_PER_TARGET = 3
"""Maximum number of edits for a target whose rows are repaired. Usually one is enough, and rows take milliseconds to
compute: with 30, an API with many optional filters lost a tenth of its calls/s.
"""


class EditRepairs:
    """Finds the edits that are worth a repair. Its size grows with the number of targets."""

    def __init__(self) -> None:
        self._n_of_documents: dict[TargetId, int] = {}
        self._n_of_rows: dict[TargetId, int] = {}

    def entry(
        self, target: TargetId, evaluation: Evaluation, serial: int, before: TestCase | None = None
    ) -> Entry | None:
        """Returns the test case that an edit for the target has made of `before`, to be repaired.

        The entry has the hints about its documents and rows. Returns None if the target was reached, or if there are no
        such hints.
        """
        if target in evaluation.reached:
            return None
        wrong = [*self._of_documents(target, evaluation), *self._of_rows(target, evaluation, before)]
        if not wrong:
            return None
        entry = Entry(evaluation.test_case, serial=serial)
        entry.add_hints(target, wrong, evaluation.observations)
        return entry

    def _of_documents(self, target: TargetId, evaluation: Evaluation) -> list[Hint]:
        if self._n_of_documents.get(target, 0) >= MAX_REPAIRS_PER_TARGET:
            return []
        wrong: list[Hint] = [
            msgspec.structs.replace(hint, target=target) for hint in evaluation.hints if isinstance(hint, SchemaHint)
        ]
        if wrong:
            self._n_of_documents[target] = self._n_of_documents.get(target, 0) + 1
        return wrong

    def _of_rows(self, target: TargetId, evaluation: Evaluation, before: TestCase | None) -> list[Hint]:
        """Returns hints of queries without result, whose parameters from the edit are marked as kept.

        The values that the edit has written are its purpose, so they have to stay.
        """
        last = len(evaluation.test_case.calls) - 1
        missed = [hint for hint in evaluation.hints if isinstance(hint, QueryHint) and _is_missed(hint, last)]
        if before is None or not missed or self._n_of_rows.get(target, 0) >= MAX_ROW_REPAIRS_PER_TARGET:
            return []
        # Compares texts: a driver may pass a number for an input that is a text.
        changed = {as_written(value) for value in _changed_values(evaluation.test_case, before)}
        wrong: list[Hint] = []
        for hint in missed:
            params = enumerate(hint.command.params)
            kept_params = frozenset(place for place, param in params if as_written(param) in changed)
            if kept_params:
                wrong.append(msgspec.structs.replace(hint, target=target, kept_params=kept_params))
        if wrong:
            self._n_of_rows[target] = self._n_of_rows.get(target, 0) + 1
        return wrong


def _is_missed(hint: QueryHint, call: int) -> bool:
    """Whether a query of the call needed rows and found none.

    Only the last call is checked: it reached the target before the edit, since test cases are cut after that call.
    """
    return hint.wanted and hint.call == call and not (hint.command.returned or hint.command.affected)


def _changed_values(test_case: TestCase, before: TestCase) -> Iterator[Json]:
    earlier = dict(before.iter_genes())
    changed = (gene.phenotype() for address, gene in test_case.iter_genes() if gene != earlier.get(address))
    return (value for value in changed if isinstance(value, (str, int, float)) and not isinstance(value, bool))
