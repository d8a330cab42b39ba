"""Computes the coverage of the SUT's files from targets and the archive; boot coverage is counted apart."""

from __future__ import annotations

from typing import Literal, TypeAlias

from wimble.engine.session.coordinator import Coordinator
from wimble.model.result import BranchCoverage, FileCoverage, FunctionCoverage
from wimble.model.targets import BRANCH_KINDS, Target
from wimble.types import TargetId

Site: TypeAlias = tuple[str, int, int]
"""File, line, column."""


def file_coverage(coordinator: Coordinator) -> tuple[FileCoverage, ...]:
    """Returns one entry for each instrumented file, sorted by path."""
    archive = coordinator.strategy.archive
    lines: dict[str, dict[int, Literal["covered", "boot", "uncovered"]]] = {}
    branches: dict[str, list[BranchCoverage]] = {}
    functions: dict[str, list[FunctionCoverage]] = {}
    replaced = _replaced_calls(coordinator)
    for number, target in enumerate(coordinator.table):
        target_id = TargetId(number)
        if target.kind == "line":
            h = archive.best_h(target_id)
            at_boot = coordinator.boot_reached.get(target_id, 0.0) >= 1.0
            lines.setdefault(target.file, {})[target.line] = (
                "covered" if h >= 1.0 else "boot" if at_boot else "uncovered"
            )
        elif target.kind == "method" and _site(target) not in replaced:
            continue
        elif target.kind in BRANCH_KINDS:
            h = archive.best_h(target_id)
            branches.setdefault(target.file, []).append(
                BranchCoverage(target.line, target.column, target.detail, h >= 1.0, h)
            )
        elif target.kind == "function":
            functions.setdefault(target.file, []).append(
                FunctionCoverage(target.line, target.detail, archive.best_h(target_id))
            )
    return tuple(
        FileCoverage(
            path=path,
            lines=dict(sorted(of_file.items())),
            branches=tuple(sorted(branches.get(path, ()), key=lambda b: (b.line, b.column, b.detail))),
            functions=tuple(sorted(functions.get(path, ()), key=lambda f: (f.line, f.name))),
        )
        for path, of_file in sorted(lines.items())
    )


def n_other_methods(coordinator: Coordinator) -> int:
    """Returns the number of targets that cannot be: outcomes of calls of which none reached a replaced method."""
    replaced = _replaced_calls(coordinator)
    return sum(target.kind == "method" and _site(target) not in replaced for target in coordinator.table)


def _replaced_calls(coordinator: Coordinator) -> set[Site]:
    """Returns the places of calls that reached a method that the agent replaces.

    A call is registered by the method's name alone: `router.get(...)` looks like the `get` of a map, but has no
    outcomes.
    """
    archive = coordinator.strategy.archive
    return {
        _site(target)
        for number, target in enumerate(coordinator.table)
        if target.kind == "method"
        and (archive.best_h(TargetId(number)) > 0.0 or coordinator.boot_reached.get(TargetId(number), 0.0) > 0.0)
    }


def _site(target: Target) -> Site:
    return target.file, target.line, target.column
