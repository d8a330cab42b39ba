"""Test cases whose writes a database has to refuse: made of those whose writes it took, with a row that has the unique value already or points
to what is deleted, or without the row that is pointed to.

What an API does then lies on no branch as often as not: the error passes through it, and is answered with 500.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Final

from wimble.feedback import AnyEdit, apply_edit
from wimble.feedback.edit import Edit, SetupEdit
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.archive import Entry
from wimble.search.references import has_valid_references
from wimble.types import TargetId

MAX_WAITING: Final = 512
"""What does not fit is dropped; the oldest come first."""


class Conflicts:
    """Hints in the order in which they came, and the test cases that the first of them has led to."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._hints: deque[tuple[TargetId, Entry]] = deque()
        self._made: deque[TestCase] = deque()

    def add(self, evaluation: Evaluation) -> None:
        """What becomes of the hints is worked out when it is their turn."""
        if evaluation.conflicts and not evaluation.is_sut_lost:
            for hint in evaluation.conflicts[: MAX_WAITING - len(self._hints)]:
                entry = Entry(evaluation.test_case, serial=0)
                entry.add_hints(hint.target, [hint], evaluation.observations)
                self._hints.append((hint.target, entry))

    def __bool__(self) -> bool:
        return bool(self._made or self._hints)

    def take(self) -> TestCase | None:
        """The next one; None where nothing is left."""
        while self._hints and not self._made:
            self._made.extend(self._test_cases(*self._hints.popleft()))
        return self._made.popleft() if self._made else None

    def _test_cases(self, target: TargetId, entry: Entry) -> list[TestCase]:
        """At most two: with other inputs, and with other rows."""
        edits: list[AnyEdit] = []
        while (edit := entry.next_edit(target, self._rng)) is not None:
            edits.append(edit)
        edited = (apply_edit(entry.test_case, edit) for edit in _one_of_each_kind(edits))
        return [one for one in edited if has_valid_references(one)]


def _one_of_each_kind(edits: list[AnyEdit]) -> list[AnyEdit]:
    best = (next((edit for edit in edits if isinstance(edit, kind)), None) for kind in (Edit, SetupEdit))
    return [edit for edit in best if edit is not None]
