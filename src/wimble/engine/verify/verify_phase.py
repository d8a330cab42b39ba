"""Runs each chosen test twice, the first time from a freshly started SUT, and keeps what was the same both times.

The second run is on another day, in another time zone. What holds today only is not asserted. A test that holds today
only is left out, since it would fail one day, unless it shows a fault. Random values are low in one run and high in
another. The second run is on the SUT as other tests left it, if all that the first one did is the same there; else it
has a fresh start, too.

Freshness follows the rule of generated suites: a fresh start before each file and before each test, unless only calls
that ask for no change of state (`Operation.is_safe`) were sent since the last start. Order-independent tests
(state_dependence.py) do not need that: they share a start, run one after the other there, and once more in reverse
order. If tests depend on state and a start for each takes too long, all tests of a file share one (shared_start.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.fault_prefix import rebuild_by_provenance, rebuild_from_history, rebuilt
from wimble.engine.candidates.proofs import Proofs
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.candidates.worth import by_worth
from wimble.engine.events import Event, PhaseStarted, Progress
from wimble.engine.minimise.shrinking import made_smaller, made_smaller_with_care
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.notices import tests_were
from wimble.engine.session.phase_time import (
    LEAST_SHARE,
    NO_TIME_LEFT,
    VERIFIED_BY,
    VERIFIED_IN_ONE_FILE_BY,
    OutOfTime,
    PhaseLimit,
    limit_of_last_rounds,
    limit_of_second_runs,
)
from wimble.engine.stability.expected_requests import with_expected_requests
from wimble.engine.stability.late_ends import may_end_later
from wimble.engine.stability.repeated_runs import (
    Run,
    agreed,
    renamed,
    shared_run,
    without_repeats,
)
from wimble.engine.stability.shown_runs import shown_run
from wimble.engine.stability.start_costs import has_to_share_by_now, needs_one_file
from wimble.engine.stability.state_dependence import as_suites_start
from wimble.engine.stability.unanswered_calls import without_unanswered
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.fitting_tests import share_of_first_pass
from wimble.engine.verify.lasting_traces import leave_traces
from wimble.engine.verify.repeated_faults import RepeatedFault
from wimble.engine.verify.second_runs import second_runs, time_to_run_again_s
from wimble.engine.verify.secrets_in_tests import without_secrets
from wimble.engine.verify.settled_files import TODAY_FIRST
from wimble.engine.verify.shared_start import verify_in_shared_starts
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.run_conditions import AS_TESTS_RUN, WITH_LOW_RANDOM_VALUES
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase

FIRST_RUNS_SHARE = 0.6
"""Share of the time for the first runs, each of which needs a start if the SUT keeps state; most second runs do not."""
REVERSE_RUNS_SHARE = 0.6
"""Share of the time that is left then for runs in reverse order. The rest is for second runs."""
STARTS_OF_FURTHER_RUNS = 5
"""Starts for the runs in reverse order and the second runs: of those that share one, and of each file."""
FIRST_RUNS_OF_SAFE_SHARE = 0.25
"""The same for tests that ask for no change: none needs a start, and the runs after the first one are several."""
FIRST_PASS_SHARE = 0.25
"""The same where the tests of a file share a start: they run at least three times more, in their files."""


class VerifiedSuite(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the phase; empty if the phase did not run."""

    tests: tuple[VerifiedTest, ...] = ()
    repeated: Mapping[tuple[str, ...], RepeatedFault] = {}
    """By the finding's key: runs of faults, if no tests were asked for. They tell of a fault what tests tell."""
    fault_notes: Mapping[tuple[str, ...], str] = {}
    """By the finding's key: why a fault has no test."""
    starts: StartPolicy = StartPolicy()
    start_s: float = 0.0
    """How long a start of the SUT takes."""
    is_interrupted: bool = False
    is_unfinished: bool = False
    """Whether a stop, or a bug of wimble, has left test cases of the search without their verification."""


def run_verify(
    coordinator: Coordinator,
    worker: Worker,
    candidates: Sequence[Candidate],
    starts: StartPolicy,
    proofs: Proofs | None = None,
) -> Generator[Event, None, VerifiedSuite]:
    """Verifies the candidates under the conditions of the tests; leaves out those whose runs differ.

    proofs: first runs that there are already.
    """
    worker.sut.live_under(AS_TESTS_RUN)
    yield PhaseStarted(phase="verify", n_steps=len(candidates))
    verified: list[VerifiedTest] = []
    if has_to_share_by_now(coordinator, worker, starts, candidates, proofs):
        starts = replace(starts, shares_start=True)
    if starts.shares_start:
        starts = replace(starts, has_one_file=needs_one_file(coordinator, worker))
    starts, candidates = as_suites_start(starts, candidates, worker.sut.databases)
    verification = Verification(coordinator, Trials(worker, starts, proofs=proofs))
    verify = verify_in_shared_starts if starts.shares_start else _verify_alone
    is_interrupted = False
    try:
        if starts.shares_start:
            worker.sut.expect_days(TODAY_FIRST)
        if starts.shares_start and not starts.has_one_file:
            worker.restart()
        else:
            worker.make_fresh(entirely=True)
        # The start is not counted: if it takes half a minute, there would be no time left.
        limit = _limit_of_first_runs(verification, candidates)
        with worker.within(limit_of_last_rounds(coordinator.budget, coordinator.stop)):
            yield from verify(verification, candidates, limit, verified)
    except OutOfTime:
        verification.warn(f"verification ended early: {NO_TIME_LEFT}")
    except KeyboardInterrupt:
        is_interrupted = True
    except TargetError as error:
        verification.warn(f"verification ended early: {error.what}")
    finally:
        worker.sut.move_clock(False)
        worker.sut.expect_days(())
    yield from coordinator.notices.take_events()
    return VerifiedSuite(
        tests=tuple(renamed(verified)),
        fault_notes=verification.fault_notes,
        starts=starts,
        start_s=worker.start_s,
        is_interrupted=is_interrupted,
    )


def _limit_of_first_runs(
    verification: Verification, candidates: Sequence[Candidate], *, least: float = LEAST_SHARE
) -> PhaseLimit:
    starts, coordinator = verification.starts, verification.coordinator
    new_limit = partial(PhaseLimit, coordinator.budget, coordinator.stop, least=least)
    if not starts.shares_start:
        return new_limit(until=VERIFIED_BY, share=_share_of_first_runs(candidates))
    if not starts.has_one_file:
        return new_limit(until=VERIFIED_BY, share=FIRST_PASS_SHARE)
    left_s = new_limit(until=VERIFIED_IN_ONE_FILE_BY).left_s
    share = share_of_first_pass(left_s, verification.worker.next_start_s)
    return new_limit(until=VERIFIED_IN_ONE_FILE_BY, share=share)


def _share_of_first_runs(candidates: Sequence[Candidate]) -> float:
    """Returns the share of the time after which no more tests are taken up: what has no second run is lost."""
    n_safe = sum(one.test_case.is_safe for one in candidates)
    share_of_safe = n_safe / len(candidates) if candidates else 0.0
    return share_of_safe * FIRST_RUNS_OF_SAFE_SHARE + (1.0 - share_of_safe) * FIRST_RUNS_SHARE


def _verify_alone(
    verification: Verification, candidates: Sequence[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    """Verifies in rounds: as many candidates as have time for all of their runs, then those that are left.

    Most second runs need no start of their own, but that is known only once they have run.
    """
    coordinator = verification.coordinator
    left = by_worth(candidates)
    n_rounds = 0
    while left:
        tests: list[VerifiedTest] = []
        begun = _Round(candidates, left, verified)
        try:
            for event in _verify_round(verification, begun, limit, tests):
                if n_rounds == 0 or not isinstance(event, Progress):  # it would go back
                    yield event
        finally:
            verified += tests
        is_stuck = len(begun.left) == len(left)
        left = begun.left
        n_rounds += 1
        if is_stuck or coordinator.stop.was_ever_requested or not _may_go_on(verification):
            break
        limit = _limit_of_first_runs(verification, [candidates[number] for number in left], least=0.0)
        verification.worker.restart()
    if left:
        verification.warn(f"{tests_were(len(left))} not verified and so not written: {limit.reason}")
    if n_rounds > 1:
        verified.sort(key=lambda test: not test.shares_start)


def _may_go_on(verification: Verification) -> bool:
    """Whether there may be another round. Not in runs that can be repeated exactly, which do not look at the clock; and
    the tests of a library run in the order of their file, which has to hold as a whole.
    """
    coordinator = verification.coordinator
    is_possible = not (coordinator.budget.is_repeatable or coordinator.settings.library)
    return is_possible and _has_time_for_further_runs(verification, ())


class _Round:
    """One round of verification."""

    def __init__(self, candidates: Sequence[Candidate], asked: Sequence[int], verified: Sequence[VerifiedTest]) -> None:
        """asked: the numbers of the candidates that are not verified yet. verified: the tests of the rounds before."""
        self.candidates = candidates
        self.asked = asked
        self.left = list(asked)
        self._known = {test.test_case: {one.key for one in test.findings} for test in verified}

    def note(self, number: int) -> None:
        """Notes that a candidate was taken up."""
        self.left.remove(number)

    def is_new(self, run: Run) -> bool:
        """Whether no test of the rounds before does the same and shows the same fault."""
        known = self._known.get(run.test_case)
        return known is None or (run.candidate.fault_key is not None and run.candidate.fault_key not in known)


def _verify_round(
    verification: Verification, begun: _Round, limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    coordinator, candidates = verification.coordinator, begun.candidates
    found: dict[int, Run] = {}
    for number in begun.asked:
        if coordinator.stop.is_requested:
            break
        is_over = limit.is_reached or not _has_time_for_further_runs(verification, found.values())
        if is_over and not verification.trials.is_proven(candidates[number]):
            continue
        first = _first_run(verification, candidates[number], limit)
        if first is not None:
            found[number] = first
        begun.note(number)
        yield from coordinator.notices.take_events()
        yield coordinator.progress("verify", (len(begun.asked) - len(begun.left)) / (2 * len(begun.asked)))
    # As they were chosen: each says what it covers that no test before it does.
    firsts = [found[one] for one in sorted(found, key=lambda one: (not candidates[one].is_order_independent, one))]
    firsts = [one for one in _in_other_order(verification, firsts) if begun.is_new(one)]
    if verification.starts.starts_each:
        firsts = [replace(first, shares_start=False) for first in firsts]
    firsts = without_secrets(verification, without_repeats(sorted(firsts, key=lambda first: first.order)))
    coordinator.stop.rearm()
    leave_traces(verification, firsts, PhaseLimit(coordinator.budget, coordinator.stop, until=VERIFIED_BY))
    if firsts:
        verification.worker.sut.move_clock(True)
        verification.worker.restart()
    # From here on: a test that has not run twice is lost, and so is what was done for it.
    again = limit_of_second_runs(coordinator.budget, coordinator.stop)
    yield from second_runs(verification, firsts, verified, again)


def _has_time_for_further_runs(verification: Verification, firsts: Iterable[Run]) -> bool:
    """Whether there is time for all runs of the tests that have run once, and of one more with starts of its own.

    What has no second run is lost, so no further test is taken up then.
    """
    coordinator, start_s = verification.coordinator, verification.worker.start_s
    needed_s = (STARTS_OF_FURTHER_RUNS + 2) * start_s
    for first in firsts:
        needed_s += first.shares_start * first.took_s + time_to_run_again_s(verification, first)
    return PhaseLimit(coordinator.budget, coordinator.stop, until=VERIFIED_BY).has_left(needed_s)


def _first_run(verification: Verification, candidate: Candidate, limit: PhaseLimit) -> Run | None:
    """Returns the candidate's first run.

    It is on a shared start if that shows the candidate's fault or targets, else on a start of its own. It expects all
    requests that the SUT sends to services.
    """

    def any_run(candidate: Candidate) -> Run | None:
        return _any_first_run(verification, candidate, limit)

    return _expecting_all(any_run(candidate), any_run)


def _expecting_all(run: Run | None, run_again: Callable[[Candidate], Run | None]) -> Run | None:
    """Returns the run, or one of its test with answers to the requests for which it plans none."""
    if run is None:
        return None
    expecting = with_expected_requests(run.test_case, run.evaluation)
    if expecting is run.test_case:
        return run
    return run_again(replace(run.candidate, test_case=expecting, original=expecting))


def _any_first_run(verification: Verification, candidate: Candidate, limit: PhaseLimit) -> Run | None:
    if candidate.is_order_independent:
        run = shared_run(verification, candidate, candidate.test_case)
        if may_end_later(verification.coordinator.faults, run.evaluation):
            candidate = replace(candidate, is_order_independent=False, is_polluter=True, needs_start=True)
        elif candidate.is_shown_by(run.evaluation):
            return without_unanswered(verification, run, partial(shared_run, verification, candidate))
    return _run_with_own_start(verification, candidate, limit)


def _in_other_order(verification: Verification, firsts: Sequence[Run]) -> Iterator[Run]:
    """Runs the tests on a shared start in reverse order, and yields all runs.

    A run that differs in reverse order is replaced by a run with a start of its own. Tests for which there is no time
    are yielded as they are, since minimising has run them in several orders.
    """
    coordinator = verification.coordinator
    sharing = [number for number, first in enumerate(firsts) if first.shares_start]
    if sharing:
        verification.worker.restart()
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=VERIFIED_BY, share=REVERSE_RUNS_SHARE)
    in_other_order: dict[int, Run | None] = {}

    def run_alone(candidate: Candidate) -> Run | None:
        return _run_with_own_start(verification, candidate, limit)

    for number in reversed(sharing):
        if limit.is_reached:
            break
        in_other_order[number] = _with_run_after_others(verification, firsts[number])
    for number, first in enumerate(firsts):
        run = in_other_order.get(number, first)
        if run is None and not limit.is_reached:
            run = _expecting_all(run_alone(first.candidate), run_alone)
        if run is not None:
            yield run


def _with_run_after_others(verification: Verification, first: Run) -> Run | None:
    """Returns the run of a test together with one more on the SUT as others left it; None if they differ."""
    again = shared_run(verification, first.candidate, first.test_case, WITH_LOW_RANDOM_VALUES)
    is_same = agreed(verification, [first, again], [first.evaluation, again.evaluation]) is not None
    if not (is_same and first.candidate.is_shown_by(again.evaluation)):
        return None
    return replace(first, in_other_order=(again.evaluation,))


def _run_with_own_start(verification: Verification, candidate: Candidate, limit: PhaseLimit) -> Run | None:
    """Returns a run of the first of the candidate's shapes that shows its fault or targets (see `shown_run`).

    If it was minimised too far, it is minimised once more, with care. If a fault that has shown more than once does not
    show on a fresh SUT, what it needs is looked for.
    """

    def run_fresh(test_case: TestCase) -> Run:
        began_s, n_before = time.monotonic(), verification.worker.n_restarts
        evaluation = verification.trials.fresh_run(candidate, test_case)
        took_s = time.monotonic() - began_s - (verification.worker.n_restarts - n_before) * verification.worker.start_s
        return Run(candidate, test_case, evaluation, took_s=max(0.0, took_s))

    run = shown_run(verification, candidate, run_fresh)
    if run is None and (candidate.is_steady or candidate.was_shown_twice):
        return _run_with_history(verification, candidate, limit)
    if run is None or run.test_case == candidate.test_case or not candidate.is_shown_by(run.evaluation):
        return run
    whole = replace(candidate, test_case=run.test_case, original=run.test_case)
    smaller = made_smaller_with_care(verification.trials, whole, limit).test_case
    if smaller == run.test_case:
        return run
    again = run_fresh(smaller)
    return again if candidate.is_shown_by(again.evaluation) else run


def _run_with_history(verification: Verification, candidate: Candidate, limit: PhaseLimit) -> Run | None:
    trials, resources = verification.trials, verification.coordinator.resources
    needy = replace(candidate, is_steady=False, was_shown_twice=False)
    found = rebuilt(needy, partial(rebuild_by_provenance, trials, resources)) or rebuilt(
        needy, partial(rebuild_from_history, trials, limit=limit)
    )
    if found is None:
        return None
    verification.withdraw_note(candidate.fault_key)
    return _run_with_own_start(verification, made_smaller(trials, found, limit), limit)
