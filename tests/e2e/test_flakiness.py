"""Tests are verified on two days, in two time zones and with two seeds: what holds on one only is not asserted, and no
test needs it."""

from __future__ import annotations

import time

import pytest
from test_run import run_generated_tests

pytestmark = pytest.mark.e2e

DAY_S = 86_400


def test_what_the_day_the_zone_and_chance_decide_is_not_asserted(project):
    project.environment["SEASON_ENDS"] = str(int((time.time() + 20 * DAY_S) * 1000))
    result = project.run("--max-calls", "100", "--seed", "1", "--format", "node-test", "--", "node", "almanac.js")
    assert result.code == 1, result.stderr
    names = {test["name"] for test in project.summary["tests"]}
    assert {
        "GET /steady answers 200",
        "GET /today answers 200",
        "GET /zone answers 200",
        "GET /dice answers 200",
    } <= names
    assert not any("GET /season answers 2" in name for name in names), "it will be refused in three weeks"
    (finding,) = project.summary["findings"]
    assert finding["test"] is not None, "a fault is worth a test that may fail one day"
    faults = (project.folder / "wimble-out" / "tests" / "faults.test.mjs").read_text()
    assert "// Depends on the date or the time zone: it may fail on another day." in faults
    assert any("kept for the faults that they show: 1" in warning for warning in project.summary["warnings"])
    written = (project.folder / "wimble-out" / "tests" / "successes.test.mjs").read_text()
    assert "name, 'almanac'" in written
    for passing in ("weekday", "month", "hour", "pips"):
        assert f"json.{passing}" not in written
    project.environment["TZ"] = "America/Lima"
    assert run_generated_tests(project).returncode == 0
