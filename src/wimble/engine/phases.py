"""The phases after boot, in order. They yield a result whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from wimble.engine.boot.joining_routes import JoiningRoutes
from wimble.engine.dropped_faults.awaited_promises import drop_awaited_promises
from wimble.engine.dropped_faults.denied_resources import drop_denials_of_found_resources
from wimble.engine.dropped_faults.made_rows import drop_errors_about_made_rows
from wimble.engine.dropped_faults.passed_on_failures import drop_failures_passed_on
from wimble.engine.events import Event, PhaseStarted, RunFinished, SpecificationLoaded, SutReady
from wimble.engine.faults.shown_faults import NOTHING_SHOWN, ShownFaults
from wimble.engine.journal.killed_run import KilledRun
from wimble.engine.project_limits import warn_about_files
from wimble.engine.search_phase import proposals, run_search
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.notices import Notices
from wimble.engine.session.stop import StopRequest
from wimble.engine.verify.verify_phase import VerifiedSuite
from wimble.engine.worker.worker import Worker
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.run_result import build_result
from wimble.engine.write.written_tests import write_tests
from wimble.execute.sut.sut import Sut
from wimble.model.operation import Specification
from wimble.model.result import StoppedBy
from wimble.model.run_conditions import trial_conditions

_Result = TypeVar("_Result")
Part: TypeAlias = Generator[Event, None, _Result]
"""A part of a run, with its result."""


class RunKind(msgspec.Struct, frozen=True):
    """The phases after the search, which differ between APIs and libraries."""

    examine: Callable[[Coordinator, Worker], Part[None]]
    """Runs once if the search has used up its budget, before the suite is made."""
    make_suite: Callable[[Coordinator, Worker, StoppedBy], Part[VerifiedSuite]]
    further: tuple[Callable[[Coordinator, Worker], Part[ShownFaults]], ...] = ()
    """Look for further faults once the suite is there, unless the user has stopped the run."""


class BootedRun(msgspec.Struct, frozen=True):
    """A run whose SUT has started, and whose operations are known."""

    coordinator: Coordinator
    worker: Worker
    killed: KilledRun | None = None
    """The run that was killed, if its report is made."""
    joining: JoiningRoutes | None = None
    solver: AbstractContextManager[None] = msgspec.field(default_factory=nullcontext)
    """What the search can ask the solver in."""


def run_phases(booted: BootedRun, kind: RunKind) -> Part[bool]:
    """Runs the phases after boot. They yield a result whatever happens; a bug of wimble is raised after the result.

    Returns whether the journal is still of use: a stop has left test cases unverified.
    """
    coordinator, worker = booted.coordinator, booted.worker
    notices, failures = coordinator.notices, list[BaseException]()
    for warning in coordinator.specification.warnings:
        notices.warn(warning)
    yield from notices.take_events()
    coordinator.stop.make_graceful()
    stopped_by = yield from _searched(booted, failures)
    suite = yield from _suite(coordinator, worker, kind, stopped_by, failures)
    coordinator.stop.begin_writing()
    if suite.is_interrupted or any(isinstance(failure, KeyboardInterrupt) for failure in failures):
        stopped_by = "interrupt"
    is_unfinished = yield from _written(booted, suite, stopped_by)
    for failure in failures:
        if not isinstance(failure, KeyboardInterrupt):
            raise failure
    return is_unfinished


def ready(sut: Sut, start_s: float) -> SutReady:
    """Returns the event for a SUT that has started."""
    n_files = sum(1 for file in sut.files if not file.error)
    return SutReady(url=sut.api.base_url, start_s=start_s, n_files=n_files, agent=sut.agent_label)


def loaded(specification: Specification) -> SpecificationLoaded:
    """Returns the event for operations that are known."""
    n_operations = len(specification.operations)
    return SpecificationLoaded(source=specification.source, version=specification.version, n_operations=n_operations)


def leave(sut: Sut, stop: StopRequest) -> None:
    """Restores databases, and stops the SUT. One Ctrl-C does not interrupt the restoring, a second one does."""
    stop.make_graceful()
    stop.begin_writing()
    try:
        sut.leave()
    finally:
        sut.stop()


def _searched(booted: BootedRun, failures: list[BaseException]) -> Part[StoppedBy]:
    coordinator, killed = booted.coordinator, booted.killed
    yield PhaseStarted(phase="search" if killed is None else "repeat")
    if killed is not None:  # what was searched is run again in no time
        coordinator.budget.allow_at_least(coordinator.settings.max_time_s or 0.0)
    test_cases = proposals(coordinator) if killed is None else killed.test_cases(coordinator.specification.operations)
    stopped_by: StoppedBy = "time"
    search = run_search(coordinator, [booted.worker], test_cases, booted.joining)
    with booted.solver:
        stopped_by = yield from _guarded(search, stopped_by, failures, coordinator.notices)
    return "interrupt" if failures and isinstance(failures[0], KeyboardInterrupt) else stopped_by


def _suite(
    coordinator: Coordinator, worker: Worker, kind: RunKind, stopped_by: StoppedBy, failures: list[BaseException]
) -> Part[VerifiedSuite]:
    notices, is_complete = coordinator.notices, stopped_by in ("time", "calls")
    if is_complete:
        if coordinator.settings.writes_tests:  # the next starts are those for tests: they load from now on
            worker.sut.live_under(trial_conditions(coordinator.settings))
            worker.sut.keep_standbys()
        yield from _guarded(kind.examine(coordinator, worker), None, failures, notices)
    drop_denials_of_found_resources(coordinator)
    drop_failures_passed_on(coordinator)
    drop_errors_about_made_rows(coordinator)
    drop_awaited_promises(coordinator)
    made = kind.make_suite(coordinator, worker, stopped_by)
    suite = yield from _guarded(made, VerifiedSuite(is_unfinished=True), failures, notices)
    if not is_complete or suite.is_interrupted or coordinator.stop.was_ever_requested:
        return suite
    for look in kind.further:
        shown = yield from _guarded(look(coordinator, worker), NOTHING_SHOWN, failures, notices)
        suite = replace(suite, tests=(*suite.tests, *shown.tests), fault_notes={**suite.fault_notes, **shown.notes})
    return suite


def _written(booted: BootedRun, suite: VerifiedSuite, stopped_by: StoppedBy) -> Part[bool]:
    coordinator, worker, sut = booted.coordinator, booted.worker, booted.worker.sut
    notices = coordinator.notices
    sut.leave()
    for warning in (
        *coordinator.judge.take_warnings(),
        *sut.take_notes(),
        *sut.take_late_notes(),
        worker.monitors.rate_limit.warning(),
        *worker.warnings_of_crashes(fault.finding.cause for fault in coordinator.faults),
    ):
        notices.warn(warning)
    yield PhaseStarted(phase="write")
    warn_about_files(coordinator, sut)
    finished = FinishedRun(coordinator=coordinator, sut=sut, suite=suite, stopped_by=stopped_by, killed=booted.killed)
    written = write_tests(finished)
    yield from notices.take_events()
    yield RunFinished(result=build_result(finished, written))
    return finished.is_unfinished


def _guarded(part: Part[_Result], default: _Result, failures: list[BaseException], notices: Notices) -> Part[_Result]:
    """Returns the result of a part of the run.

    If the part fails, adds the error to `failures` and returns the default.
    """
    try:
        return (yield from part)
    except KeyboardInterrupt as interrupt:
        failures.append(interrupt)
    except Exception as error:  # a bug of wimble: what was found is written first
        failures.append(error)
        notices.warn(f"wimble failed ({type(error).__name__}: {error}); what it had found is kept")
    return default
