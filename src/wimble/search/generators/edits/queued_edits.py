"""Edits that are tried at once.

They come from hints of test cases that came closer to a target, or that have shown something new about it. The queue
limits itself by a credit of its own (`edit_queue.py`), so its row needs no admission.
"""

from __future__ import annotations

from typing import Final

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Archive, Improvement
from wimble.search.generators.edits.edit_queue import EditQueue
from wimble.search.generators.edits.edit_repairs import EditRepairs
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.edits.fresh_operands import FreshOperands
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.types import TargetId

EARLY_PROBABILITY: Final = 0.5
"""Turns in which the queue comes before what is tried without a hint for an edit: guards of other operations, inputs
that the program might read. Its own credit gives it fewer turns where edits fail.
"""
BEFORE_ANSWERS_PROBABILITY: Final = 0.5
"""Turns in which the queue comes before what is tried with answers of services."""


class QueuedEdits(Generator):
    """Takes the newest entry of the queue first."""

    def __init__(self, archive: Archive, edits: EntryEdits) -> None:
        super().__init__()
        self._archive = archive
        self._edits = edits
        self._queue = EditQueue()
        self._fresh_operands = FreshOperands()
        self._repairs = EditRepairs()

    def propose(self, progress: float) -> Proposal | None:
        while (taken := self._queue.take()) is not None:
            target, entry = taken
            if self._archive.is_covered(target):
                continue
            edited = self._edits.next_edited(entry, target)
            if edited is None:
                self._fresh_operands.note_without_edits(target)
                continue
            self._fresh_operands.note_edited(target)
            self._queue.charge()
            if entry.has_edits(target):
                self._queue.put_back(target, entry)
            return Proposal(edited[0], self, target=target, edit=edited[1], edited_from=entry.test_case)
        return None

    def observe(self, outcome: Outcome) -> None:
        proposal, evaluation = outcome.proposal, outcome.evaluation
        self._put_edits(evaluation, outcome.improvement)
        if proposal.edit and proposal.target is not None:
            self._put_repair(evaluation, proposal.target, proposal.edited_from)
        if proposal.generator is self and proposal.target is not None:
            self._queue.report(proposal.target, is_success=bool(outcome.improvement))

    def _put_edits(self, evaluation: Evaluation, improvement: Improvement) -> None:
        fresh = self._fresh_operands.targets(evaluation)
        if not evaluation.is_sut_lost:
            for target in fresh:
                entry = None if target in improvement.improved else self._archive.entry_for(target, evaluation)
                if entry is not None:
                    self._queue.put(target, entry)
        for target, entry in improvement.entries:
            self._queue.put(target, entry)

    def _put_repair(self, evaluation: Evaluation, target: TargetId, before: TestCase | None) -> None:
        if not evaluation.is_sut_lost and not self._archive.is_covered(target):
            entry = self._repairs.entry(target, evaluation, self._archive.n_added, before)
            if entry is not None:
                self._queue.put(target, entry)
