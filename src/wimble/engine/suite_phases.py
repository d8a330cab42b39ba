"""The phases that make a suite after the search: minimising and verifying, for APIs and libraries."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.proofs import Proofs
from wimble.engine.candidates.selection import choose_candidates
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.events import Event
from wimble.engine.minimise.minimise_phase import run_minimise
from wimble.engine.real_logins.logged_in_users import with_real_logins
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import VERIFIED_BY
from wimble.engine.stability.changed_settings import with_marked_changes
from wimble.engine.verify.faults_alone import with_faults_alone
from wimble.engine.verify.verify_phase import VerifiedSuite, run_verify
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.execute.sut.sut import Sut
from wimble.model.result import StoppedBy
from wimble.model.run_conditions import trial_conditions

LEAST_STARTS: Final = 6
"""Number of starts of the SUT for which there is time once it was started for its tests, however slow they are: for
tests that all share one (decision 8)."""
STARTS_OF_LIBRARY: Final = 9
"""Number of starts for which there is time when the tests of a library are verified: a restart for each order, the
second runs and the rehearsal of each file. With fewer, no test is taken up."""
RUNS_OF_TEST: Final = 5
"""Runs of each test of a library."""
MAX_SHARE_OF_RUNS: Final = 0.5
"""Largest time for them that is kept free in any case, as a share of the time of the search."""
NOT_ASKED_FOR: Final = "no tests were asked for (--format none)"


class MadeSuite(msgspec.Struct, frozen=True):
    """A suite, and how its tests are started."""

    suite: VerifiedSuite
    starts: StartPolicy | None = None
    """None if the suite was not verified to its end."""


def least_allowance_s(after_search_s: float, start_s: float, runs_s: float) -> float:
    """Returns how long all that follows the search of a library may take at least.

    after_search_s: what it has taken so far. start_s: how long a start takes. runs_s: time for the runs of the tests.
    """
    return (after_search_s + STARTS_OF_LIBRARY * start_s + runs_s) / VERIFIED_BY


def make_suite(
    coordinator: Coordinator,
    worker: Worker,
    stopped_by: StoppedBy,
    before_restart: Callable[[Coordinator, Sut], None] | None = None,
) -> Generator[Event, None, MadeSuite]:
    """Minimises and verifies the candidates.

    before_restart: runs before the SUT is started for that, unless the user has stopped the search.
    """
    stop, notices = coordinator.stop, coordinator.notices
    if stopped_by == "sut":
        notices.warn("no tests were written, for none can be verified without the SUT")
        return MadeSuite(VerifiedSuite())
    was_interrupted = stop.is_requested
    if stop.has_expired:
        return MadeSuite(VerifiedSuite(is_interrupted=True, is_unfinished=True))
    stop.rearm()
    candidates: Sequence[Candidate] = choose_candidates(coordinator, worker.sut.databases)
    if not candidates:
        return MadeSuite(VerifiedSuite())
    try:
        # As tests start it: where starts are slow, the first one is that of the tests.
        worker.sut.live_under(trial_conditions(coordinator.settings))
        worker.sut.keep_standbys()
        if before_restart is not None and not was_interrupted:
            before_restart(coordinator, worker.sut)
        worker.restart()
        budget = coordinator.budget
        budget.allow_at_least(budget.after_search_s + LEAST_STARTS * worker.start_s)
        if coordinator.settings.library and not was_interrupted:
            candidates = with_marked_changes(coordinator, worker, candidates)
        elif not was_interrupted:
            candidates = with_real_logins(coordinator, worker, candidates)
    except TargetError as error:
        notices.warn(f"no tests could be verified, for the SUT does not start again: {error.what}")
        return MadeSuite(VerifiedSuite())
    starts, proofs, is_interrupted = StartPolicy(), None, False
    if not was_interrupted:
        minimised = yield from run_minimise(coordinator, worker, candidates)
        candidates, starts, proofs = minimised.candidates, minimised.starts, minimised.proofs
        is_interrupted = minimised.is_interrupted
        if stop.has_expired:
            return MadeSuite(VerifiedSuite(is_interrupted=True, is_unfinished=True))
        stop.rearm()
    suite = yield from _verified(coordinator, worker, candidates, starts, proofs)
    is_interrupted = is_interrupted or suite.is_interrupted
    is_whole = not (was_interrupted or is_interrupted or stop.was_ever_requested)
    suite = replace(suite, is_interrupted=is_interrupted, is_unfinished=not is_whole)
    return MadeSuite(suite, starts if is_whole else None)


def _verified(
    coordinator: Coordinator,
    worker: Worker,
    candidates: Sequence[Candidate],
    starts: StartPolicy,
    proofs: Proofs | None,
) -> Generator[Event, None, VerifiedSuite]:
    """Verifies the candidates, and then the faults that tests on a shared start do not show by themselves."""
    _allow_verification(coordinator, worker, len(candidates))
    suite = yield from run_verify(coordinator, worker, candidates, starts, proofs)
    if not (suite.is_interrupted or coordinator.stop.was_ever_requested):
        suite = with_faults_alone(coordinator, worker, candidates, suite)
        yield from coordinator.notices.take_events()
    return suite


def _allow_verification(coordinator: Coordinator, worker: Worker, n_candidates: int) -> None:
    """Grants the time for the tests of a library. Not before: phases that take a share of it would take more."""
    budget = coordinator.budget
    if coordinator.settings.library:
        share = min(MAX_SHARE_OF_RUNS, RUNS_OF_TEST * n_candidates / max(1, budget.calls))
        budget.allow_at_least(least_allowance_s(budget.after_search_s, worker.start_s, share * budget.elapsed_s))
