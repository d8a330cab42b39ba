"""The run of a library: how it boots, and what follows its search."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wimble import __version__
from wimble.agent.processes.sut_log import check_disk
from wimble.engine.boot.library_boot import described_library, hosted, settings_for
from wimble.engine.called_twice.called_twice_phase import run_called_twice
from wimble.engine.events import Event, PhaseStarted, RunStarted
from wimble.engine.growth.growth_phase import run_growth
from wimble.engine.library_suite import make_library_suite
from wimble.engine.new_coordinator import new_coordinator
from wimble.engine.phases import BootedRun, RunKind, leave, loaded, ready, run_phases
from wimble.engine.pollution.pollution_phase import run_pollution
from wimble.engine.project_limits import project_limits
from wimble.engine.round_trips.round_trip_phase import run_round_trips
from wimble.engine.session.notices import Notices
from wimble.engine.session.output_folder import clear_previous, has_reports, log_path
from wimble.engine.session.stop import StopRequest
from wimble.engine.tracing.library_tracer import solver_for_library
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.execute.sut.library_sut import LibrarySut
from wimble.model.targets import TargetTable
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.settings import Settings
from wimble.spec.operation_filters import only, parsed_filter

TRACED_LOG: Final = "traced.log"
"""What the process with tracing prints, as long as it runs."""
LIBRARY: Final = RunKind(
    examine=run_pollution, make_suite=make_library_suite, further=(run_round_trips, run_called_twice, run_growth)
)


def run_library(settings: Settings, stop: StopRequest, output_dir: Path) -> Iterator[Event]:
    """Runs all phases on a library."""
    notices = Notices()
    clear_previous(output_dir, only_document=False)
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
        start_s = time.monotonic() - started_at
        yield ready(sut, start_s)
        specification = only(described_library(sut), tuple(parsed_filter(text) for text in settings.only))
        yield loaded(specification)
        coordinator = new_coordinator(settings, stop, table, specification, sut=sut, notices=notices)
        notices.tell_limits(list(project_limits(settings, sut)))
        worker = Worker(sut, coordinator, first_start_s=start_s)

        def traced_sut() -> LibrarySut:
            log = log_path(output_dir).with_name(TRACED_LOG)
            return LibrarySut(settings, library, TargetTable(), log, runtime=runtime)

        solver = solver_for_library(coordinator, traced_sut)
        yield from run_phases(BootedRun(coordinator, worker, solver=solver), LIBRARY)
        coordinator.journal.close(is_needed=not has_reports(output_dir))
    except TargetError:
        check_disk(output_dir)
        raise
    finally:
        leave(sut, stop)
