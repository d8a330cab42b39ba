"""Test cases that break a rule of a second check of their input, and none of those before it.

They are made from calls that have succeeded: what is before the second check has let these through. Each rule of an
operation is broken once (sampling/violations.py).
"""

from __future__ import annotations

from collections import deque
from typing import Final

from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.violations import NoViolations

PROBABILITY: Final = 0.3
"""Probability of having a turn, while there is a rule to break."""
MAX_WAITING: Final = 64


class SecondCheckProbes(Generator):
    """Holds them in the order in which their calls have succeeded."""

    learns_from = "validations"

    def __init__(self, violations: NoViolations) -> None:
        super().__init__()
        self._violations = violations
        self._waiting: deque[TestCase] = deque()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        return Proposal(self._waiting.popleft(), self) if self._waiting else None

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        calls, setup = evaluation.test_case.calls, evaluation.test_case.setup
        for observation in evaluation.observations[evaluation.n_kept :]:
            at = observation.call_index
            if observation.outcome != "ok" or at >= len(calls) or len(self._waiting) >= MAX_WAITING:
                continue
            broken = self._violations.of_second_check(calls[at])
            if broken is not calls[at]:
                self._waiting.append(TestCase((*calls[:at], broken), setup))
