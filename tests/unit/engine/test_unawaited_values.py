"""What fails since a promise was tested is part of the finding of the promise."""

from wimble.engine.faults.fault_merging import merged
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.result import ReportedFinding

PROGRAM = """
const order = orders.find(id);
if (!order) return refuse();
send(order.items.length);
if (isFull(lot)) return refuse();
send(lot.name.length);
"""


def reported(number, oracle, file, line, *, operation="GET /a", stack="", message="TypeError: x"):
    finding = Finding(
        oracle=oracle, key=(oracle, str(line)), operation=operation, status=500, title="t", observed="o",
        expected="e", cause=Cause(file=str(file), line=line, message=message, stack=stack), call_index=0,
    )  # fmt: skip
    return ReportedFinding(id=f"F{number}", finding=finding, observations=(), curl=())


def test_the_first_failure_after_a_tested_constant_is_part_of_it(tmp_path):
    file = tmp_path / "a.js"
    file.write_text(PROGRAM)
    missing = reported(1, "missing-await", file, 3)
    failures = [reported(2, "server-error", file, 6), reported(3, "server-error", file, 4)]
    assert [one.id for one in merged([*failures, missing])] == ["F2", "F1"]
    elsewhere = reported(4, "server-error", file, 4, operation="GET /b")
    assert [one.id for one in merged([missing, elsewhere])] == ["F1", "F4"]


def test_a_guard_that_is_called_in_place_explains_no_failure(tmp_path):
    file = tmp_path / "a.js"
    file.write_text(PROGRAM)
    guard, failure = reported(1, "missing-await", file, 5), reported(2, "server-error", file, 6)
    assert [one.id for one in merged([guard, failure])] == ["F1", "F2"]


def test_the_rejection_of_a_tested_promise_is_told_its_cause(tmp_path):
    file = tmp_path / "a.js"
    file.write_text(PROGRAM)
    guard = reported(1, "missing-await", file, 5)
    inside = reported(2, "process-died", tmp_path / "lots.js", 9, stack=f"TypeError: x\n    at f ({file}:5:5)")
    (crash,) = merged([guard, inside])
    assert (crash.id, crash.finding.cause.line) == ("F2", 5)
    assert crash.finding.title == "t; o"
    constant = reported(1, "missing-await", file, 3)
    assert [one.id for one in merged([constant, reported(2, "unhandled", file, 2)])] == ["F2"]
    other = reported(2, "process-died", tmp_path / "lots.js", 9, stack=f"TypeError: x\n    at f ({file}:6:5)")
    assert [one.id for one in merged([guard, other])] == ["F1", "F2"]


def test_what_a_validator_says_of_other_values_does_not_follow_from_a_promise(tmp_path):
    file = tmp_path / "a.js"
    file.write_text(PROGRAM)
    missing = reported(1, "missing-await", file, 3)
    refused = reported(2, "server-error", file, 4, message="ValidationError: Order validation failed: size: required")
    assert [one.id for one in merged([missing, refused])] == ["F1", "F2"]


def test_what_is_part_of_a_part_is_part_of_the_whole(tmp_path):
    """A failure follows from a promise whose rejection ends the process."""
    file = tmp_path / "a.js"
    file.write_text(PROGRAM)
    crash = reported(1, "process-died", file, 2, stack=f"at {file}:3:5")
    assert [
        one.id for one in merged([crash, reported(2, "missing-await", file, 3), reported(3, "server-error", file, 4)])
    ] == ["F1"]
