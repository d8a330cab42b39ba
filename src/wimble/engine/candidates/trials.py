"""Runs candidates on a worker's SUT, which is as fresh as each of them needs it."""

from __future__ import annotations

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.worker.worker import Worker
from wimble.model.testcase import TestCase


class Trials:
    """A worker under a start policy, which changes as more is found out about the SUT."""

    def __init__(self, worker: Worker, starts: StartPolicy) -> None:
        self.worker = worker
        self._starts = starts

    @property
    def starts(self) -> StartPolicy:
        return self._starts

    def adopt(self, starts: StartPolicy) -> None:
        """Goes by another policy from now on."""
        self._starts = starts

    def make_fresh_for(self, candidate: Candidate, test_case: TestCase) -> None:
        """Makes a SUT on which the candidate can show itself as that test case.

        For a fault, nothing at all may have been called. Where tests share a start though they depend on state, the SUT
        is left as it is.
        """
        if self._starts.shares_start:
            return
        is_fault = candidate.fault_key is not None
        is_independent = not (candidate.needs_start or is_fault or self._starts.depends_on_state(test_case))
        self.worker.make_fresh(entirely=is_fault, is_order_independent=is_independent)

    def shows(self, candidate: Candidate, test_case: TestCase) -> bool:
        """Whether the test case, run on the SUT as it is, has what the candidate is there for."""
        return candidate.is_shown_by(self.worker.evaluate(test_case, full=True, linger_s=candidate.linger_s))
