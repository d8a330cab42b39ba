"""Writes the suite and gathers the result of a run; works on whatever there is, also after an interrupt."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from wimble import __version__
from wimble.emit.formats import FORMATS, default_format
from wimble.emit.write import write_suite
from wimble.engine.context import RunContext
from wimble.engine.coverage import file_coverage
from wimble.engine.faults import Fault
from wimble.engine.knowledge import SeenSut, session_of
from wimble.engine.memory import told_starts
from wimble.engine.merge import merged
from wimble.engine.output import LOG_FILE, TESTS_DIR
from wimble.engine.secrecy import holds_secret, told_secrets
from wimble.engine.suite_databases import can_be_written, needs_memory, suite_databases
from wimble.model.curl import curl_command
from wimble.model.result import ReportedFinding, ReportedTest, RunResult
from wimble.model.setup import row_comments
from wimble.model.suite import Suite, SuiteDatabase, SutStart, VerifiedTest
from wimble.users import AuthUser


class ServedPorts(Protocol):
    """Where a SUT listens."""

    @property
    def port(self) -> int: ...
    @property
    def ports(self) -> tuple[int, ...]: ...
    @property
    def is_port_fixed(self) -> bool: ...


class WrittenTests(msgspec.Struct, frozen=True):
    """What has become of the verified tests."""

    tests: tuple[ReportedTest, ...] = ()
    starts: str = ""
    """How they start the SUT, and why, in a sentence; empty where there is nothing to say."""


def write_tests(context: RunContext) -> WrittenTests:
    """Writes the verified tests to the output folder. A disk that refuses is a warning: the reports still come."""
    settings = context.settings
    name = settings.test_format or default_format(settings.working_dir)
    tests = _without_secrets(context)
    sut_dir = str(settings.working_dir.absolute())
    sources = {target.file for target in context.table if target.file}
    databases = suite_databases(
        context.sut.databases, tests, os.environ, sut_dir, sources, shares_start=context.shares_start
    )
    tests = _with_rows(context, tests, databases)
    remembers = any(context.remembers(test.test_case) for test in tests)
    suite = Suite(
        tests=tests,
        start=SutStart(
            command=settings.command,
            working_dir=sut_dir,
            base_url=context.sut.base_url,
            is_port_fixed=context.sut.is_port_fixed,
            port_variables=port_variables(os.environ, context.sut),
            reset=settings.reset or "",
            data_files=context.sut.written_files,
            ready_paths=context.sut.ready_paths,
        ),
        seed=settings.seed,
        title=context.specification.title,
        databases=databases,
        users=used_users(settings.users, tests),
    )
    if not suite.tests:
        return WrittenTests()
    folder = settings.output_dir / TESTS_DIR
    try:
        written = write_suite(suite, FORMATS[name], folder, TESTS_DIR, settings.secrets.redact)
    except OSError as error:
        context.warn(f"the tests could not be written: {error}")
        return WrittenTests()
    starts = told_starts(
        remembers=remembers,
        memory=context.memory,
        in_order=context.shares_start,
        n_sharing=sum(test.shares_start for test in tests),
        n_tests=len(tests),
    )
    return WrittenTests(written, starts)


def port_variables(environment: Mapping[str, str], sut: ServedPorts) -> dict[str, str | None]:
    """What told the SUT its port, so that a suite tells it the same wherever it runs.

    Where nothing did, `PORT` says the port that the SUT has chosen (on another machine, another file may choose) unless several
    servers listen: there it could be another one's.
    """
    port = str(sut.port)
    told: dict[str, str | None] = {
        name: value for name, value in sorted(environment.items()) if name.upper().endswith("PORT") and value == port
    }
    is_chosen_by_sut = sut.is_port_fixed and len(sut.ports) == 1
    return {"PORT": environment.get("PORT") or (port if is_chosen_by_sut else None)} | told


def _with_rows(
    context: RunContext, tests: Sequence[VerifiedTest], databases: Sequence[SuiteDatabase]
) -> tuple[VerifiedTest, ...]:
    """The tests but for those whose rows the suite's helper cannot put in."""
    kept = tuple(test for test in tests if can_be_written(test, databases))
    left = [test for test in tests if not can_be_written(test, databases)]
    n_memory = sum(needs_memory(test, context.sut.databases) for test in left)
    if n_memory:
        context.warn(
            f"{n_memory} tests were not written, for they need rows in a database in the API's memory, where no test can put any "
            "(docs/databases.md)"
        )
    if n_memory < len(left):
        context.warn(
            f"{len(left) - n_memory} tests were not written, for they need rows in a database that generated tests cannot reach yet "
            "(docs/databases.md)"
        )
    return kept


def used_users(users: Sequence[AuthUser], tests: Sequence[VerifiedTest]) -> tuple[AuthUser, ...]:
    """All of them, if any test makes calls as one: then they log in after each start as they did when it was verified."""
    return tuple(users) if any(call.user for test in tests for call in test.test_case.calls) else ()


def _without_secrets(context: RunContext) -> tuple[VerifiedTest, ...]:
    """The verified tests but for those that cannot be written without a secret in them."""
    secrets = context.settings.secrets
    kept = [test for test in context.tests if not holds_secret(secrets, [call.observation for call in test.calls])]
    if len(kept) < len(context.tests):
        context.warn(told_secrets(len(context.tests) - len(kept)))
    return tuple(kept)


def build_result(context: RunContext, sut: SeenSut, written: WrittenTests) -> RunResult:
    """Everything that is known now."""
    tests = written.tests
    files = file_coverage(context)
    archive = context.strategy.archive
    states = [state for file in files for state in file.lines.values()]
    branches = [branch for file in files for branch in file.branches]
    functions = [function for file in files for function in file.functions]
    settings = context.settings
    return RunResult(
        version=__version__,
        seed=settings.seed,
        command=settings.command,
        url=context.sut.base_url,
        schema=context.specification.source,
        stopped_by=context.stopped_by,
        seconds=context.search_s,
        calls=context.budget.calls,
        evaluations=context.evaluations,
        calls_per_s=context.budget.calls / context.search_s if context.search_s else 0.0,
        needed_budget=context.budget.last_improvement,
        operations_total=len(context.specification.operations),
        operations_2xx=len(context.succeeded),
        operation_statuses={
            operation.id: tuple(sorted(context.statuses.get(operation.id, ())))
            for operation in context.specification.operations
        },
        targets_covered=archive.n_covered,
        targets_reached=archive.n_reached,
        targets_total=context.table.n_counted,
        lines_covered=states.count("covered"),
        lines_boot=states.count("boot"),
        lines_total=len(states),
        branches_covered=sum(branch.is_covered for branch in branches),
        branches_total=len(branches),
        functions_covered=sum(function.h >= 1.0 for function in functions),
        functions_total=len(functions),
        findings=merged([_reported(context, fault, tests) for fault in context.faults]),
        tests=tests,
        starts=written.starts,
        warnings=tuple(context.warnings),
        files=files,
        schedules=context.sut.schedules,
        working_dir=str(settings.working_dir.absolute()),
        curve=tuple(context.curve),
        session=session_of(context, sut, tests),
        log_file=LOG_FILE if settings.command else "",
    )


def _reported(context: RunContext, fault: Fault, tests: tuple[ReportedTest, ...]) -> ReportedFinding:
    verified = _test_of(context, fault)
    test_case, observations = fault.witnesses[0].evaluation.test_case, fault.witnesses[0].evaluation.observations
    finding = fault.finding
    written = None
    if verified is not None:
        test_case, observations = verified.test_case, tuple(call.observation for call in verified.calls)
        finding = next(found for found in verified.findings if found.key == finding.key)
        written = next((test for test in tests if test.name == verified.name), None)
    settings = context.settings
    shown = observations[: finding.call_index + 1]
    return ReportedFinding(
        id=fault.id,
        finding=finding,
        observations=shown,
        curl=(
            *row_comments(test_case),
            *(curl_command(observation.request, context.sut.base_url, settings.users) for observation in shown),
        ),
        test=written,
        note=_note(context, fault, has_test=written is not None),
        found_after_calls=fault.found_after_calls,
        found_after_s=fault.found_after_s,
        times_seen=fault.times_seen,
    )


def _note(context: RunContext, fault: Fault, *, has_test: bool) -> str:
    notes = [] if has_test else [context.fault_notes.get(fault.key, "")]
    others = list(fault.operations)[1:]
    if others:
        more = f" and {len(others) - 4} more" if len(others) > 4 else ""
        notes.append(f"also seen in {', '.join(others[:4])}{more}")
    return "; ".join(note for note in notes if note)


def _test_of(context: RunContext, fault: Fault) -> VerifiedTest | None:
    """The shortest verified test that shows the fault."""
    showing = [test for test in context.tests if any(found.key == fault.key for found in test.findings)]
    return min(showing, key=lambda test: len(test.calls), default=None)


def log_path(output_dir: Path) -> Path:
    return output_dir / LOG_FILE
