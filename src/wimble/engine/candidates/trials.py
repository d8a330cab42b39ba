"""Runs candidates on a worker's SUT, which is made as fresh as each of them needs it."""

from __future__ import annotations

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.worker.worker import Worker
from wimble.model.testcase import TestCase
from wimble.types import TargetId


class Trials:
    """A worker with a start policy, which is replaced when more is known about the SUT."""

    def __init__(self, worker: Worker, starts: StartPolicy) -> None:
        self.worker = worker
        self._starts = starts
        self.n_rebuilding = 0
        """Number of starts for finding what faults need (fault_prefix.py)."""
        self.n_hung = 0
        """Number of evaluations with a call that was not answered, each of which takes as long as the time-out."""

    def start_for_rebuilding(self) -> None:
        """Starts the SUT afresh, to find what a fault needs."""
        self.n_rebuilding += 1
        self.worker.make_fresh(entirely=True)

    @property
    def starts(self) -> StartPolicy:
        return self._starts

    def adopt(self, starts: StartPolicy) -> None:
        """Uses another start policy from now on."""
        self._starts = starts

    def make_fresh_for(self, candidate: Candidate, test_case: TestCase) -> None:
        """Makes the SUT as fresh as the candidate, with this test case, needs it to show its fault or targets.

        For a fault, the SUT must not have had any call before. If tests share a start although they depend on state,
        the SUT is left as it is.
        """
        if self._starts.shares_start:
            return
        is_fault = candidate.fault_key is not None
        is_independent = not (candidate.needs_start or is_fault or self._starts.depends_on_state(test_case))
        self.worker.make_fresh(entirely=is_fault, is_order_independent=is_independent)

    def shows(self, candidate: Candidate, test_case: TestCase) -> bool:
        """Whether the test case, run on the SUT as it is, shows the candidate's fault or targets."""
        evaluation = self.worker.evaluate(test_case, full=True, linger_s=candidate.linger_s)
        self.n_hung += evaluation.has_hung
        return candidate.is_shown_by(evaluation)

    def covered_by(self, test_case: TestCase) -> frozenset[TargetId]:
        """Returns what the test case, run on the SUT as it is, covers."""
        evaluation = self.worker.evaluate(test_case, full=True)
        self.n_hung += evaluation.has_hung
        return evaluation.covered()

    def prepare(self, test_case: TestCase) -> None:
        """Runs a test case for what it leaves behind."""
        self.n_hung += self.worker.evaluate(test_case).has_hung
