"""One run, from start to reports: its phases in order, each of which yields events. It prints nothing."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, TypeVar

from msgspec.structs import replace

from wimble import __version__
from wimble.agent.sut_log import check_disk
from wimble.engine.boot.allowed_hosts import unknown_hosts
from wimble.engine.boot.api_description import ApiDescription, load_files
from wimble.engine.boot.describe import ready_path
from wimble.engine.boot.joining_routes import JoiningRoutes
from wimble.engine.boot.known_services import learn_services
from wimble.engine.boot.late_routes import find_late_routes
from wimble.engine.boot.library_boot import described_library, hosted, settings_for
from wimble.engine.boot.read_document import read_overlays
from wimble.engine.boot.searched_operations import SearchedOperations
from wimble.engine.called_twice.called_twice_phase import run_called_twice
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.selection import candidate_of, choose_candidates
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.description.description_phase import run_description
from wimble.engine.events import (
    Event,
    PhaseStarted,
    RunFinished,
    RunStarted,
    SpecificationLoaded,
    SutReady,
)
from wimble.engine.faults.denied_resources import drop_denials_of_found_resources
from wimble.engine.faults.fault_book import FaultBook
from wimble.engine.faults.faults_of_loading import drop_faults_of_loading
from wimble.engine.faults.provenance_log import SolutionProvenances
from wimble.engine.faults.shown_faults import NOTHING_SHOWN
from wimble.engine.faults.slow_calls import drop_slow_calls
from wimble.engine.faults.unrepeated_faults import drop_unrepeated_faults
from wimble.engine.faults.unusable_objects import drop_faults_of_unusable_objects
from wimble.engine.growth.growth_phase import run_growth
from wimble.engine.journal.journal import Journal
from wimble.engine.journal.journal_entries import JOURNAL_FILE, run_entry
from wimble.engine.journal.killed_run import KilledRun, keep_journal
from wimble.engine.minimise.minimise_phase import run_minimise
from wimble.engine.pollution.pollution_phase import run_pollution
from wimble.engine.races.race_phase import run_races
from wimble.engine.round_trips.round_trip_phase import run_round_trips
from wimble.engine.search_phase import proposals, run_search
from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.harvest import Harvest
from wimble.engine.session.notices import Notices
from wimble.engine.session.output_folder import clear_previous, has_reports, locked, prepare_output_dir, redact_file
from wimble.engine.session.statistics import Statistics
from wimble.engine.session.stop import StopRequest
from wimble.engine.stability.repeated_runs import NOT_AGAIN
from wimble.engine.tracing.sut_tracer import SutTracer
from wimble.engine.verify.repeated_faults import of_tests, repeat_faults
from wimble.engine.verify.verify_phase import VerifiedSuite, run_verify
from wimble.engine.worker.worker import Worker
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.write_phase import build_result, log_path, write_tests
from wimble.errors import SchemaError, TargetError, UsageError
from wimble.execute.sut.black_box_sut import BlackBoxSut
from wimble.execute.sut.library_sut import LibrarySut
from wimble.execute.sut.started_sut import StartedSut
from wimble.execute.sut.sut import Sut
from wimble.model.operation import Specification
from wimble.model.result import StoppedBy
from wimble.model.targets import TargetTable
from wimble.oracles import Judge
from wimble.oracles.library_table import LIBRARY_ORACLES
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.search.mio import MioStrategy
from wimble.search.resources.resources import Resources
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings
from wimble.spec.operation_filters import only, parsed_filter

LEAST_STARTS: Final = 10
"""Number of starts of the SUT for which there is time after the search, however slow they are: for tests that share
starts."""
NOT_ASKED_FOR: Final = "no tests were asked for (--format none)"


def run(settings: Settings, stop: StopRequest, killed: KilledRun | None = None) -> Iterator[Event]:
    """Runs all phases. Once the phases after boot have begun, the last event is a RunFinished with all that was found.

    killed: the run that was killed, if its report is to be made: what it has kept is run again, instead of a search.

    Raises: UsageError before anything is started; TargetError if the SUT does not start.
    """
    output_dir = prepare_output_dir(settings.output_dir)
    with locked(output_dir):
        yield from _run(settings, stop, output_dir, killed)


def _run(settings: Settings, stop: StopRequest, output_dir: Path, killed: KilledRun | None) -> Iterator[Event]:
    notices, limits = Notices(), list[str]()
    if killed is None and not (settings.writes_only_document or settings.library):
        limits.append(keep_journal(output_dir))
    clear_previous(output_dir, only_document=settings.writes_only_document)
    if settings.library:
        yield from _run_library(settings, stop, output_dir, notices, limits)
        return
    overlays = read_overlays(settings.overlays)
    path_on_sut = ready_path(settings.schemas)
    files = load_files(settings, overlays)
    yield RunStarted(seed=settings.seed, command=settings.command, version=__version__)
    yield PhaseStarted(phase="boot")
    table = TargetTable()
    sut = _sut_of(settings, table, log_path(output_dir), path_on_sut)
    try:
        started_at = time.monotonic()
        sut.start()
        yield _ready(sut, time.monotonic() - started_at)
        url = sut.api.base_url
        described = ApiDescription(settings, sut, overlays, table).find(files)
        if sut.api.base_url != url:
            yield _ready(sut, time.monotonic() - started_at)
        searched = SearchedOperations(settings)
        specification = searched.initial(described.specification)
        joining = JoiningRoutes(described.specification, sut.api, searched.joining)
        if settings.writes_only_document and specification.kind == "graphql":
            raise UsageError(
                "nothing-to-describe",
                "the API takes GraphQL only, and has a schema that describes it",
                where=specification.source,
                hint="An OpenAPI document would have one operation, POST. To test the API: wimble run",
            )
        yield SpecificationLoaded(
            source=specification.source,
            version=specification.version,
            n_operations=len(specification.operations),
        )
        sut.api.log_in(strict=True)
        coordinator = _new_coordinator(settings, stop, table, specification, sut=sut, notices=notices)
        if killed is None and not settings.writes_only_document:
            coordinator.journal.begin(
                run_entry(
                    settings,
                    url=sut.api.base_url,
                    schema=specification.source,
                    n_operations=len(specification.operations),
                )
            )
        unknown = unknown_hosts(settings.allowed_hosts)
        notices.tell_limits([*limits, *described.notes, *_limits(settings, sut), *unknown])
        worker = Worker(sut, coordinator)
        if isinstance(sut, StartedSut) and isinstance(coordinator.strategy, MioStrategy):
            tracer = SutTracer(worker, sut, coordinator.budget, lambda: stop.is_requested)
            coordinator.strategy.solver.trace_with(tracer)
        yield from _phases(coordinator, worker, killed, joining)
        coordinator.journal.close(is_needed=not has_reports(output_dir))
    except (TargetError, SchemaError):
        check_disk(output_dir)  # the SUT fails when it cannot print, so this is the cause
        raise
    finally:
        _leave(sut, stop)
        redact_file(log_path(output_dir), settings.secrets)


def _run_library(
    settings: Settings, stop: StopRequest, output_dir: Path, notices: Notices, limits: list[str]
) -> Iterator[Event]:
    yield RunStarted(seed=settings.seed, command=(settings.library,), version=__version__)
    yield PhaseStarted(phase="boot")
    runtime = next(one for one in RUNTIMES.values() if one.host_library is not None)
    library = hosted(settings, output_dir, runtime)
    settings = settings_for(settings, library)
    table = TargetTable()
    sut = LibrarySut(settings, library, table, log_path(output_dir), runtime=runtime)
    try:
        started_at = time.monotonic()
        sut.start()
        yield _ready(sut, time.monotonic() - started_at)
        specification = only(described_library(sut), tuple(parsed_filter(text) for text in settings.only))
        yield SpecificationLoaded(
            source=specification.source,
            version=specification.version,
            n_operations=len(specification.operations),
        )
        coordinator = _new_coordinator(settings, stop, table, specification, sut=sut, notices=notices)
        notices.tell_limits([*limits, *_limits(settings, sut)])
        worker = Worker(sut, coordinator)
        if isinstance(coordinator.strategy, MioStrategy):
            tracer = SutTracer(worker, sut, coordinator.budget, lambda: stop.is_requested)
            coordinator.strategy.solver.trace_with(tracer)
        yield from _phases(coordinator, worker, None)
        coordinator.journal.close(is_needed=not has_reports(output_dir))
    except TargetError:
        check_disk(output_dir)
        raise
    finally:
        _leave(sut, stop)


def _sut_of(settings: Settings, table: TargetTable, log: Path, path_on_sut: str) -> Sut:
    """path_on_sut: as `StartedSut`'s ready_path."""
    runtimes = tuple(RUNTIMES.values())
    if settings.command:
        return StartedSut(settings, table, log, runtimes=runtimes, ready_path=path_on_sut)
    return BlackBoxSut(settings, runtime=runtimes[0])


def _leave(sut: Sut, stop: StopRequest) -> None:
    """Restores databases, and stops the SUT. One Ctrl-C does not interrupt the restoring, a second one does."""
    stop.make_graceful()
    stop.begin_writing()
    try:
        sut.leave()
    finally:
        sut.stop()


def _ready(sut: Sut, start_s: float) -> SutReady:
    n_files = sum(1 for file in sut.files if not file.error)
    return SutReady(url=sut.api.base_url, start_s=start_s, n_files=n_files, agent=sut.agent_label)


def _phases(
    coordinator: Coordinator, worker: Worker, killed: KilledRun | None, joining: JoiningRoutes | None = None
) -> Iterator[Event]:
    """Runs the phases after boot. They yield a result whatever happens; a bug of wimble is raised after the result."""
    notices, sut = coordinator.notices, worker.sut
    for warning in coordinator.specification.warnings:
        notices.warn(warning)
    yield from notices.take_events()
    coordinator.stop.make_graceful()
    yield PhaseStarted(phase="search" if killed is None else "repeat")
    if killed is not None:  # what was searched is run again in no time
        coordinator.budget.allow_at_least(coordinator.settings.max_time_s or 0.0)
    test_cases = proposals(coordinator) if killed is None else killed.test_cases(coordinator.specification.operations)
    failures: list[BaseException] = []
    stopped_by: StoppedBy = "time"
    search = run_search(coordinator, [worker], test_cases, joining)
    stopped_by = yield from _guarded(search, stopped_by, failures, notices)
    if failures and isinstance(failures[0], KeyboardInterrupt):
        stopped_by = "interrupt"
    if stopped_by in ("time", "calls"):
        after_search = run_pollution if coordinator.settings.library else run_description
        yield from _guarded(after_search(coordinator, worker), None, failures, notices)
    drop_denials_of_found_resources(coordinator)
    make_suite = _make_library_suite if coordinator.settings.library else _make_suite
    suite = yield from _guarded(make_suite(coordinator, worker, stopped_by), VerifiedSuite(), failures, notices)
    was_stopped = suite.is_interrupted or coordinator.stop.was_ever_requested
    if coordinator.settings.library and stopped_by in ("time", "calls") and not was_stopped:
        lost = yield from _guarded(run_round_trips(coordinator, worker), NOTHING_SHOWN, failures, notices)
        changed = yield from _guarded(run_called_twice(coordinator, worker), NOTHING_SHOWN, failures, notices)
        grown = yield from _guarded(run_growth(coordinator, worker), {}, failures, notices)
        notes = {**suite.fault_notes, **lost.notes, **changed.notes, **grown}
        suite = replace(suite, tests=(*suite.tests, *lost.tests, *changed.tests), fault_notes=notes)
    coordinator.stop.begin_writing()
    if suite.is_interrupted or any(isinstance(failure, KeyboardInterrupt) for failure in failures):
        stopped_by = "interrupt"
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
    _warn_about_files(coordinator, sut)
    finished = FinishedRun(coordinator=coordinator, sut=sut, suite=suite, stopped_by=stopped_by, killed=killed)
    written = write_tests(finished)
    yield from notices.take_events()
    yield RunFinished(result=build_result(finished, written))
    for failure in failures:
        if not isinstance(failure, KeyboardInterrupt):
            raise failure


_Result = TypeVar("_Result")


def _guarded(
    part: Generator[Event, None, _Result], default: _Result, failures: list[BaseException], notices: Notices
) -> Generator[Event, None, _Result]:
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


def _make_library_suite(
    coordinator: Coordinator, worker: Worker, stopped_by: StoppedBy
) -> Generator[Event, None, VerifiedSuite]:
    drop_faults_of_unusable_objects(coordinator)
    if isinstance(worker.sut, LibrarySut) and stopped_by != "sut":
        drop_faults_of_loading(coordinator, worker.sut.ends_alone)
        drop_slow_calls(coordinator, worker.sut.returns_within)
    writes_tests = coordinator.settings.writes_tests
    suite = yield from (_make_suite if writes_tests else _repeat_faults)(coordinator, worker, stopped_by)
    drop_unrepeated_faults(coordinator, suite.fault_notes)
    return suite


def _repeat_faults(
    coordinator: Coordinator, worker: Worker, stopped_by: StoppedBy
) -> Generator[Event, None, VerifiedSuite]:
    """Makes no suite, but notes which faults a fresh process does not show again."""
    suite = VerifiedSuite()
    if list(coordinator.faults) and stopped_by != "sut" and not coordinator.stop.has_expired:
        coordinator.stop.rearm()
        candidates = list(map(candidate_of, coordinator.faults))
        suite = yield from run_verify(coordinator, worker, candidates, StartPolicy())
    notes = {fault.key: NOT_ASKED_FOR for fault in coordinator.faults}
    not_again = {key: note for key, note in suite.fault_notes.items() if note == NOT_AGAIN}
    return VerifiedSuite(
        repeated=of_tests(suite.tests), fault_notes=notes | not_again, is_interrupted=suite.is_interrupted
    )


def _without_tests(
    coordinator: Coordinator, worker: Worker, stopped_by: StoppedBy
) -> Generator[Event, None, VerifiedSuite]:
    """Makes no suite, but finds out of the faults what its tests would tell."""
    notes = {fault.key: NOT_ASKED_FOR for fault in coordinator.faults}
    if stopped_by == "sut" or coordinator.stop.has_expired or coordinator.settings.writes_only_document:
        return VerifiedSuite(fault_notes=notes)
    coordinator.stop.rearm()
    repeated = yield from repeat_faults(coordinator, worker)
    return VerifiedSuite(repeated=repeated, fault_notes=notes, is_interrupted=coordinator.stop.has_expired)


def _make_suite(
    coordinator: Coordinator, worker: Worker, stopped_by: StoppedBy
) -> Generator[Event, None, VerifiedSuite]:
    stop, notices = coordinator.stop, coordinator.notices
    if not coordinator.settings.writes_tests:
        return (yield from _without_tests(coordinator, worker, stopped_by))
    if stopped_by == "sut":
        notices.warn("no tests were written, for none can be verified without the SUT")
        return VerifiedSuite()
    was_interrupted = stop.is_requested
    if stop.has_expired:
        return VerifiedSuite(is_interrupted=True)
    stop.rearm()
    candidates: Sequence[Candidate] = choose_candidates(coordinator, worker.sut.databases)
    if not candidates:
        return VerifiedSuite()
    try:
        if not (was_interrupted or coordinator.settings.library):
            find_late_routes(coordinator, worker.sut)
        worker.restart()
        coordinator.budget.allow_at_least(LEAST_STARTS * worker.start_s)
        worker.sut.keep_standbys()
    except TargetError as error:
        notices.warn(f"no tests could be verified, for the SUT does not start again: {error.what}")
        return VerifiedSuite()
    starts, proofs, is_interrupted = StartPolicy(), None, False
    if not was_interrupted:
        minimised = yield from run_minimise(coordinator, worker, candidates)
        candidates, starts, proofs = minimised.candidates, minimised.starts, minimised.proofs
        is_interrupted = minimised.is_interrupted
        if stop.has_expired:
            return VerifiedSuite(is_interrupted=True)
        stop.rearm()
    suite = yield from run_verify(coordinator, worker, candidates, starts, proofs)
    is_interrupted = is_interrupted or suite.is_interrupted
    if not (was_interrupted or is_interrupted or stop.was_ever_requested or coordinator.settings.library):
        suite = yield from _with_races(coordinator, worker, suite, starts)
    return replace(suite, is_interrupted=is_interrupted or suite.is_interrupted)


def _with_races(
    coordinator: Coordinator, worker: Worker, suite: VerifiedSuite, starts: StartPolicy
) -> Generator[Event, None, VerifiedSuite]:
    """Looks for races, and returns the suite with notes on them. The suite is kept if that is interrupted."""
    try:
        notes = yield from run_races(coordinator, worker, suite.tests, starts)
    except KeyboardInterrupt:
        return replace(suite, is_interrupted=True)
    return replace(suite, fault_notes={**suite.fault_notes, **notes})


def _new_coordinator(
    settings: Settings,
    stop: StopRequest,
    table: TargetTable,
    specification: Specification,
    *,
    sut: Sut,
    notices: Notices,
) -> Coordinator:
    strategy = STRATEGIES[settings.strategy](
        specification.operations, table, settings, Random(settings.seed), sut.runtime.values
    )
    learn_services(strategy.sampler.services, settings)
    return Coordinator(
        settings=settings,
        harvest=Harvest(settings.harvested_hosts, settings.output_dir / "harvest", settings.secrets.redact),
        runtime=sut.runtime,
        table=table,
        specification=specification,
        resources=Resources(specification.operations),
        strategy=strategy,
        judge=Judge(LIBRARY_ORACLES) if settings.library else Judge(),
        budget=Budget(max_time_s=settings.max_time_s, max_calls=settings.max_calls),
        stop=stop,
        faults=FaultBook(),
        provenances=SolutionProvenances(strategy.archive.solution_serials),
        boot_reached=dict(sut.boot_reached),
        statistics=Statistics(
            target for target, h in sut.boot_reached.items() if h >= 1.0 and table[target].kind == "line"
        ),
        notices=notices,
        journal=Journal(
            None if settings.writes_only_document or settings.library else settings.output_dir / JOURNAL_FILE,
            clean=settings.secrets.redact,
            warn=notices.warn,
        ),
    )


def _limits(settings: Settings, sut: Sut) -> Iterator[str]:
    """Yields what wimble cannot do with the project, as far as it is known after the start."""
    yield from sut.take_notes()
    yield from sut.take_late_notes()
    if settings.command and not settings.library:
        for driver in sut.runtime.projects.unwatched_drivers(settings.working_dir):
            yield (
                f"the database behind {driver} is not watched: its rows are neither reset between tests nor added, so "
                "tests that depend on them may be left out; restore them with --reset COMMAND (docs/databases.md)"
            )
    yield from _file_warnings(settings, sut)


def _warn_about_files(coordinator: Coordinator, sut: Sut) -> None:
    """Warns about files that were not instrumented, also those that were loaded during the search."""
    for warning in _file_warnings(coordinator.settings, sut):
        coordinator.notices.warn(warning)


def _file_warnings(settings: Settings, sut: Sut) -> Iterator[str]:
    files = sut.files
    untouched = [file for file in files if file.error]
    if untouched:
        names = ", ".join(file.path for file in untouched[:5])
        more = f" and {len(untouched) - 5} more" if len(untouched) > 5 else ""
        yield (
            f"agent: {len(untouched)} files could not be instrumented and run untouched, so the search has no feedback "
            f"from them: {names}{more} ({untouched[0].error})"
        )
    if settings.command and not files:
        yield (
            "agent: none of the loaded files is the project's own, so the search has no feedback from it; "
            "name folders or packages with --include"
        )
