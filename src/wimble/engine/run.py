"""One run, from start to reports: its phases in order, each of which yields events. It prints nothing."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar
from urllib.parse import urlsplit

from msgspec.structs import replace

from wimble import __version__
from wimble.agent.sut_log import check_disk
from wimble.engine.boot.api_port import await_another_server, find_api_port
from wimble.engine.boot.describe import discover, discover_on, is_url, load_from_file, load_from_url, ready_path
from wimble.engine.boot.graphql_endpoint import at_endpoint, discover_graphql, introspected
from wimble.engine.boot.late_routes import find_late_routes
from wimble.engine.boot.read_document import Overlay, read_overlays
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.selection import choose_candidates
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.events import (
    Event,
    PhaseStarted,
    RunFinished,
    RunStarted,
    SpecificationLoaded,
    SutReady,
)
from wimble.engine.faults.fault_book import FaultBook
from wimble.engine.faults.provenance_log import SolutionProvenances
from wimble.engine.journal.journal import Journal
from wimble.engine.journal.journal_entries import JOURNAL_FILE, run_entry
from wimble.engine.journal.killed_run import KilledRun, keep_journal
from wimble.engine.minimise.minimise_phase import run_minimise
from wimble.engine.search_phase import proposals, run_search
from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.notices import Notices
from wimble.engine.session.output_folder import clear_previous, has_reports, locked, prepare_output_dir, redact_file
from wimble.engine.session.stop import StopRequest
from wimble.engine.verify.verify_phase import VerifiedSuite, run_verify
from wimble.engine.worker.worker import Worker
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.write_phase import build_result, log_path, write_tests
from wimble.errors import SchemaError, TargetError
from wimble.execute.sut.black_box_sut import BlackBoxSut
from wimble.execute.sut.started_sut import StartedSut
from wimble.execute.sut.sut import Sut
from wimble.model.operation import Specification
from wimble.model.result import StoppedBy
from wimble.model.targets import TargetTable
from wimble.oracles import Judge
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.search.resources.resources import Resources
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings
from wimble.spec.graphql.endpoint_calls import introspection_request, is_graphql_answer, question
from wimble.spec.operation_filters import only, parsed_filter


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
    if killed is None:
        limits.append(keep_journal(output_dir))
    clear_previous(output_dir)
    overlays = read_overlays(settings.overlays)
    path_on_sut = ready_path(settings.schema)
    named = (
        load_from_file(settings.schema, _mounted_at(settings), overlays)
        if settings.schema and not is_url(settings.schema) and not path_on_sut
        else None
    )
    yield RunStarted(seed=settings.seed, command=settings.command, version=__version__)
    yield PhaseStarted(phase="boot")
    table = TargetTable()
    sut = _sut_of(settings, table, log_path(output_dir), path_on_sut)
    try:
        started_at = time.monotonic()
        sut.start()
        yield _ready(sut, time.monotonic() - started_at)
        url = sut.base_url
        specification = named or _describe(settings, sut, overlays)
        if specification is named and named.kind == "graphql":
            specification = at_endpoint(named, sut, _mounted_at(settings))
        port_warning = _turn_to_api(settings, sut, specification)
        if sut.base_url != url:
            yield _ready(sut, time.monotonic() - started_at)
        specification = only(specification, tuple(parsed_filter(text) for text in settings.only))
        yield SpecificationLoaded(
            source=specification.source,
            version=specification.version,
            n_operations=len(specification.operations),
        )
        sut.log_in(strict=True)
        coordinator = _new_coordinator(settings, stop, table, specification, sut=sut, notices=notices)
        if killed is None:
            coordinator.journal.begin(
                run_entry(
                    settings,
                    url=sut.base_url,
                    schema=specification.source,
                    n_operations=len(specification.operations),
                )
            )
        notices.tell_limits([*limits, port_warning, *_limits(settings, sut)])
        yield from _phases(coordinator, Worker(sut, coordinator), killed)
        coordinator.journal.close(is_needed=not has_reports(output_dir))
    except (TargetError, SchemaError):
        check_disk(output_dir)  # the SUT fails when it cannot print, so this is the cause
        raise
    finally:
        _leave(sut, stop)
        redact_file(log_path(output_dir), settings.secrets)


def _sut_of(settings: Settings, table: TargetTable, log: Path, path_on_sut: str) -> Sut:
    """path_on_sut: as `Sut.ready_path`."""
    runtimes = tuple(RUNTIMES.values())
    if settings.command:
        return StartedSut(settings, table, log, runtimes=runtimes, ready_path=path_on_sut)
    return BlackBoxSut(settings, runtime=runtimes[0], ready_path=path_on_sut)


def _leave(sut: Sut, stop: StopRequest) -> None:
    """Restores databases, and stops the SUT. One Ctrl-C does not interrupt the restoring, a second one does."""
    stop.make_graceful()
    stop.rearm()
    try:
        sut.leave()
    finally:
        sut.stop()


def _ready(sut: Sut, start_s: float) -> SutReady:
    n_files = sum(1 for file in sut.files if not file.error)
    return SutReady(url=sut.base_url, start_s=start_s, n_files=n_files, agent=sut.agent_label)


def _phases(coordinator: Coordinator, worker: Worker, killed: KilledRun | None) -> Iterator[Event]:
    """Runs the phases after boot. They yield a result whatever happens; a bug of wimble is raised after the result."""
    notices, sut = coordinator.notices, worker.sut
    for warning in coordinator.specification.warnings:
        notices.warn(warning)
    yield from notices.take_events()
    coordinator.stop.make_graceful()
    yield PhaseStarted(phase="search" if killed is None else "repeat")
    test_cases = proposals(coordinator) if killed is None else killed.test_cases(coordinator.specification.operations)
    failures: list[BaseException] = []
    stopped_by: StoppedBy = "time"
    stopped_by = yield from _guarded(run_search(coordinator, [worker], test_cases), stopped_by, failures, notices)
    if failures and isinstance(failures[0], KeyboardInterrupt):
        stopped_by = "interrupt"
    suite = yield from _guarded(_make_suite(coordinator, worker, stopped_by), VerifiedSuite(), failures, notices)
    if suite.is_interrupted or any(isinstance(failure, KeyboardInterrupt) for failure in failures):
        stopped_by = "interrupt"
    sut.leave()
    for warning in (
        *coordinator.judge.take_warnings(),
        *sut.take_notes(),
        *sut.take_late_notes(),
        worker.monitors.rate_limit.warning(),
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


def _make_suite(
    coordinator: Coordinator, worker: Worker, stopped_by: StoppedBy
) -> Generator[Event, None, VerifiedSuite]:
    stop, notices = coordinator.stop, coordinator.notices
    if stopped_by == "sut":
        notices.warn("no tests were written, for none can be verified without the SUT")
        return VerifiedSuite()
    was_interrupted = stop.is_requested
    stop.rearm()
    candidates: Sequence[Candidate] = choose_candidates(coordinator, worker.sut.databases)
    if not candidates:
        return VerifiedSuite()
    try:
        if not was_interrupted:
            find_late_routes(coordinator, worker.sut)
        worker.restart()
        worker.sut.keep_standbys()
    except TargetError as error:
        notices.warn(f"no tests could be verified, for the SUT does not start again: {error.what}")
        return VerifiedSuite()
    starts, is_interrupted = StartPolicy(), False
    if not was_interrupted:
        minimised = yield from run_minimise(coordinator, worker, candidates)
        candidates, starts, is_interrupted = minimised.candidates, minimised.starts, minimised.is_interrupted
        stop.rearm()
    suite = yield from run_verify(coordinator, worker, candidates, starts)
    return replace(suite, is_interrupted=suite.is_interrupted or is_interrupted)


def _describe(settings: Settings, sut: Sut, overlays: tuple[Overlay, ...]) -> Specification:
    if settings.schema:
        url = f"{sut.base_url}{sut.ready_path}" if sut.ready_path else settings.schema
        return _from_url(url, settings, sut, overlays)
    project_dir = settings.working_dir if settings.command else None
    try:
        return _discover(settings, sut, project_dir, overlays)
    except SchemaError:
        # The server that listens first may not be the server of the API.
        if project_dir is None or settings.port is not None or not await_another_server(sut):
            raise
        return _discover(settings, sut, project_dir, overlays)


def _discover(settings: Settings, sut: Sut, project_dir: Path | None, overlays: tuple[Overlay, ...]) -> Specification:
    for port in sut.ports[1:] if settings.port is None else ():
        # Another server of the SUT may serve the API: it then serves the document, too.
        found = discover_on(partial(sut.fetch, port=port), f"port {port}", overlays=overlays)
        if found is not None and discover_on(sut.fetch, sut.base_url) is None:
            sut.use_port(port)
            return found
    try:
        return discover(sut.fetch, sut.base_url, project_dir, _mounted_at(settings), overlays)
    except SchemaError as error:
        if error.slug != "schema-not-found":
            raise
        found = discover_graphql(sut, _mounted_at(settings), project_dir)
        if found is None:
            raise
        return found


def _from_url(url: str, settings: Settings, sut: Sut, overlays: tuple[Overlay, ...]) -> Specification:
    """Reads a document, or the introspection of a GraphQL endpoint."""
    path = urlsplit(url).path or "/"
    try:
        return load_from_url(url, _mounted_at(settings), overlays)
    except SchemaError:
        response = sut.ask(question(path)) if url.startswith(f"{sut.base_url}/") else None
        if not is_graphql_answer(response):
            raise
        return introspected(sut.ask(introspection_request(path)), url, path)


def _turn_to_api(settings: Settings, sut: Sut, specification: Specification) -> str:
    """Switches to the server of the SUT that a document from a file describes, since a file does not name the server.

    Returns a warning if no server can be distinguished from the others, else an empty string.
    """
    is_served = not is_url(specification.source) and not Path(specification.source).is_file()
    if (
        not settings.command
        or settings.url
        or settings.port is not None
        or is_served
        or specification.kind == "graphql"
    ):
        return ""
    if specification.source.startswith(sut.base_url + "/"):
        return ""
    port = find_api_port(sut, specification)
    if not sut.is_alive:
        sut.restart()  # a request has ended it: the search will find and report that
    if port is not None and port != sut.port:
        sut.use_port(port)
    if port is not None or len(sut.ports) == 1:
        return ""
    others = ", ".join(str(other) for other in sut.ports[1:])
    return f"the SUT listens on several ports; the API is taken to be on {sut.port} (--port N for another: {others})"


def _mounted_at(settings: Settings) -> str:
    """Returns the path of `--url`, without a trailing slash."""
    return urlsplit(settings.url or "").path.rstrip("/")


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
    return Coordinator(
        settings=settings,
        runtime=sut.runtime,
        table=table,
        specification=specification,
        resources=Resources(specification.operations),
        strategy=strategy,
        judge=Judge(),
        budget=Budget(max_time_s=settings.max_time_s, max_calls=settings.max_calls),
        stop=stop,
        faults=FaultBook(),
        provenances=SolutionProvenances(strategy.archive.solution_serials),
        boot_reached=dict(sut.boot_reached),
        notices=notices,
        journal=Journal(settings.output_dir / JOURNAL_FILE, clean=settings.secrets.redact, warn=notices.warn),
    )


def _limits(settings: Settings, sut: Sut) -> Iterator[str]:
    """Yields what wimble cannot do with the project, as far as it is known after the start."""
    yield from sut.take_notes()
    yield from sut.take_late_notes()
    if settings.command:
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
