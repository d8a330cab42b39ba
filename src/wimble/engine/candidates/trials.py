"""Runs candidates on a worker's SUT, which is made as fresh as each of them needs it."""

from __future__ import annotations

import time

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.proofs import Proofs, RunFreshness
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation
from wimble.model.run_conditions import AS_TESTS_RUN, Conditions
from wimble.model.testcase import TestCase
from wimble.types import TargetId


class Trials:
    """A worker with a start policy, which is replaced when more is known about the SUT."""

    def __init__(
        self,
        worker: Worker,
        starts: StartPolicy,
        *,
        proofs: Proofs | None = None,
        conditions: Conditions = AS_TESTS_RUN,
    ) -> None:
        """conditions: those of runs on the SUT as it is."""
        self.worker = worker
        self.proofs = proofs or Proofs()
        self._conditions = conditions
        self._starts = starts
        self.last_fresh: TestCase | None = None
        """The test case that has run on a fresh start, if none has run after it."""
        self.refused: tuple[int, ...] = ()
        """Setup actions of the last trial that could not be applied, by their indices in its test case."""
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

    def fresh_run(self, candidate: Candidate, test_case: TestCase) -> Evaluation:
        """Returns a run of the test case, under the conditions of generated tests, on a SUT as fresh as the candidate
        needs it. There may be one already.
        """
        known = self.known_run(candidate, test_case)
        if known is not None:
            self.refused = known.refused_setup
            return known
        self.worker.sut.live_under(AS_TESTS_RUN)
        began_s, n_before = time.monotonic(), self.worker.n_restarts
        try:
            self.make_fresh_for(candidate, test_case)
            found = self.worker.freshness
            is_fresh, given = not found.is_dirty, RunFreshness(found.n_calls == 0, candidate.linger_s)
            evaluation = self.worker.evaluate(test_case, full=True, linger_s=candidate.linger_s)
        finally:
            self.worker.sut.live_under(self._conditions)
        if self.worker.n_restarts > n_before:
            self.proofs.note_duration(time.monotonic() - began_s)
        self.n_hung += evaluation.has_hung
        self.refused = evaluation.refused_setup
        self.last_fresh = test_case if is_fresh else None
        if is_fresh and evaluation.test_case is test_case:
            self.proofs.add(given, evaluation)
        return evaluation

    def known_run(self, candidate: Candidate, test_case: TestCase) -> Evaluation | None:
        """Returns a run on a SUT as fresh as the candidate needs it, if there was one."""
        return self.proofs.find(test_case, _needed_by(candidate))

    def is_proven(self, candidate: Candidate) -> bool:
        """Whether the candidate's test case is known to show its fault or targets on a fresh SUT."""
        known = self.known_run(candidate, candidate.test_case)
        return known is not None and candidate.is_shown_by(known)

    def shows_fresh(self, candidate: Candidate, test_case: TestCase) -> bool:
        """Whether the test case shows the candidate's fault or targets on a fresh SUT."""
        return candidate.is_shown_by(self.fresh_run(candidate, test_case))

    def shows(self, candidate: Candidate, test_case: TestCase) -> bool:
        """Whether the test case, run on the SUT as it is, shows the candidate's fault or targets."""
        self.last_fresh = None
        evaluation = self.worker.evaluate(test_case, full=True, linger_s=candidate.linger_s)
        self.n_hung += evaluation.has_hung
        self.refused = evaluation.refused_setup
        return candidate.is_shown_by(evaluation)

    def covered_fresh(self, candidate: Candidate, test_case: TestCase) -> frozenset[TargetId]:
        """Returns what the test case covers on a fresh SUT."""
        return self.fresh_run(candidate, test_case).covered()

    def covered_by(self, test_case: TestCase) -> frozenset[TargetId]:
        """Returns what the test case, run on the SUT as it is, covers."""
        self.last_fresh = None
        evaluation = self.worker.evaluate(test_case, full=True)
        self.n_hung += evaluation.has_hung
        return evaluation.covered()

    def prepare(self, test_case: TestCase) -> None:
        """Runs a test case for what it leaves behind."""
        self.last_fresh = None
        self.n_hung += self.worker.evaluate(test_case).has_hung


def _needed_by(candidate: Candidate) -> RunFreshness:
    return RunFreshness(is_untouched=candidate.fault_key is not None, linger_s=candidate.linger_s)
