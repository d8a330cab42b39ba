"""Tests of faults are those that show a reported one."""

from wimble.engine.faults.faults_of_suite import as_reported, iter_unseen
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase
from wimble.types import OperationId


def finding_of(name):
    return Finding(
        cause=Cause(),
        call_index=0,
        oracle="exception",
        key=("exception", name),
        operation=OperationId(name),
        title=name,
        observed="",
        expected="",
    )


def suite_test_of(kind, *names):
    findings = tuple(map(finding_of, names))
    return VerifiedTest(name=" ".join(names), kind=kind, test_case=TestCase(()), calls=(), findings=findings)


def test_findings_that_only_tests_show_are_told():
    tests = [suite_test_of("fault", "a", "b"), suite_test_of("success"), suite_test_of("fault", "c")]
    unseen = list(iter_unseen(tests, {("exception", "a"), ("exception", "c")}))
    assert [finding.key for _, finding in unseen] == [("exception", "b")]
    assert unseen[0][0].test_case == tests[0].test_case


def test_a_test_whose_faults_are_left_out_is_kept_for_what_it_covers():
    tests = [suite_test_of("fault", "a", "b"), suite_test_of("success"), suite_test_of("fault", "c")]
    kept = as_reported(tests, {("exception", "b")})
    assert [one.kind for one in kept] == ["fault", "success", "other"]
    assert [len(one.findings) for one in kept] == [2, 0, 0]
