"""Test cases whose writes a database has to refuse.

They are made from test cases whose writes it accepted: with a row that already has the unique value or refers to the
deleted row, or without the row that is referred to. An API often has no branch for that: the error is not caught and
becomes a 500, so no target leads there.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from wimble.feedback import AnyEdit, apply_edit
from wimble.feedback.edit import Edit, SetupEdit
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Entry
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.resources.references import has_valid_references
from wimble.types import TargetId

MAX_WAITING: Final = 512
"""Maximum number of hints that wait, oldest first; further ones are dropped."""


class ConflictingWrites(Generator):
    """Holds hints in the order in which they came, and the test cases made from the first of them."""

    learns_from = "conflicts"

    def __init__(self, edits: EntryEdits) -> None:
        super().__init__()
        self._edits = edits
        self._hints: deque[tuple[TargetId, Entry]] = deque()
        self._made: deque[TestCase] = deque()

    def is_ready(self) -> bool:
        return bool(self._made or self._hints)

    def propose(self, progress: float) -> Proposal | None:
        made = self.take()
        return None if made is None else Proposal(made, self)

    def observe(self, outcome: Outcome) -> None:
        self.add(outcome.evaluation)
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))

    def add(self, evaluation: Evaluation) -> None:
        """Adds the hints of an evaluation. They become test cases when it is their turn, since that takes long."""
        if evaluation.conflicts and not evaluation.is_sut_lost:
            for hint in evaluation.conflicts[: MAX_WAITING - len(self._hints)]:
                entry = Entry(evaluation.test_case, serial=0)
                entry.add_hints(hint.target, [hint], evaluation.observations)
                self._hints.append((hint.target, entry))

    def take(self) -> TestCase | None:
        """Returns the next test case; None if there is none left."""
        while self._hints and not self._made:
            self._made.extend(self._test_cases(*self._hints.popleft()))
        return self._made.popleft() if self._made else None

    def _test_cases(self, target: TargetId, entry: Entry) -> list[TestCase]:
        """Returns at most two test cases for one hint: one with other inputs, and one with other rows."""
        edits = self._edits.all_edits(entry, target)
        edited = (apply_edit(entry.test_case, edit) for edit in _one_of_each_kind(edits))
        return [one for one in edited if has_valid_references(one)]


def _one_of_each_kind(edits: list[AnyEdit]) -> list[AnyEdit]:
    best = (next((edit for edit in edits if isinstance(edit, kind)), None) for kind in (Edit, SetupEdit))
    return [edit for edit in best if edit is not None]
