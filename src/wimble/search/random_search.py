"""The baseline: only new test cases, from MIO's sampler, kept in the same kind of archive. No mutation, no hints."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.search.archive.archive import Archive, Improvement
from wimble.search.attempt_log import AttemptLog
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings


class RandomStrategy:
    """Proposes each operation alone first, as MIO does, and then samples."""

    wants_hints = False

    def __init__(
        self,
        operations: Sequence[Operation],
        table: TargetTable,
        settings: Settings,
        rng: Random,
        values: ValueSemantics,
    ) -> None:
        self.archive = Archive(table)
        self.attempts = AttemptLog()
        self.sampler = Sampler(operations, settings, rng)
        self._has_start = settings.uses("smart-start")
        self._initial = self.sampler.iter_initial() if self._has_start else iter(())

    def join(self, operations: Sequence[Operation]) -> None:
        """Takes in operations that have become known during the search."""
        self.sampler.join(operations)
        if self._has_start:
            self._initial = chain(self._initial, self.sampler.iter_initial(operations))

    def prepare(self) -> None:
        """Does nothing, so that each new test case can use all answers so far."""

    def wants_all(self, test_case: TestCase) -> bool:
        """Random search does not learn from targets."""
        return False

    def is_edit(self, test_case: TestCase) -> bool:
        """Random search follows no hints."""
        return False

    def next_test_case(self, progress: float) -> TestCase:
        return next(self._initial, None) or self.sampler.sample()

    def observe(self, evaluation: Evaluation, progress: float) -> Improvement:
        self.sampler.observe(evaluation)
        improvement = self.archive.add(evaluation, progress)
        self.attempts.note(evaluation, None)
        self.attempts.note_improvement(improvement.improved)
        return improvement

    def take_failures(self) -> list[str]:
        """Returns nothing: it has no parts that could be left out."""
        return []
