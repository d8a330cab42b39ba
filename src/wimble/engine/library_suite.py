"""The phases after the search of a library: its suite, and calls that are made again in another way."""

from __future__ import annotations

from collections.abc import Collection, Generator

from msgspec.structs import replace

from wimble.engine.candidates.selection import candidate_of
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.dropped_faults.faults_of_loading import drop_faults_of_loading
from wimble.engine.dropped_faults.misused_before import drop_faults_after_misuse
from wimble.engine.dropped_faults.slow_calls import drop_slow_calls
from wimble.engine.dropped_faults.unfinished_objects import drop_faults_of_unfinished_objects
from wimble.engine.dropped_faults.unrepeated_faults import drop_unrepeated_faults
from wimble.engine.dropped_faults.unusable_objects import drop_faults_of_unusable_objects
from wimble.engine.events import Event
from wimble.engine.faults.faults_of_suite import as_reported, iter_unseen
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.stability.repeated_runs import NOT_AGAIN
from wimble.engine.suite_phases import NOT_ASKED_FOR, make_suite
from wimble.engine.verify.repeated_faults import of_tests
from wimble.engine.verify.shown_alone import shown_alone
from wimble.engine.verify.verify_phase import VerifiedSuite, run_verify
from wimble.engine.worker.worker import Worker
from wimble.execute.sut.library_sut import LibrarySut
from wimble.model.result import StoppedBy


def make_library_suite(
    coordinator: Coordinator, worker: Worker, stopped_by: StoppedBy
) -> Generator[Event, None, VerifiedSuite]:
    seen = {fault.key for fault in coordinator.faults}
    drop_faults_of_unusable_objects(coordinator)
    drop_faults_of_unfinished_objects(coordinator)
    if isinstance(worker.sut, LibrarySut) and stopped_by != "sut":
        drop_faults_of_loading(coordinator, worker.sut.ends_alone)
        # Calls that do not return take all the time that they are given; the tests are to have as much as elsewhere.
        with coordinator.budget.left_out():
            drop_slow_calls(coordinator, worker.sut.returns_within)
    if coordinator.settings.writes_tests:
        suite = (yield from make_suite(coordinator, worker, stopped_by)).suite
    else:
        suite = yield from _repeat_faults(coordinator, worker, stopped_by)
    _note_unseen(coordinator, worker, suite, seen)
    drop_unrepeated_faults(coordinator, suite.fault_notes)
    drop_faults_after_misuse(coordinator, suite.tests)
    return replace(suite, tests=as_reported(suite.tests, {fault.key for fault in coordinator.faults}))


def _note_unseen(
    coordinator: Coordinator, worker: Worker, suite: VerifiedSuite, seen: Collection[tuple[str, ...]]
) -> None:
    """Adds the faults that only tests show, by themselves, if any."""
    calls, elapsed_s = coordinator.budget.calls, coordinator.budget.elapsed_s
    unseen = shown_alone(worker, iter_unseen(suite.tests, seen)) if not coordinator.stop.is_requested else []
    for evaluation, finding in unseen:
        coordinator.faults.note(evaluation, [finding], worker.history, calls=calls, elapsed_s=elapsed_s)
    if unseen:
        drop_faults_of_unusable_objects(coordinator)
        drop_faults_of_unfinished_objects(coordinator)


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
