"""A call that sleeps is answered at once in the search, and not in time when its test runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from engine_parts import ScriptedSut, calls_of, new_coordinator, new_worker, verified_tests
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.faults.history import History
from wimble.engine.verify import verify_phase
from wimble.http.exchange import exchange_of, http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase
from wimble.settings import Settings
from wimble.types import TargetId

SLEEP, NOTES = "GET /sleep", "GET /notes"
TARGETS: Mapping[str, TargetId] = {SLEEP: TargetId(1), NOTES: TargetId(2)}


class SleepySut(ScriptedSut):
    """Does not answer calls that sleep in time."""

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        evaluation = super().evaluate(test_case, **options)
        observations = [
            http_observation(index, HttpRequest("GET", "/sleep"), failure="timeout", elapsed_s=2.0)
            if call.operation.id == SLEEP
            else observation
            for index, (call, observation) in enumerate(zip(test_case.calls, evaluation.observations, strict=True))
        ]
        return msgspec.structs.replace(evaluation, observations=tuple(observations))

    def reached(self, test_case: TestCase) -> dict[TargetId, Reached]:
        return {TARGETS[call.operation.id]: Reached(1.0, index) for index, call in enumerate(test_case.calls)}


def verified(*names: str, is_known: bool, shares_start: bool) -> tuple[VerifiedTest, ...]:
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=None, max_calls=1))
    worker = new_worker(SleepySut(), coordinator)
    test_case = calls_of(*names)
    if is_known:
        seen = worker.evaluate(calls_of(SLEEP), full=True)
        coordinator.faults.note(seen, seen.findings, History(), calls=1, elapsed_s=2.0)
    candidate = Candidate(
        test_case=test_case,
        fault_key=None,
        targets=frozenset(TARGETS[name] for name in names),
        original=test_case,
        is_order_independent=True,
    )
    starts = StartPolicy(shares_start=shares_start)
    return verified_tests(verify_phase.run_verify(coordinator, worker, [candidate], starts))


@pytest.mark.parametrize("shares_start", [True, False])
def test_a_test_for_its_coverage_does_without_calls_that_only_the_search_has_answered(shares_start: bool) -> None:
    (test,) = verified(NOTES, SLEEP, is_known=False, shares_start=shares_start)
    assert [call.operation.id for call in test.test_case.calls] == [NOTES]
    assert not test.findings
    assert exchange_of(test.calls[0].observation).response is not None
    assert not verified(SLEEP, is_known=False, shares_start=shares_start)


@pytest.mark.parametrize("shares_start", [True, False])
def test_a_call_without_an_answer_stays_if_that_is_a_fault_that_was_found(shares_start: bool) -> None:
    (test,) = verified(NOTES, SLEEP, is_known=True, shares_start=shares_start)
    assert [call.operation.id for call in test.test_case.calls] == [NOTES, SLEEP]
    assert [finding.oracle for finding in test.findings] == ["no-answer"]
