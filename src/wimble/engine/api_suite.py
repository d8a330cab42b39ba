"""What follows the search of an API: minimising, verifying and races make its suite."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from msgspec.structs import replace

from wimble.engine.boot.late_routes import find_late_routes
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.selection import choose_candidates
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.events import (
    Event,
)
from wimble.engine.minimise.minimise_phase import run_minimise
from wimble.engine.races.race_phase import run_races
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.verify.repeated_faults import repeat_faults
from wimble.engine.verify.verify_phase import VerifiedSuite, run_verify
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.result import StoppedBy

LEAST_STARTS: Final = 10
"""Number of starts of the SUT for which there is time after the search, however slow they are: for tests that share
starts."""
NOT_ASKED_FOR: Final = "no tests were asked for (--format none)"


def make_suite(
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
