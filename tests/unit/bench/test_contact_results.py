"""What bench/contact.py reads of runs: failing tests of each format, the row of a project."""

import json
import math
from collections import Counter

from contact import CONTACT_DIR, Run, describe, failures_of_jest, failures_of_junit, row_of
from planted_bugs import Outcome, read_project

FOLDER = CONTACT_DIR / "express4-callbacks"


def test_failing_tests_are_read_from_the_report_of_node_test(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(
        "<testsuites><testsuite><testcase name='GET /a answers 200'/>"
        "<testcase name='GET /b: &amp;quot;x&amp;quot;'><failure message='1 !== 2'/></testcase></testsuite>"
        "<testcase name='file.mjs'><error/></testcase></testsuites>"
    )
    assert list(failures_of_junit(report)) == ['GET /b: "x"', "file.mjs"]


def test_failing_tests_and_files_that_do_not_run_are_read_from_the_report_of_jest(tmp_path):
    report = tmp_path / "report.json"
    ran = [{"fullName": "GET /a", "status": "passed"}, {"fullName": "GET /b", "status": "failed"}]
    files = [
        {"name": "/x/successes.test.cjs", "status": "failed", "assertionResults": ran},
        {"name": "/x/faults.test.cjs", "status": "failed", "assertionResults": []},
        {"name": "/x/others.test.cjs", "status": "passed", "assertionResults": []},
    ]
    report.write_text(json.dumps({"testResults": files}))
    assert list(failures_of_jest(report)) == ["GET /b", "faults.test.cjs did not run"]


def test_a_row_holds_means_of_the_seeds_and_all_tests_that_failed():
    first = Run(Outcome({"search-regex": 2.0, "next-offset": 4.0}, [{}], []), 30.0, 10, Counter({"GET /a": 3}))
    second = Run(Outcome({"search-regex": 6.0, "count": math.nan}, [], []), 50.0, 12, Counter())
    n_bugs = len(read_project(FOLDER).bugs)
    assert row_of(FOLDER, [first, second]) == [
        "express4-callbacks", f"2.0 / {n_bugs}", "0.5", "0.0", "4.0", "5.0", "40", "1 / 22",
    ]  # fmt: skip


def test_what_is_wrong_with_a_run_is_said_in_a_line_each():
    found = {bug.id: 1.0 for bug in read_project(FOLDER).bugs if bug.id != "rented-twice"}
    false = {"id": "F3", "title": "GET /tools answers 500"}
    run = Run(Outcome(found, [false], []), 1.0, 5, Counter({"GET /a": 2}))
    assert list(describe(FOLDER, 7, run)) == [
        "express4-callbacks 7: not found: rented-twice (race)",
        "express4-callbacks 7: false: F3 GET /tools answers 500",
        "express4-callbacks 7: failed in 2 re-runs: GET /a",
    ]
