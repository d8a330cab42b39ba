"""Makes test cases from the hints of an archive entry."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from wimble.databases.setup_repair import repaired_setup
from wimble.feedback import AnyEdit, apply_edit
from wimble.model.evaluation import Evaluation
from wimble.model.hints import Hint
from wimble.model.testcase import TestCase
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.search.archive.archive import Entry
from wimble.search.resources.references import has_valid_references
from wimble.types import TargetId


class EntryEdits:
    """Applies the edits of entries. values: those of the SUT's language."""

    def __init__(self, rng: Random, values: ValueSemantics) -> None:
        self._rng = rng
        self.values = values

    def next_edited(self, entry: Entry, target: TargetId) -> tuple[TestCase, str] | None:
        """Returns the entry with its next edit for the target that changes anything, and the reason of the edit.

        Returns None if no edit is left.
        """
        while (edit := entry.next_edit(target, self._rng, self.values)) is not None:
            edited = repaired_setup(apply_edit(entry.test_case, edit), entry.test_case)
            if edited != entry.test_case and has_valid_references(edited):
                return edited, edit.why
        return None

    def edited_by_hints(self, evaluation: Evaluation, hints: Sequence[Hint], most: int) -> list[TestCase]:
        """Returns the test case with what the hints ask for, each alone, the latest target first.

        most: number of edits for one target.
        """
        by_target: dict[TargetId, list[Hint]] = {}
        for hint in hints:
            by_target.setdefault(hint.target, []).append(hint)
        entry = Entry(evaluation.test_case, serial=0)
        changed: list[TestCase] = []
        for target, missed in reversed(by_target.items()):
            entry.add_hints(target, missed, evaluation.observations)
            for _ in range(most):
                edited = self.next_edited(entry, target)
                if edited is None:
                    break
                changed.append(edited[0])
        return changed

    def all_edits(self, entry: Entry, target: TargetId) -> list[AnyEdit]:
        """Returns the edits that are left, in their order."""
        edits: list[AnyEdit] = []
        while (edit := entry.next_edit(target, self._rng, self.values)) is not None:
            edits.append(edit)
        return edits
