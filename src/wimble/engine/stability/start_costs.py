"""Decides whether each test of a generated suite gets a start of the SUT, or the tests of a file share one.

A start for each test is better: such a test can be run, moved and read alone. But it costs two starts per test in
verification, and one each time the suite runs. If an API takes five seconds to start, nobody would run the suite.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.proofs import Proofs
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.suite_databases import resets_all_databases
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import VERIFIED_BY
from wimble.engine.worker.worker import Worker

MAX_STARTING_SHARE = 0.65
"""Share of the allowance (session/phase_time.py) that the starts of verification may take by this estimate. It counts
two starts per candidate, one after the other; fewer are needed in the end, and some begin ahead of their use.
"""

MIN_SHARE_OF_TESTS = 0.4
"""Share of the tests that get a start of their own from which on these share one."""

MAX_SHARE_OF_FILES = 0.35
"""Share of the allowance that the starts of the files may take while each is verified, if each kind of test has one."""
MAX_SHARE_OF_FILES_IN_LEFT = 0.5
"""The same as a share of what is left of the time for verification."""
STARTS_OF_FILES = 9
"""Number of these starts: each of three files is rehearsed, and runs twice more (verify/shared_start.py)."""

LEAST_STARTS_LEFT = 5
"""Number of starts for which there has to be time if tests are minimised before they are verified, where all share one
file: minimising leaves the SUT in another state, so that it has to be started again."""

LEAST_MEASURED = 5
"""Number of starts for a run after the search from which it is known how long one takes, with what runs on it."""


def has_to_share(
    coordinator: Coordinator, worker: Worker, starts: StartPolicy, candidates: Sequence[Candidate]
) -> bool:
    """Whether a start for each test that needs one takes too long.

    False if the budget is in calls, since such runs can be repeated exactly.
    """
    if coordinator.budget.is_repeatable or not _may_share(coordinator):
        return False
    if worker.n_restarts == 0:
        worker.restart()
    n_with_start = _n_with_start(worker, starts, candidates)
    is_slow = 2 * n_with_start * worker.start_s > MAX_STARTING_SHARE * coordinator.budget.allowance_s
    return is_slow and _are_many(n_with_start, candidates)


def has_to_share_by_now(
    coordinator: Coordinator,
    worker: Worker,
    starts: StartPolicy,
    candidates: Sequence[Candidate],
    proofs: Proofs | None,
) -> bool:
    """The same at the beginning of verification, by what the runs on fresh starts have taken since the search.

    Other work on the machine, or long calls, may make that several times as long as a start was at first. Most of the
    tests would not be verified then.
    """
    budget = coordinator.budget
    if starts.shares_start or budget.is_repeatable or not _may_share(coordinator):
        return False
    if proofs is None or proofs.n_timed < LEAST_MEASURED:
        return False
    left_s = VERIFIED_BY * budget.allowance_s - budget.after_search_s
    n_with_start = _n_with_start(worker, starts, candidates)
    return MAX_STARTING_SHARE * 2 * n_with_start * proofs.mean_s > left_s and _are_many(n_with_start, candidates)


def needs_one_file(coordinator: Coordinator, worker: Worker) -> bool:
    """Whether a start for each file takes too long, where the tests of a file share one."""
    budget = coordinator.budget
    if budget.is_repeatable:
        return False
    left_s = VERIFIED_BY * budget.allowance_s - budget.after_search_s
    most_s = min(MAX_SHARE_OF_FILES * budget.allowance_s, MAX_SHARE_OF_FILES_IN_LEFT * left_s)
    return STARTS_OF_FILES * worker.next_start_s > most_s


def has_to_verify_at_once(coordinator: Coordinator, worker: Worker) -> bool:
    """Whether starts are so slow that there is time for tests only if they are not minimised."""
    budget = coordinator.budget
    left_s = VERIFIED_BY * budget.allowance_s - budget.after_search_s
    return needs_one_file(coordinator, worker) and LEAST_STARTS_LEFT * worker.next_start_s > left_s


def _may_share(coordinator: Coordinator) -> bool:
    """Whether the suite starts the SUT, which that of a library does not."""
    return bool(coordinator.settings.command) and not coordinator.settings.library


def _n_with_start(worker: Worker, starts: StartPolicy, candidates: Sequence[Candidate]) -> int:
    """Returns how many tests get a start of their own, unless tests share them."""
    resets_all = resets_all_databases(worker.sut.databases)  # else a suite has to start the SUT to reset them
    return sum(
        not (resets_all and (one.is_order_independent or not starts.depends_on_state(one.test_case)))
        and (one.fault_key is not None or not one.test_case.is_safe)
        for one in candidates
    )


def _are_many(n_with_start: int, candidates: Sequence[Candidate]) -> bool:
    """Whether the tests with a start of their own are many of all. If not, the others are verified on one start that
    they share, and nearly all of the time is left for these.
    """
    return n_with_start > MIN_SHARE_OF_TESTS * len(candidates)
