"""Which test cases may become tests: one for each fault, and a small set that covers what was covered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from wimble.engine.context import RunContext
from wimble.engine.faults import Fault, Witness
from wimble.engine.ledger import Background
from wimble.engine.suite_databases import without_unreached_rows
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.oracles.crashes import DIED, UNHANDLED
from wimble.search.references import with_only
from wimble.types import TargetId

LINGER_S = 0.15
"""How long to wait, after the answers, for what a call left behind to go wrong: timers of a few ms are common."""
NAMED_KINDS = ("branch", "case", "method", "loop", "ternary")
"""Kinds of target that a comment counts and names as branch outcomes."""
LATE_ORACLES = frozenset([DIED, UNHANDLED])


class Candidate(msgspec.Struct, kw_only=True):
    """A test case with what it has to keep showing while it is made smaller and run again."""

    test_case: TestCase
    fault_key: tuple[str, ...] | None
    """The fault it is there for; None: it is there for its targets."""
    targets: frozenset[TargetId]
    """Code and status targets that it alone of the chosen ones covers."""
    original: TestCase
    core: TestCase | None = None
    """The calls that showed the fault, or covered its targets, during the search and those whose answers these use; None where that is all."""
    witnesses: tuple[Witness, ...] = ()
    """For a fault: other ways to it, shortest first."""
    background: Background | None = None
    """For coverage: what had been made in the SUT before the test case ran."""
    covers: frozenset[TargetId] | None = None
    """Of all targets that candidates are there for, those that it covers on a fresh SUT; None where nobody has looked."""
    needs_start: bool = False
    """For coverage of what runs once after each start, in a SUT that remembers nothing else."""
    is_disturbing: bool = False
    """Whether others come to nothing behind it, so that it must not share its start (see disturbances.py)."""
    is_forgetful: bool = False
    """Whether it was found to answer the same whatever ran before it (see memory.py); never for a fault."""

    @property
    def shapes(self) -> list[TestCase]:
        """What it may look like before it is made smaller, shortest first."""
        wholes = [witness.evaluation.test_case for witness in self.witnesses] or [self.original]
        return [self.core, *wholes] if self.core is not None and self.witnesses else wholes

    @property
    def linger_s(self) -> float:
        """How long to go on looking after the last answer."""
        return LINGER_S if self.fault_key is not None and self.fault_key[0] in LATE_ORACLES else 0.0

    def is_shown_by(self, evaluation: Evaluation, findings: list[Finding]) -> bool:
        """Whether a (full) evaluation still has what the candidate is there for."""
        if self.fault_key is not None:
            return any(finding.key == self.fault_key for finding in findings)
        return self.shown_of(evaluation) == self.targets

    def shown_of(self, evaluation: Evaluation) -> frozenset[TargetId]:
        """Those of its targets that an evaluation covered."""
        reached = evaluation.reached
        return frozenset(target for target in self.targets if target in reached and reached[target].h >= 1.0)


def make_fresh_for(context: RunContext, candidate: Candidate, test_case: TestCase) -> None:
    """A SUT on which the candidate can show itself as that test case. For a fault nothing at all may have been called. Where tests share a
    start though the SUT remembers, it is left as it is."""
    if context.shares_start:
        return
    is_fault = candidate.fault_key is not None
    context.make_fresh(None if candidate.needs_start or is_fault else test_case, entirely=is_fault)


def is_shown(context: RunContext, candidate: Candidate, test_case: TestCase) -> bool:
    """Whether the test case, run on the SUT as it is, has what the candidate is there for."""
    evaluation, findings = context.evaluate(test_case, full=True, linger_s=candidate.linger_s)
    return candidate.is_shown_by(evaluation, findings)


def choose_candidates(context: RunContext) -> list[Candidate]:
    """Faults first, in order of first sight; then a cover of all other targets, in the archive's order."""
    return [*map(_of_fault, context.faults), *_for_coverage(context)]


def _of_fault(fault: Fault) -> Candidate:
    first = fault.witnesses[0].evaluation.test_case
    return Candidate(
        test_case=first,
        fault_key=fault.key,
        targets=frozenset(),
        original=first,
        core=_core(first, [fault.finding.call_index]),
        witnesses=tuple(fault.witnesses),
    )


def _for_coverage(context: RunContext) -> Iterator[Candidate]:
    """Without rows that no test can put in: what the same calls cover without them is worth a test, and one that is not written is not."""
    n_stripped = 0
    for solution in context.strategy.archive.solutions():
        targets = frozenset(target for target in solution.targets if context.table[target].kind != "fault")
        if not targets:
            continue
        test_case = without_unreached_rows(solution.test_case, context.sut.databases)
        n_stripped += test_case is not solution.test_case
        yield Candidate(
            test_case=test_case,
            fault_key=None,
            targets=targets,
            original=test_case,
            core=_core(test_case, solution.calls),
            background=context.backgrounds.get(solution.serial),
        )
    if n_stripped:
        context.warn(
            f"{n_stripped} test cases that the search kept had rows in a database that generated tests cannot reach: the suite covers what "
            "they do without these rows (docs/databases.md)"
        )


def _core(test_case: TestCase, calls: Iterable[int]) -> TestCase | None:
    core = with_only(test_case, calls)
    return core if len(core.calls) < len(test_case.calls) else None


def describe_targets(targets: frozenset[TargetId], table: TargetTable, root: str) -> str:
    """A comment such as `covers 3 lines and 2 branches of src/orders.js (line 31 `=== true`, ...)`."""
    ordered = [table[target] for target in sorted(targets)]
    lines = [target for target in ordered if target.kind == "line"]
    branches = [target for target in ordered if target.kind in NAMED_KINDS]
    statuses = [target.detail for target in ordered if target.kind == "status"]
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
    if statuses:
        return f"shows the answer {statuses[0]}"
    if seen:
        more = f" and {len(seen) - 1} more that no test before it does" if len(seen) > 1 else ""
        return f"shows {seen[0]}{more}"
    return "completes statements that no test before it does"
