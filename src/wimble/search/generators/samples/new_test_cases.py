"""New test cases, made only from the API description and what was learnt from answers."""

from __future__ import annotations

from wimble.model.testcase import TestCase
from wimble.search.generators.generator import OWN_PROPOSALS, Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.search.sampling.violations import NoViolations


class NewTestCases(Generator):
    """Always has a proposal, so it is the last row of the table, and others are compared with it."""

    learns_from = OWN_PROPOSALS

    def __init__(self, sampler: Sampler, violations: NoViolations) -> None:
        super().__init__()
        self._sampler = sampler
        self._violations = violations
        self._ahead: TestCase | None = None
        self._is_due = False
        """Whether a test case is to be made ahead: after each that was proposed."""

    def prepare(self) -> None:
        """Makes the next test case while the SUT works. What evaluations teach until it is proposed is not in it."""
        if self._is_due:
            self._is_due = False
            self._ahead = self._new()

    def propose(self, progress: float) -> Proposal:
        ahead, self._ahead, self._is_due = self._ahead, None, True
        return Proposal(self._new() if ahead is None else ahead, self, is_sampled=True)

    def _new(self) -> TestCase:
        return self._violations.sometimes(self._sampler.sample())

    def observe(self, outcome: Outcome) -> None:
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
