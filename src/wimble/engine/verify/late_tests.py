"""Tests of faults that are found after the suite was verified: each has a start of its own.

Calls before might make the SUT keep another answer, so such a test starts the SUT in any case. It runs twice before it
is written, the second time on another day, as all tests do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.stability.expected_requests import with_expected_requests
from wimble.engine.stability.repeated_runs import BY_CHANCE, NOT_AGAIN, Run, agreed, run_of
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.secrets_in_tests import without_secrets
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.run_conditions import AS_TESTS_RUN, WITH_HIGH_RANDOM_VALUES, start_conditions
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase

CALLS_SERVICE: Final = "it calls another service, whose answers its test would need"


class LateTests:
    """Makes the tests, and says why there is none."""

    def __init__(self, coordinator: Coordinator, worker: Worker, starts: StartPolicy) -> None:
        self._coordinator = coordinator
        self._worker = worker
        self._starts = starts
        self.tests: list[VerifiedTest] = []
        self.notes: dict[tuple[str, ...], str] = {}
        """By the finding's key: why it has no test."""

    def make(self, test_case: TestCase, finding: Finding, is_shown: Callable[[Evaluation], bool]) -> None:
        """Makes the test of a finding. is_shown: whether a run shows it."""
        made = self._made(test_case, finding, is_shown)
        if isinstance(made, VerifiedTest):
            self.tests.append(made)
        else:
            self.notes[finding.key] = made

    def _made(
        self, test_case: TestCase, finding: Finding, is_shown: Callable[[Evaluation], bool]
    ) -> VerifiedTest | str:
        coordinator, worker = self._coordinator, self._worker
        verification = Verification(coordinator, Trials(worker, self._starts))
        candidate = Candidate(
            test_case=test_case, fault_key=finding.key, targets=frozenset(), original=test_case, is_polluter=True
        )
        runs: list[Run] = []
        try:
            for is_later in (False, True):
                run = run_alone(verification, candidate, is_later=is_later)
                if not is_shown(run.evaluation):
                    return BY_CHANCE if is_later else NOT_AGAIN
                runs.append(replace(run, evaluation=replace(run.evaluation, findings=(finding,))))
        finally:
            worker.sut.move_clock(False)
            worker.sut.live_under(start_conditions(coordinator.settings))
        if with_expected_requests(test_case, runs[0].evaluation) is not test_case:
            return CALLS_SERVICE
        kept = without_secrets(verification, runs[:1])
        test = agreed(verification, runs, [one.evaluation for one in runs]) if kept else None
        return verification.fault_notes[finding.key] if test is None else replace(test, starts_anew=True)


def run_alone(verification: Verification, candidate: Candidate, *, is_later: bool) -> Run:
    """Runs the candidate's test case on a start of its own, and on another day if `is_later`."""
    worker = verification.worker
    worker.sut.move_clock(is_later)
    worker.sut.live_under(AS_TESTS_RUN)
    worker.restart()
    conditions = WITH_HIGH_RANDOM_VALUES if is_later else AS_TESTS_RUN
    return run_of(verification, candidate, candidate.test_case, conditions)
