"""The state of a run that all its workers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from wimble.describe.call_records import CallRecords
from wimble.engine.events import Phase, Progress
from wimble.engine.faults.fault_book import FaultBook
from wimble.engine.faults.provenance_log import SolutionProvenances
from wimble.engine.journal.journal import Journal
from wimble.engine.session.budget import Budget
from wimble.engine.session.called_services import CalledServices
from wimble.engine.session.harvest import Harvest
from wimble.engine.session.notices import Notices
from wimble.engine.session.statistics import Statistics
from wimble.engine.session.stop import StopRequest
from wimble.model.operation import Operation, Specification
from wimble.model.routes import RouteFindings
from wimble.model.targets import TargetTable
from wimble.oracles import Judge
from wimble.runtimes.runtime import Runtime
from wimble.search.resources.resources import Resources
from wimble.search.strategies import Strategy
from wimble.settings import Settings
from wimble.types import TargetId


class Coordinator(msgspec.Struct, kw_only=True):
    """The targets of a run, its progress, and its findings.

    Phases get it together with the worker that evaluates for them. They return their results and do not write them into
    it; only operations may join, and functions that change what others return.
    """

    settings: Settings
    runtime: Runtime
    """The runtime of the SUT."""
    table: TargetTable
    specification: Specification
    resources: Resources
    """The resources of the specification's operations."""
    strategy: Strategy
    judge: Judge
    budget: Budget
    stop: StopRequest
    faults: FaultBook
    provenances: SolutionProvenances
    """What had been made in the SUT before the archive's solutions ran."""
    boot_reached: Mapping[TargetId, float]
    """Best h per target while the SUT started."""
    records: CallRecords = msgspec.field(default_factory=CallRecords)
    """Calls and answers, for the inferred document."""
    statistics: Statistics = msgspec.field(default_factory=Statistics)
    services: CalledServices = msgspec.field(default_factory=CalledServices)
    """The services that the SUT calls."""
    harvest: Harvest = msgspec.field(default_factory=lambda: Harvest((), Path()))
    """Real answers of services, if the user asks for them."""
    changing_functions: set[str] = msgspec.field(default_factory=set)
    """Functions of a library after which others were seen to fail during the search."""
    notices: Notices = msgspec.field(default_factory=Notices)
    journal: Journal = msgspec.field(default_factory=Journal)

    def join(self, operations: Sequence[Operation], routes: RouteFindings) -> None:
        """Adds operations that have become known during the search. routes: what is now known from routes."""
        known = self.specification
        self.specification = msgspec.structs.replace(known, operations=(*known.operations, *operations), routes=routes)
        self.resources.join(operations)
        self.strategy.join(operations)

    def progress(self, phase: Phase, share_done: float | None = None) -> Progress:
        """Returns a snapshot. share_done: share of the steps done, for a phase other than the search."""
        archive, budget, elapsed_s = self.strategy.archive, self.budget, self.budget.elapsed_s
        return Progress(
            is_library=bool(self.settings.library),
            phase=phase,
            elapsed_s=elapsed_s,
            budget_used=budget.progress() if share_done is None else share_done,
            left_s=None if share_done is None or not self.settings.writes_tests else budget.allowance_left_s,
            calls=budget.calls,
            calls_per_s=budget.calls / elapsed_s if elapsed_s > 0 else 0.0,
            evaluations=self.statistics.n_evaluations,
            targets_covered=archive.n_covered,
            targets_total=self.table.n_counted,
            lines_run=self.statistics.n_lines_run,
            lines_total=self.table.count("line"),
            operations_ok=self.statistics.n_succeeded,
            operations_total=len(self.specification.operations),
            n_findings=len(self.faults),
        )
