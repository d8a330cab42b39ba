"""Builds the result of a run, which the reports show, also after an interrupt."""

from __future__ import annotations

from wimble import __version__
from wimble.engine.faults.fault_merging import merged
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.output_folder import LOG_FILE
from wimble.engine.write.described_api import comparison_of, described
from wimble.engine.write.file_coverage import file_coverage, n_other_methods
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.never_succeeded import never_succeeded
from wimble.engine.write.reported_findings import in_order, reported_findings
from wimble.engine.write.target_records import explain_data_of
from wimble.engine.write.written_tests import WrittenTests
from wimble.model.result import RunResult
from wimble.model.solver_report import SolverCounts
from wimble.search.mio import MioStrategy


def build_result(run: FinishedRun, written: WrittenTests) -> RunResult:
    """Builds the result of the run, which the reports show."""
    coordinator = run.coordinator
    budget, statistics = coordinator.budget, coordinator.statistics
    tests = written.tests
    files = file_coverage(coordinator)
    archive = coordinator.strategy.archive
    states = [state for file in files for state in file.lines.values()]
    branches = [branch for file in files for branch in file.branches]
    functions = [function for file in files for function in file.functions]
    settings = coordinator.settings
    findings = reported_findings(run, tests)
    return RunResult(
        version=__version__,
        seed=settings.seed,
        command=settings.command,
        library=coordinator.specification.source if settings.library else "",
        url=run.sut.api.base_url,
        schema=coordinator.specification.source,
        stopped_by=run.stopped_by,
        is_unfinished=run.is_unfinished,
        seconds=budget.elapsed_s,
        calls=budget.calls,
        evaluations=statistics.n_evaluations,
        calls_per_s=budget.calls / budget.elapsed_s if budget.elapsed_s else 0.0,
        needed_budget=budget.last_improvement,
        operations_total=len(coordinator.specification.operations),
        operations_ok=statistics.n_succeeded,
        operation_outcomes={
            operation.id: statistics.outcome_keys(operation.id) for operation in coordinator.specification.operations
        },
        operation_calls={
            operation.id: statistics.search_calls_of(operation.id) for operation in coordinator.specification.operations
        },
        never_succeeded=never_succeeded(coordinator),
        targets_covered=archive.n_covered,
        targets_reached=archive.n_reached,
        targets_total=coordinator.table.n_counted - n_other_methods(coordinator),
        lines_covered=states.count("covered"),
        lines_boot=states.count("boot"),
        lines_total=len(states),
        branches_covered=sum(branch.is_covered for branch in branches),
        branches_total=len(branches),
        functions_covered=sum(function.h >= 1.0 for function in functions),
        functions_total=len(functions),
        findings=in_order(merged(findings), coordinator),
        n_before_grouping=len(findings),
        tests=tests,
        starts=written.starts,
        test_format=written.format_name,
        format_reason=written.format_reason,
        needs=written.needs,
        warnings=coordinator.notices.warnings,
        files=files,
        schedules=run.sut.schedules,
        services=coordinator.services.all(),
        solver=_solver_counts(coordinator),
        working_dir=str(settings.working_dir.absolute()),
        curve=tuple(statistics.curve),
        explain_data=explain_data_of(run, tests),
        document={} if settings.library else described(run),
        comparison=comparison_of(run),
        routes=coordinator.specification.routes,
        log_file=LOG_FILE if settings.command else "",
    )


def _solver_counts(coordinator: Coordinator) -> SolverCounts:
    strategy = coordinator.strategy
    return strategy.solver.statistics.counts() if isinstance(strategy, MioStrategy) else SolverCounts()
