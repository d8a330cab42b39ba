"""One run, from start to reports: its phases in order, each of which yields events. It prints nothing."""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.api_run import run_api
from wimble.engine.events import Event
from wimble.engine.journal.killed_run import KilledRun
from wimble.engine.library_run import run_library
from wimble.engine.session.output_folder import locked, prepare_output_dir
from wimble.engine.session.stop import StopRequest
from wimble.settings import Settings


def run(settings: Settings, stop: StopRequest, killed: KilledRun | None = None) -> Iterator[Event]:
    """Runs all phases. Once the phases after boot have begun, the last event is a RunFinished with all that was found.

    killed: the run that was killed, if its report is to be made: what it has kept is run again, instead of a search.

    Raises: UsageError before anything is started; TargetError if the SUT does not start.
    """
    output_dir = prepare_output_dir(settings.output_dir)
    with locked(output_dir):
        if settings.library:
            yield from run_library(settings, stop, output_dir)
        else:
            yield from run_api(settings, stop, output_dir, killed)
