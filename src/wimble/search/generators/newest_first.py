"""Generators whose test cases are ready as soon as an evaluation has shown what to try."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import ClassVar

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal


class NewestFirst(Generator):
    """Proposes the newest waiting test case; subclasses add to `_waiting` in `_collect`."""

    max_waiting: ClassVar[int] = 500
    """Maximum number of waiting test cases; of more, the oldest are dropped."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng
        self._waiting: deque[TestCase] = deque(maxlen=self.max_waiting)
        self._known: set[tuple[object, ...]] = set()
        """What has been tried."""

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._waiting.pop(), self)

    def observe(self, outcome: Outcome) -> None:
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
        if outcome.evaluation.test_case.setup and not outcome.evaluation.is_sut_lost:
            self._collect(outcome.evaluation)

    def _collect(self, evaluation: Evaluation) -> None:
        """Adds test cases for an evaluation of one with setup actions, in which the SUT was not lost."""
        raise NotImplementedError
