"""Runs of equal test cases become one test, which is named after the fault that it shows."""

from __future__ import annotations

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.repeated_runs import Run, without_repeats
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.testcase import TestCase

FAULT = ("server-error", "app.js", "7")
OTHER = ("server-error", "app.js", "9")
EMPTY = TestCase(())


def run_with(fault_key: tuple[str, ...] | None, *shown: tuple[str, ...], shares_start: bool = False) -> Run:
    findings = tuple(
        Finding(
            oracle=key[0], key=key, operation="GET /a", status=500, title="", observed="", expected="",
            cause=Cause(), call_index=0,
        )
        for key in shown
    )  # fmt: skip
    candidate = Candidate(test_case=EMPTY, fault_key=fault_key, targets=frozenset(), original=EMPTY)
    evaluation = Evaluation(test_case=EMPTY, observations=(), reached={}, findings=findings)
    return Run(candidate, EMPTY, evaluation, shares_start)


def test_a_run_that_was_chosen_for_its_coverage_becomes_the_test_of_the_fault_that_it_shows():
    (kept,) = without_repeats([run_with(None, FAULT, shares_start=True), run_with(FAULT, FAULT), run_with(None)])
    assert kept.candidate.fault_key == FAULT
    assert kept.shares_start


def test_a_fault_that_the_other_run_does_not_show_keeps_a_run_of_its_own():
    kept = without_repeats([run_with(None, shares_start=True), run_with(FAULT, FAULT)])
    assert [one.candidate.fault_key for one in kept] == [None, FAULT]


def test_two_faults_of_one_test_case_share_its_test():
    (kept,) = without_repeats([run_with(FAULT, FAULT, OTHER), run_with(OTHER, FAULT, OTHER)])
    assert kept.candidate.fault_key == FAULT
