"""Writes the suite and builds the result of a run, also after an interrupt."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from wimble import __version__
from wimble.emit.database_setup import password_needs
from wimble.emit.test_formats import FORMATS, format_for
from wimble.emit.write_suite import write_suite
from wimble.engine.candidates.suite_databases import can_be_written, files_to_put_back, needs_memory, suite_databases
from wimble.engine.faults.fault_book import Fault
from wimble.engine.faults.fault_merging import merged
from wimble.engine.journal.killed_run import UNSEEN_NOTE
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.output_folder import LOG_FILE, TESTS_DIR
from wimble.engine.stability.state_dependence import told_starts
from wimble.engine.verify.secrets_in_tests import holds_secret, told_secrets
from wimble.engine.write.described_api import comparison_of, described
from wimble.engine.write.file_coverage import file_coverage, n_other_methods
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.library_tests import call_lines, library_tests
from wimble.engine.write.never_succeeded import never_succeeded
from wimble.engine.write.password_places import find_password
from wimble.engine.write.target_records import explain_data_of
from wimble.engine.write.token_keys import keys_in, keys_of
from wimble.execute.sut.library_sut import LibrarySut
from wimble.execute.sut.served_api import ServedApi
from wimble.http.curl import at_once_commands
from wimble.http.curl_credentials import curl_commands
from wimble.model.evaluation import Finding
from wimble.model.result import ReportedFinding, ReportedTest, RunResult, Severity
from wimble.model.setup import setup_comments
from wimble.model.solver_report import SolverCounts
from wimble.model.suite import Suite, SuiteDatabase, SutStart, VerifiedTest
from wimble.oracles.severity import numbered_by_severity, severity_of
from wimble.search.mio import MioStrategy
from wimble.types import OperationId
from wimble.users import AuthUser

NOT_VERIFIED: Final = "none that shows it was verified"
"""Why a fault has no test, if nothing else is known; a warning says what was left out, and why."""


LEAST_START_TIMEOUT_S: Final = 60.0
SLOWER_START: Final = 5.0
"""How many times as long as in the run a start may take in tests."""


class WrittenTests(msgspec.Struct, frozen=True):
    """What became of the verified tests."""

    tests: tuple[ReportedTest, ...] = ()
    starts: str = ""
    """A sentence about how they start the SUT, and why; empty if there is nothing to say."""
    format_name: str = ""
    format_reason: str = ""
    """Why they have this format, as the end of a sentence about the tests; empty if there is nothing to say."""
    needs: tuple[str, ...] = ()
    """What has to be done before they can run; empty if they run as they are."""


def write_tests(run: FinishedRun) -> WrittenTests:
    """Writes the verified tests to the output folder.

    If the disk fails, it warns, and the reports are still written.
    """
    coordinator, sut, starts = run.coordinator, run.sut, run.suite.starts
    settings = coordinator.settings
    if not settings.writes_tests:
        return WrittenTests()
    if settings.library:
        tests_written, name = library_tests(run)
        return WrittenTests(tests=tests_written, format_name=name)
    test_format = format_for(settings.working_dir, coordinator.runtime, settings.test_format)
    tests = _without_secrets(run)
    sut_dir = str(settings.working_dir.absolute())
    sources = {target.file for target in coordinator.table if target.file}
    databases = suite_databases(
        sut.databases,
        tests,
        os.environ,
        sut_dir,
        packages_of=lambda driver: coordinator.runtime.projects.packages_folder(driver, sut_dir, sources),
        find_password=partial(find_password, settings.working_dir.absolute()),
        shares_start=starts.shares_start,
    )
    tests = _with_rows(run, tests, databases)
    keys = keys_of(tests, sut.api.token_keys, partial(find_password, settings.working_dir.absolute()))
    tests = _with_keys(run, tests, {key.id for key in keys})
    remembers = any(starts.depends_on_state(test.test_case) for test in tests)
    suite = Suite(
        tests=tests,
        start=SutStart(
            command=settings.command,
            working_dir=sut_dir,
            base_url=sut.api.base_url,
            is_port_fixed=sut.api.is_port_fixed,
            port_variables=port_variables({**os.environ, **sut.api.port_environment}, sut.api),
            start_timeout_s=start_timeout_s(settings.start_timeout_s, run.suite.start_s),
            reset=settings.reset or "",
            data_files=files_to_put_back(sut.written_files, databases, sut_dir),
            ready_paths=sut.api.ready_paths,
            ready_answers=sut.api.ready_answers,
            headers=sut.api.form.headers,
        ),
        seed=settings.seed,
        title=coordinator.specification.title,
        databases=databases,
        keys=keys,
        users=used_users(settings.users, tests),
        packages=test_format.packages,
        needs=password_needs(databases),
    )
    if not suite.tests:
        return WrittenTests()
    folder = settings.output_dir / TESTS_DIR
    try:
        written = write_suite(suite, FORMATS[test_format.name], folder, TESTS_DIR, settings.secrets.redact)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)  # a part of a suite does not run, and takes the reports' place
        coordinator.notices.warn(f"the tests could not be written: {error.strerror or error}")
        return WrittenTests()
    sentence = told_starts(
        remembers=remembers,
        evidence=starts.evidence,
        in_order=starts.shares_start,
        n_sharing=sum(test.shares_start for test in tests),
        n_tests=len(tests),
    )
    installs = (f"first {test_format.install}",) if test_format.install else ()
    needs = (*installs, *suite.needs)
    return WrittenTests(written, sentence, test_format.name, test_format.reason, needs)


def start_timeout_s(of_run_s: float, start_s: float) -> float:
    """Returns how long tests wait for a start: machines that run tests may be slower, and do more beside them.

    of_run_s: how long the run waits. start_s: how long a start has taken.
    """
    return float(math.ceil(max(LEAST_START_TIMEOUT_S, of_run_s, SLOWER_START * start_s)))


def port_variables(environment: Mapping[str, str], api: ServedApi) -> dict[str, str | None]:
    """Returns the environment variables that gave the SUT its port.

    A suite sets the same ones, also on other machines. If there are none and the SUT chose the port itself, `PORT` gets
    that port: elsewhere another file may choose. If several servers listen, `PORT` is unset (None), since another
    server might take it.
    """
    port = str(api.port)
    told: dict[str, str | None] = {
        name: value for name, value in sorted(environment.items()) if name.upper().endswith("PORT") and value == port
    }
    is_chosen_by_sut = api.is_port_fixed and len(api.ports) == 1
    return {"PORT": environment.get("PORT") or (port if is_chosen_by_sut else None)} | told


def _with_keys(run: FinishedRun, tests: Sequence[VerifiedTest], readable: set[str]) -> tuple[VerifiedTest, ...]:
    """Returns the tests whose tokens can be signed when they run, and warns about the others."""
    kept = tuple(test for test in tests if readable.issuperset(keys_in(test)))
    if len(kept) < len(tests):
        run.coordinator.notices.warn(
            f"{len(tests) - len(kept)} tests were not written: they sign a token with a secret that stands neither in "
            "an environment variable nor in a file of the project"
        )
    return kept


def _with_rows(
    run: FinishedRun, tests: Sequence[VerifiedTest], databases: Sequence[SuiteDatabase]
) -> tuple[VerifiedTest, ...]:
    """Returns the tests without those whose rows the suite's helper cannot insert."""
    kept = tuple(test for test in tests if can_be_written(test, databases))
    left = [test for test in tests if not can_be_written(test, databases)]
    n_memory = sum(needs_memory(test, run.sut.databases) for test in left)
    if n_memory:
        run.coordinator.notices.warn(
            f"{n_memory} tests were not written, for they need rows in a database in the API's memory, "
            "where tests cannot insert rows (docs/databases.md)"
        )
    if n_memory < len(left):
        run.coordinator.notices.warn(
            f"{len(left) - n_memory} tests were not written, for they need rows in a database that "
            "generated tests cannot reach yet (docs/databases.md)"
        )
    return kept


def used_users(users: Sequence[AuthUser], tests: Sequence[VerifiedTest]) -> tuple[AuthUser, ...]:
    """Returns all users if any test makes calls as one of them, else none.

    All log in after each start, as they did when the tests were verified.
    """
    return tuple(users) if any(call.user for test in tests for call in test.test_case.calls) else ()


def _without_secrets(run: FinishedRun) -> tuple[VerifiedTest, ...]:
    """Returns the verified tests without those whose text would hold a secret."""
    secrets, tests = run.coordinator.settings.secrets, run.suite.tests
    kept = [
        test for test in tests if not holds_secret(secrets, test.test_case, [call.observation for call in test.calls])
    ]
    if len(kept) < len(tests):
        run.coordinator.notices.warn(told_secrets(len(tests) - len(kept)))
    return tuple(kept)


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
    findings = [_reported(run, fault, tests) for fault in coordinator.faults]
    if run.killed is not None:
        seen = frozenset(reported.finding.key for reported in findings)
        findings += run.killed.unseen(seen, UNSEEN_NOTE)
    n_before_grouping = len(findings)
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
            operation.id: statistics.calls_of(operation.id) for operation in coordinator.specification.operations
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
        findings=_in_order(merged(findings), coordinator),
        n_before_grouping=n_before_grouping,
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


def _in_order(findings: Sequence[ReportedFinding], coordinator: Coordinator) -> tuple[ReportedFinding, ...]:
    """Returns the findings with their severities, most severe first, and numbers them in this order."""
    operations = {operation.id: operation for operation in coordinator.specification.operations}

    def severity(finding: Finding) -> Severity:
        keys = coordinator.statistics.outcome_keys(finding.operation)
        return severity_of(finding, operations.get(OperationId(finding.operation)), keys)

    return numbered_by_severity(findings, severity)


def _reported(run: FinishedRun, fault: Fault, tests: tuple[ReportedTest, ...]) -> ReportedFinding:
    verified, again = _test_of(run, fault), run.suite.repeated.get(fault.key)
    test_case, observations = fault.witnesses[0].evaluation.test_case, fault.witnesses[0].evaluation.observations
    finding = fault.finding
    written = None
    if verified is not None:
        test_case, observations = verified.test_case, tuple(call.observation for call in verified.calls)
        finding = next(found for found in verified.findings if found.key == finding.key)
        written = next((test for test in tests if test.name == verified.name), None)
    elif again is not None:
        finding, test_case, observations = again.finding, again.test_case, again.observations
    settings = run.coordinator.settings
    shown = observations[: finding.call_index + 1]
    if isinstance(run.sut, LibrarySut):
        repeated = call_lines(run.sut, test_case, shown)
    else:
        comments, commands = curl_commands(
            shown, run.sut.api.base_url, settings.users, run.sut.api.form.headers, run.sut.api.token_keys
        )
        repeated = (*setup_comments(test_case), *comments, *at_once_commands(commands, test_case.at_once))
    return ReportedFinding(
        id=fault.id,
        finding=finding,
        observations=shown,
        curl=repeated,
        test=written,
        is_repeated=verified is not None or again is not None,
        note=_note(run, fault, finding.operation, has_test=written is not None),
        found_after_calls=fault.found_after_calls,
        found_after_s=fault.found_after_s,
        times_seen=fault.times_seen,
    )


def _note(run: FinishedRun, fault: Fault, shown_operation: str, *, has_test: bool) -> str:
    notes = [] if has_test else [run.suite.fault_notes.get(fault.key, NOT_VERIFIED)]
    others = [name for name in fault.operations if name != shown_operation]
    if others:
        more = f" and {len(others) - 4} more" if len(others) > 4 else ""
        notes.append(f"also seen in {', '.join(others[:4])}{more}")
    return "; ".join(note for note in notes if note)


def _test_of(run: FinishedRun, fault: Fault) -> VerifiedTest | None:
    """Returns the shortest verified test that shows the fault, or None."""
    showing = [test for test in run.suite.tests if any(found.key == fault.key for found in test.findings)]
    return min(showing, key=lambda test: len(test.calls), default=None)


def log_path(output_dir: Path) -> Path:
    return output_dir / LOG_FILE
