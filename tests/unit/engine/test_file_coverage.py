"""Which targets count as lines, branches and functions of a file."""

from typing import Any

from engine_parts import calls_of, new_coordinator
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.write.file_coverage import file_coverage
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.targets import Target, TargetTable
from wimble.types import TargetId


def coordinator_with(rows: list[tuple[Target, float, float]]) -> Coordinator:
    """rows: target, its best h in calls, its h at boot."""
    table = TargetTable()
    boot: dict[TargetId, float] = {}
    reached: dict[TargetId, Reached] = {}
    for target, h, at_boot in rows:
        target_id = table.register(target)
        reached[target_id] = Reached(h, 0)
        if at_boot:
            boot[target_id] = at_boot
    coordinator = new_coordinator(table=table, boot_reached=boot)
    coordinator.strategy.archive.add(Evaluation(test_case=calls_of("GET /a"), observations=(), reached=reached), 0.0)
    return coordinator


def target(kind: Any, line: int, detail: str = "", column: int = 0) -> Target:
    return Target(kind, "/a.js", line, column, detail)


def test_functions_and_outcomes_are_counted_apart() -> None:
    (file,) = file_coverage(
        coordinator_with(
            [
                (target("line", 1), 1.0, 0.0),
                (target("line", 2), 0.0, 1.0),
                (target("function", 1, "total"), 0.5, 1.0),
                (target("loop", 1, "entered true"), 1.0, 0.0),
                (target("branch", 1, "?? true"), 0.01, 0.0),
                (target("ternary", 1, "then"), 1.0, 0.0),
                (target("catch", 1), 1.0, 0.0),
            ]
        )
    )
    assert file.lines == {1: "covered", 2: "boot"}
    assert [(branch.detail, branch.is_covered) for branch in file.branches] == [
        ("?? true", False),
        ("entered true", True),
    ]
    assert [(function.name, function.h) for function in file.functions] == [("total", 0.5)]


def test_calls_that_never_reached_a_method_with_a_replacement_have_no_outcomes() -> None:
    rows = [(target("line", 1), 1.0, 0.0)]
    for line, h, at_boot in [(1, 0.0, 0.0), (2, 1.0, 0.0), (3, 0.0, 1.0)]:
        rows.append((target("method", line, "get true"), h, at_boot))
        rows.append((target("method", line, "get false"), 0.0, 0.0))
    (file,) = file_coverage(coordinator_with(rows))
    assert [branch.line for branch in file.branches] == [2, 2, 3, 3]
