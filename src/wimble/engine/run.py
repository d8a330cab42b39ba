"""One run, from start to reports: phases in their order, each yielding events. Prints nothing, reads no terminal."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from wimble import __version__
from wimble.engine.api_port import await_another_server, find_api_port
from wimble.engine.blind_targets import BlindTargets
from wimble.engine.budget import Budget
from wimble.engine.candidates import choose_candidates
from wimble.engine.context import RunContext, Sut
from wimble.engine.describe import discover, discover_on, is_url, load_from_file, load_from_url, ready_path
from wimble.engine.events import (
    Event,
    PhaseStarted,
    RunFinished,
    RunStarted,
    SpecificationLoaded,
    SutReady,
)
from wimble.engine.faults import FaultBook
from wimble.engine.finish import build_result, log_path, write_tests
from wimble.engine.graphql import at_endpoint, discover_graphql, introspected
from wimble.engine.late_routes import find_late_routes
from wimble.engine.minimise_phase import run_minimise
from wimble.engine.output import clear_previous, prepare_output_dir, redact_file
from wimble.engine.reading import Overlay, read_overlays
from wimble.engine.search_phase import run_search
from wimble.engine.stop import StopRequest
from wimble.engine.verify_phase import run_verify
from wimble.errors import SchemaError, TargetError
from wimble.execute.black_box import BlackBoxSut
from wimble.execute.sut import StartedSut
from wimble.model.operation import Specification
from wimble.model.targets import TargetTable
from wimble.oracles import Judge
from wimble.search.resources import Resources
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings
from wimble.spec.filters import only, parsed_filter
from wimble.spec.graphql.endpoint import introspection_request, is_graphql_answer, question


def run(settings: Settings, stop: StopRequest) -> Iterator[Event]:
    """Raises: UsageError before anything is started; TargetError when the SUT does not come up. After that, whatever
    happens, the last event is a RunFinished with all that was found."""
    output_dir = prepare_output_dir(settings.output_dir)
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
    sut = StartedSut(settings, table, log_path(output_dir)) if settings.command else BlackBoxSut(settings, table)
    sut.ready_path = path_on_sut
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
        context = _new_context(settings, stop, table, sut, specification)
        if port_warning:
            context.warn(port_warning)
        yield from _phases(context, sut)
    finally:
        _leave(sut, stop)
        redact_file(log_path(output_dir), settings.secrets)


def _leave(sut: StartedSut | BlackBoxSut, stop: StopRequest) -> None:
    """Leaves databases as they were found. A Ctrl-C does not cut that short, a second one does."""
    stop.is_immediate = False
    stop.rearm()
    try:
        sut.leave()
    finally:
        sut.stop()


def _ready(sut: StartedSut | BlackBoxSut, start_s: float) -> SutReady:
    n_files = sum(1 for file in sut.files if not file.error)
    return SutReady(url=sut.base_url, start_s=start_s, n_files=n_files, agent=sut.agent_label)


def _phases(context: RunContext, sut: StartedSut | BlackBoxSut) -> Iterator[Event]:
    """From here on something may be found, so the result comes whatever happens; a bug of ours is raised after it."""
    stop = context.stop
    for warning in context.specification.warnings:
        context.warn(warning)
    yield from context.take_events()
    stop.is_immediate = False
    context.phase = "search"
    yield PhaseStarted(phase="search")
    failures: list[Exception] = []
    for part in (run_search, _make_suite):
        try:
            yield from part(context)
        except KeyboardInterrupt:
            context.stopped_by = "interrupt"
        except Exception as error:  # a bug of ours: what was found is written first, then it is told
            failures.append(error)
            context.warn(f"wimble failed ({type(error).__name__}: {error}); what it had found is kept")
    sut.leave()
    notes = (*sut.auth.take_notes(), *sut.take_notes(), context.throttling.warning())
    for warning in (*context.judge.take_warnings(), *notes):
        if warning:
            context.warn(warning)
    context.phase = "write"
    yield PhaseStarted(phase="write")
    _warn_about_files(context, sut)
    written = write_tests(context)
    yield from context.take_events()
    yield RunFinished(result=build_result(context, sut, written))
    if failures:
        raise failures[0]


def _make_suite(context: RunContext) -> Iterator[Event]:
    if context.stopped_by == "sut":
        context.warn("no tests were written, for none can be verified without the SUT")
        return
    was_interrupted = context.stop.is_requested
    context.stop.rearm()
    candidates = choose_candidates(context)
    if not candidates:
        return
    try:
        if not was_interrupted:
            find_late_routes(context)
        context.restart()
    except TargetError as error:
        context.warn(f"no tests could be verified, for the SUT does not start again: {error.what}")
        return
    if not was_interrupted:
        yield from run_minimise(context, candidates)
        context.stop.rearm()
    yield from run_verify(context, candidates)


def _describe(settings: Settings, sut: StartedSut | BlackBoxSut, overlays: tuple[Overlay, ...]) -> Specification:
    if settings.schema:
        url = f"{sut.base_url}{sut.ready_path}" if sut.ready_path else settings.schema
        return _from_url(url, settings, sut, overlays)
    project_dir = settings.working_dir if settings.command else None
    try:
        return _discover(settings, sut, project_dir, overlays)
    except SchemaError:
        # The server that listens first may be another one than the API's.
        if project_dir is None or settings.port is not None or not await_another_server(sut):
            raise
        return _discover(settings, sut, project_dir, overlays)


def _discover(
    settings: Settings, sut: StartedSut | BlackBoxSut, project_dir: Path | None, overlays: tuple[Overlay, ...]
) -> Specification:
    for port in sut.ports[1:] if settings.port is None else ():
        # Another server of the SUT may be the one that serves the API: the document tells.
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


def _from_url(
    url: str, settings: Settings, sut: StartedSut | BlackBoxSut, overlays: tuple[Overlay, ...]
) -> Specification:
    """A document, or what a GraphQL endpoint at that address tells; an endpoint of the SUT may come up on another port."""
    path = urlsplit(url).path or "/"
    try:
        return load_from_url(url, _mounted_at(settings), overlays)
    except SchemaError:
        response = sut.ask(question(path)) if url.startswith(f"{sut.base_url}/") else None
        if not is_graphql_answer(response):
            raise
        return introspected(sut.ask(introspection_request(path)), url, path)


def _turn_to_api(settings: Settings, sut: StartedSut | BlackBoxSut, specification: Specification) -> str:
    """Where the document is a file, it does not tell which server of the SUT it speaks of: the servers do.

    Answers a warning where they do not.
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
        sut.restart()  # asking was a call that ends it: the search will find that again, and tell
    if port is not None and port != sut.port:
        sut.use_port(port)
    if port is not None or len(sut.ports) == 1:
        return ""
    others = ", ".join(str(other) for other in sut.ports[1:])
    return f"the SUT listens on several ports; the API is taken to be on {sut.port} (--port N for another: {others})"


def _mounted_at(settings: Settings) -> str:
    """The path of `--url`, without a slash at its end."""
    return urlsplit(settings.url or "").path.rstrip("/")


def _new_context(
    settings: Settings,
    stop: StopRequest,
    table: TargetTable,
    sut: Sut,
    specification: Specification,
) -> RunContext:
    rng = Random(settings.seed)
    judge = Judge()
    return RunContext(
        settings=settings,
        table=table,
        sut=sut,
        specification=specification,
        resources=Resources(specification.operations),
        judge=judge,
        blind_targets=BlindTargets(table, judge) if settings.is_blind else None,
        strategy=STRATEGIES[settings.strategy](specification.operations, table, settings, rng),
        budget=Budget(max_time_s=settings.max_time_s, max_calls=settings.max_calls),
        stop=stop,
        rng=rng,
        faults=FaultBook(),
        statuses={},
        boot_reached=dict(getattr(sut, "boot_reached", {})),
        warnings={},
        tests=[],
        backgrounds={},
        fault_notes={},
        pending_events=deque(),
    )


def _warn_about_files(context: RunContext, sut: StartedSut | BlackBoxSut) -> None:
    """A part that failed is told, by name."""
    untouched = [file for file in sut.files if file.error]
    if untouched:
        names = ", ".join(file.path for file in untouched[:5])
        more = f" and {len(untouched) - 5} more" if len(untouched) > 5 else ""
        context.warn(
            f"agent: {len(untouched)} of {len(sut.files)} files could not be instrumented and ran untouched: {names}{more} "
            f"({untouched[0].error})"
        )
    if context.settings.command and not sut.files:
        context.warn(
            "agent: none of the loaded files is the project's own, so the search was blind; name folders or packages with --include"
        )
