"""Executes a run of the engine for a command: signals, consumers of its events, and the exit code.

Commands import it when they run, since it imports all that a run needs, and `--help` needs nothing of it.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from types import FrameType
from typing import Final

from wimble.engine.events import Consumer, Event, RunFinished
from wimble.engine.run import run
from wimble.engine.session.stop import AFTER_STOP_S, StopRequest
from wimble.errors import ExitCode, WimbleError
from wimble.report.console import console_consumer
from wimble.report.writer import ReportWriter
from wimble.settings import Settings

YOUNG_OBJECTS: Final = 10_000
"""Number of new objects after which Python's garbage collector looks for cycles among them. A run makes few cycles and
keeps many objects, so the default of 700 makes it examine the same objects again and again for little.
"""


def execute_run(settings: Settings) -> ExitCode:
    """Executes a run of the engine with these settings."""
    return execute(settings, lambda stop: run(settings, stop))


def execute(settings: Settings, events_of: Callable[[StopRequest], Iterator[Event]]) -> ExitCode:
    """Passes events to the console and the reports."""
    stop = StopRequest()
    _install_handlers(stop)
    gc.freeze()  # what was imported stays for the whole run
    gc.set_threshold(YOUNG_OBJECTS)
    writer = ReportWriter(settings.output_dir, settings.secrets.redact, only_document=settings.writes_only_document)
    consumers: list[Consumer] = [writer, console_consumer(settings)]
    try:
        last = _dispatch(events_of(stop), consumers)
    except WimbleError as error:
        error.redact(settings.secrets.redact)
        raise
    if not isinstance(last, RunFinished):
        return ExitCode.INTERNAL
    if last.result.findings and not settings.writes_only_document:
        return ExitCode.FINDINGS
    return ExitCode.TARGET if last.result.stopped_by == "sut" else ExitCode.OK


def _dispatch(events: Iterator[Event], consumers: Sequence[Consumer]) -> Event | None:
    last = None
    try:
        event = next(events, None)
        while event is not None:
            last = event
            try:
                for consumer in consumers:
                    consumer.handle(event)
            except KeyboardInterrupt as interrupt:
                event = _interrupted(events, interrupt)
            else:
                event = next(events, None)
    finally:
        for consumer in consumers:
            close = getattr(consumer, "close", None)
            if close is not None:
                close()
    return last


def _interrupted(events: Iterator[Event], interrupt: KeyboardInterrupt) -> Event | None:
    """Returns the next event of a run that is interrupted while its last event is shown: it decides what that ends."""
    if not isinstance(events, Generator):
        raise interrupt
    try:
        event: Event = events.throw(interrupt)
        return event
    except StopIteration:
        return None


def _install_handlers(stop: StopRequest) -> None:
    def handler(_signal: int, _frame: FrameType | None) -> None:
        if not stop.was_ever_requested:
            signal.setitimer(signal.ITIMER_REAL, AFTER_STOP_S)
        stop.signal()

    def time_is_over(_signal: int, _frame: FrameType | None) -> None:
        stop.expire()

    for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, handler)
    signal.signal(signal.SIGALRM, time_is_over)
