"""Where tests share a start, faults that do not show behind others, or behind others only, get a start of their own."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine_parts import Answer, ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.stability.repeated_runs import BEHIND_OTHERS, NOT_AGAIN, NOT_BEHIND
from wimble.engine.verify.faults_alone import with_faults_alone
from wimble.engine.verify.verify_phase import VerifiedSuite
from wimble.engine.worker.worker import Worker
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase
from wimble.settings import Settings

SHARED = StartPolicy(shares_start=True)


def shop(memory: dict[str, Any], operation: str) -> Answer:
    """A dish without tags breaks the menu; a booked room cannot be booked again, and the first booking fails."""
    if operation == "POST /dishes":
        memory["is_broken"] = True
        return 201, None
    if operation == "POST /bookings":
        return (409, None) if memory.get("is_booked") else (500, "TypeError")
    return (500, "TypeError") if memory.get("is_broken") else (200, [])


def started() -> tuple[Coordinator, Worker]:
    """The search is over, and ten minutes are left."""
    coordinator = new_coordinator(Settings(command=("node", "server.js"), max_time_s=600.0))
    coordinator.budget.stop_clock()
    coordinator.budget.allow_at_least(600.0)
    return coordinator, new_worker(ScriptedSut(shop), coordinator)


def candidate(worker: Worker, whole: TestCase, smallest: TestCase | None = None) -> Candidate:
    """A fault that the search has seen by the whole test case."""
    worker.restart()
    evaluation = worker.evaluate(whole, full=True)
    (finding,) = evaluation.findings
    return Candidate(
        test_case=smallest or whole, fault_key=finding.key, targets=frozenset(), original=whole, is_steady=True
    )


def in_its_file(candidate: Candidate, worker: Worker) -> VerifiedTest:
    """The test of a candidate as verified behind others."""
    evaluation = worker.evaluate(candidate.original, full=True)
    return VerifiedTest(
        name="GET /menu answers 500", kind="fault", test_case=candidate.test_case, calls=(), shares_start=True,
        findings=evaluation.findings,
    )  # fmt: skip


def test_a_fault_that_its_file_does_not_show_gets_a_test_with_a_start_of_its_own():
    run, one = started()
    fault = candidate(one, calls_of("POST /bookings"))
    assert fault.fault_key is not None
    suite = VerifiedSuite(starts=SHARED, fault_notes={fault.fault_key: NOT_BEHIND})

    made = with_faults_alone(run, one, [fault], suite)

    (test,) = made.tests
    assert (test.starts_anew, test.shares_start, test.kind) == (True, False, "fault")
    assert made.fault_notes == {}


def test_a_fault_that_shows_behind_other_tests_only_gets_the_calls_that_it_needs():
    run, one = started()
    fault = candidate(one, calls_of("POST /dishes", "GET /menu"), calls_of("GET /menu"))
    suite = VerifiedSuite(starts=SHARED, tests=(in_its_file(fault, one),))

    made = with_faults_alone(run, one, [fault], suite)

    assert [len(test.test_case.calls) for test in made.tests] == [1, 2]
    assert made.tests[1].starts_anew


def test_a_fault_whose_test_shows_it_by_itself_keeps_that_test_only():
    run, one = started()
    fault = replace(candidate(one, calls_of("POST /dishes", "GET /menu")), was_missed=True)
    suite = VerifiedSuite(starts=SHARED, tests=(in_its_file(fault, one),))
    made = with_faults_alone(run, one, [fault], suite)
    assert (made.tests, made.fault_notes) == (suite.tests, {})


def test_without_time_the_report_says_that_the_requests_may_need_others():
    run, one = started()
    fault = replace(candidate(one, calls_of("POST /dishes", "GET /menu"), calls_of("GET /menu")), was_missed=True)
    suite = VerifiedSuite(starts=SHARED, tests=(in_its_file(fault, one),))
    run.budget._end -= 600.0  # type: ignore[operator]

    made = with_faults_alone(run, one, [fault], suite)

    assert (made.tests, made.fault_notes) == (suite.tests, {fault.fault_key: BEHIND_OTHERS})


def test_a_fault_that_does_not_show_alone_says_so():
    run, one = started()
    fault = candidate(one, calls_of("POST /dishes", "GET /menu"))
    alone = calls_of("GET /menu")
    lost = replace(fault, test_case=alone, original=alone)
    made = with_faults_alone(run, one, [lost], VerifiedSuite(starts=SHARED))
    assert (made.tests, made.fault_notes) == ((), {fault.fault_key: NOT_AGAIN})


def test_where_each_test_has_its_start_nothing_is_run():
    run, one = started()
    fault = candidate(one, calls_of("POST /bookings"))
    n_before = one.n_restarts
    assert with_faults_alone(run, one, [fault], VerifiedSuite()).tests == ()
    assert one.n_restarts == n_before
