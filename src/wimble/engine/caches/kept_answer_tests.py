"""Tests of answers that are kept: each has a start of its own, on which it reads, creates and reads again.

A read before would make the SUT keep another answer, so such a test starts the SUT in any case. It runs twice before it
is written, the second time on another day, as all tests do.
"""

from __future__ import annotations

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
from wimble.model.evaluation import Finding
from wimble.model.run_conditions import AS_TESTS_RUN, WITH_HIGH_RANDOM_VALUES, start_conditions
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase
from wimble.oracles.databases.kept_answer import may_be_kept

CALLS_SERVICE: Final = "it calls another service, whose answers its test would need"


def made_test(
    coordinator: Coordinator, worker: Worker, starts: StartPolicy, between: TestCase, finding: Finding
) -> VerifiedTest | str:
    """Returns the test of a kept answer; else why there is none.

    between: reads, creates and reads again; it shows the finding on a fresh start.
    """
    verification = Verification(coordinator, Trials(worker, starts))
    candidate = Candidate(
        test_case=between, fault_key=finding.key, targets=frozenset(), original=between, is_polluter=True
    )
    runs: list[Run] = []
    try:
        for is_later in (False, True):
            worker.sut.move_clock(is_later)
            worker.sut.live_under(AS_TESTS_RUN)
            worker.restart()
            run = run_of(verification, candidate, between, WITH_HIGH_RANDOM_VALUES if is_later else AS_TESTS_RUN)
            if not may_be_kept(run.evaluation):
                return BY_CHANCE if is_later else NOT_AGAIN
            runs.append(replace(run, evaluation=replace(run.evaluation, findings=(finding,))))
    finally:
        worker.sut.move_clock(False)
        worker.sut.live_under(start_conditions(coordinator.settings))
    if with_expected_requests(between, runs[0].evaluation) is not between:
        return CALLS_SERVICE
    kept = without_secrets(verification, runs[:1])
    test = agreed(verification, runs, [one.evaluation for one in runs]) if kept else None
    return verification.fault_notes[finding.key] if test is None else replace(test, starts_anew=True)
