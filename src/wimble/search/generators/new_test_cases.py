"""New test cases, made only from the API description and what was learnt from answers."""

from __future__ import annotations

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

    def propose(self, progress: float) -> Proposal:
        return Proposal(self._violations.sometimes(self._sampler.sample()), self, is_sampled=True)

    def observe(self, outcome: Outcome) -> None:
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))
