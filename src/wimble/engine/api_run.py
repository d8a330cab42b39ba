"""The run of an API: how it boots, and what follows its search."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from wimble import __version__
from wimble.agent.processes.sut_log import check_disk
from wimble.engine.api_suite import make_api_suite
from wimble.engine.boot.allowed_hosts import unknown_hosts
from wimble.engine.boot.api_description import ApiDescription, load_files
from wimble.engine.boot.describe import ready_path
from wimble.engine.boot.joining_routes import JoiningRoutes
from wimble.engine.boot.known_services import NamedServices
from wimble.engine.boot.read_document import read_overlays
from wimble.engine.boot.searched_operations import SearchedOperations
from wimble.engine.description.description_phase import run_description
from wimble.engine.events import Event, PhaseStarted, RunStarted
from wimble.engine.journal.journal_entries import run_entry
from wimble.engine.journal.killed_run import KilledRun, keep_journal
from wimble.engine.new_coordinator import new_coordinator
from wimble.engine.phases import BootedRun, RunKind, leave, loaded, ready, run_phases
from wimble.engine.project_limits import project_limits
from wimble.engine.session.notices import Notices
from wimble.engine.session.output_folder import clear_previous, has_reports, log_path, redact_file
from wimble.engine.session.stop import StopRequest
from wimble.engine.tracing.sut_tracer import solver_for_search
from wimble.engine.worker.worker import Worker
from wimble.errors import SchemaError, TargetError, UsageError
from wimble.execute.sut.black_box_sut import BlackBoxSut
from wimble.execute.sut.started_sut import StartedSut
from wimble.execute.sut.sut import Sut
from wimble.model.targets import TargetTable
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.settings import Settings

API: Final = RunKind(examine=run_description, make_suite=make_api_suite)


def run_api(settings: Settings, stop: StopRequest, output_dir: Path, killed: KilledRun | None) -> Iterator[Event]:
    """Runs all phases on the API that a command starts, or that runs at a URL. killed: as of `run`."""
    named = NamedServices(settings)
    notices, limits = Notices(), list[str]()
    if killed is None and not settings.writes_only_document:
        limits.append(keep_journal(output_dir, was_reported=has_reports(output_dir)))
    clear_previous(output_dir, only_document=settings.writes_only_document)
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
        start_s = time.monotonic() - started_at
        yield ready(sut, start_s)
        url = sut.api.base_url
        described = ApiDescription(settings, sut, overlays, table).find(files)
        if sut.api.base_url != url:
            yield ready(sut, time.monotonic() - started_at)
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
        yield loaded(specification)
        sut.api.log_in(strict=True)
        coordinator = new_coordinator(settings, stop, table, specification, sut=sut, notices=notices)
        named.teach(coordinator.strategy.sampler.services)
        if killed is None and not settings.writes_only_document:
            coordinator.journal.begin(
                run_entry(
                    settings,
                    url=sut.api.base_url,
                    schema=specification.source,
                    n_operations=len(specification.operations),
                )
            )
        hosts = _unknown_hosts(settings)
        notices.tell_limits([*limits, *described.notes, *project_limits(settings, sut), *hosts, *named.warnings])
        worker = Worker(sut, coordinator, first_start_s=start_s)
        solver = solver_for_search(coordinator, worker, sut) if isinstance(sut, StartedSut) else nullcontext()
        is_unfinished = yield from run_phases(BootedRun(coordinator, worker, killed, joining, solver), API)
        coordinator.journal.close(is_needed=is_unfinished or not has_reports(output_dir))
    except (TargetError, SchemaError):
        check_disk(output_dir)  # the SUT fails when it cannot print, so this is the cause
        raise
    finally:
        leave(sut, stop)
        redact_file(log_path(output_dir), settings.secrets)


def _unknown_hosts(settings: Settings) -> Iterator[str]:
    """Yields warnings about hosts that the user has named, and that are not there."""
    yield from unknown_hosts(settings.allowed_hosts)
    yield from unknown_hosts(settings.harvested_hosts, option="--harvest")


def _sut_of(settings: Settings, table: TargetTable, log: Path, path_on_sut: str) -> Sut:
    """path_on_sut: as `StartedSut`'s ready_path."""
    runtimes = tuple(RUNTIMES.values())
    if settings.command:
        return StartedSut(settings, table, log, runtimes=runtimes, ready_path=path_on_sut)
    return BlackBoxSut(settings, runtime=runtimes[0])
