"""The phases after the search of an API: suite, kept answers, races, and without tests a repetition of its faults."""

from __future__ import annotations

from collections.abc import Generator

from msgspec.structs import replace

from wimble.engine.boot.late_routes import find_late_routes
from wimble.engine.caches.kept_answers import run_kept_answers
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.dropped_faults.ignored_methods import drop_answers_to_ignored_methods
from wimble.engine.events import Event
from wimble.engine.faults.shown_faults import ShownFaults
from wimble.engine.races.race_phase import run_races
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.suite_phases import NOT_ASKED_FOR, make_suite
from wimble.engine.verify.repeated_faults import repeat_faults
from wimble.engine.verify.verify_phase import VerifiedSuite
from wimble.engine.worker.worker import Worker
from wimble.model.result import StoppedBy


def make_api_suite(
    coordinator: Coordinator, worker: Worker, stopped_by: StoppedBy
) -> Generator[Event, None, VerifiedSuite]:
    """Makes the suite, if tests are asked for, and looks for answers that are kept, and for races."""
    if stopped_by in ("time", "calls") and not coordinator.stop.has_expired:
        drop_answers_to_ignored_methods(coordinator, worker)
    if not coordinator.settings.writes_tests:
        return (yield from _without_tests(coordinator, worker, stopped_by))
    made = yield from make_suite(coordinator, worker, stopped_by, before_restart=find_late_routes)
    if made.starts is None:
        return made.suite
    return (yield from _with_later_faults(coordinator, worker, made.suite, made.starts))


def _with_later_faults(
    coordinator: Coordinator, worker: Worker, suite: VerifiedSuite, starts: StartPolicy
) -> Generator[Event, None, VerifiedSuite]:
    """Looks for kept answers and races, and returns the suite with tests and notes. A stop keeps the suite."""
    try:
        kept = yield from run_kept_answers(coordinator, worker, suite.tests, starts)
        suite = _with(suite, kept)
        seen = yield from run_races(coordinator, worker, suite.tests, starts)
    except KeyboardInterrupt:
        return replace(suite, is_interrupted=True)
    return _with(suite, seen)


def _with(suite: VerifiedSuite, shown: ShownFaults) -> VerifiedSuite:
    return replace(suite, tests=(*suite.tests, *shown.tests), fault_notes={**suite.fault_notes, **shown.notes})


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
