"""Chooses the test cases that may become tests: one for each fault, and a set that covers what the search covered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.suite_databases import without_unreached_rows
from wimble.engine.faults.fault_book import Fault
from wimble.engine.session.coordinator import Coordinator
from wimble.model.database import Databases
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Solution
from wimble.search.resources.references import with_only
from wimble.types import TargetId

NAMED_KINDS = ("branch", "case", "method", "loop", "ternary")
"""Kinds of targets that a comment counts and names as branch outcomes."""


def choose_candidates(coordinator: Coordinator, databases: Databases) -> list[Candidate]:
    """Returns candidates for faults, then candidates that cover all other targets.

    Faults are in order of first sight, the others in the archive's order.
    """
    solutions = coordinator.strategy.archive.solutions()
    return [*map(candidate_of, coordinator.faults), *candidates_for_coverage(solutions, coordinator, databases)]


def candidate_of(fault: Fault) -> Candidate:
    """Returns the candidate for a fault, from its shortest witness."""
    first = fault.witnesses[0].evaluation.test_case
    return Candidate(
        test_case=first,
        fault_key=fault.key,
        targets=frozenset(),
        original=first,
        core=_core(first, [fault.finding.call_index]),
        witnesses=tuple(fault.witnesses),
    )


def candidates_for_coverage(
    solutions: Iterable[Solution], coordinator: Coordinator, databases: Databases
) -> Iterator[Candidate]:
    """Yields a candidate for each solution, without rows that no test can insert.

    What the calls cover without these rows is still worth a test.
    """
    n_stripped = 0
    for solution in solutions:
        targets = frozenset(target for target in solution.targets if coordinator.table[target].kind != "fault")
        if not targets:
            continue
        test_case = without_unreached_rows(solution.test_case, databases)
        n_stripped += test_case is not solution.test_case
        yield Candidate(
            test_case=test_case,
            fault_key=None,
            targets=targets,
            original=test_case,
            core=_core(test_case, solution.calls),
            provenance=coordinator.provenances.get(solution.serial),
            has_hung=any(coordinator.statistics.has_hung(call.operation.id) for call in test_case.calls),
        )
    if n_stripped:
        coordinator.notices.warn(
            f"{n_stripped} test cases that the search kept had rows in a database that generated tests cannot reach: "
            "the suite covers what they do without these rows (docs/databases.md)"
        )


def _core(test_case: TestCase, calls: Iterable[int]) -> TestCase | None:
    core = with_only(test_case, calls)
    return core if len(core.calls) < len(test_case.calls) else None


_TELLS: Final = re.compile(r" (?:returns|throws) ")


def describe_targets(targets: frozenset[TargetId], table: TargetTable, root: str) -> str:
    """Returns a comment such as `covers 3 lines and 2 branches of src/orders.js (line 31 `=== true`, ...)`."""
    ordered = [table[target] for target in sorted(targets)]
    lines = [target for target in ordered if target.kind == "line"]
    branches = [target for target in ordered if target.kind in NAMED_KINDS]
    outcomes = [target.detail for target in ordered if target.kind == "status"]
    seen = [target.detail for target in ordered if target.kind in ("shape", "part")]
    parts = []
    if lines:
        parts.append(f"{len(lines)} line{'s' * (len(lines) > 1)}")
    if branches:
        parts.append(f"{len(branches)} branch outcome{'s' * (len(branches) > 1)}")
    if parts:
        first = (branches or lines)[0]
        place = first.file.removeprefix(root + "/") + f":{first.line}"
        detail = f" `{first.detail}`" if first.detail else ""
        return f"covers {' and '.join(parts)} that no test before it does, such as {place}{detail}"
    if outcomes:
        # Functions of a library are said to return or to throw.
        return f"shows that {outcomes[0]}" if _TELLS.search(outcomes[0]) else f"shows the answer {outcomes[0]}"
    if seen:
        more = f" and {len(seen) - 1} more that no test before it does" if len(seen) > 1 else ""
        return f"shows {seen[0]}{more}"
    return "completes statements that no test before it does"
