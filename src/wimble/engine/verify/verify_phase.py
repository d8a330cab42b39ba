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

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.fault_prefix import rebuild_by_provenance, rebuild_from_history, rebuilt
from wimble.engine.candidates.proofs import Proofs
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.minimise.shrinking import made_smaller, made_smaller_with_care
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import VERIFIED_BY, PhaseLimit
from wimble.engine.stability.agreed_checks import is_erratic
from wimble.engine.stability.expected_requests import with_expected_requests
from wimble.engine.stability.repeated_runs import (
    CLOCKS_DISAGREE,
    Run,
    agreed,
    answers_by_call,
    are_too_many,
    is_wholly_repeated,
    kept_for_fault,
    renamed,
    run_of,
    shown_run,
    without_repeats,
)
from wimble.engine.stability.start_costs import has_to_share_by_now
from wimble.engine.stability.state_dependence import as_suites_start
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.repeated_faults import RepeatedFault
from wimble.engine.verify.secrets_in_tests import without_secrets
from wimble.engine.verify.shared_start import verify_in_shared_starts
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation
from wimble.model.run_conditions import AS_TESTS_RUN, WITH_HIGH_RANDOM_VALUES, WITH_LOW_RANDOM_VALUES, Conditions
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase

ERRATIC_RUNS = 4
"""Number of further runs of a test whose answers depend on chance. If a list has one of three equally likely lengths,
it is the same in two runs with probability 1/3, in six runs with probability 1/243.
"""
FIRST_RUNS_SHARE = 0.6
"""Share of the time for the first runs, each of which needs a start if the SUT keeps state; most second runs do not."""
FIRST_PASS_SHARE = 0.25
"""The same where the tests of a file share a start: they run at least three times more, in their files."""
CHEAP_REPEATS = 3
"""Number of further runs of a test that changes nothing. A result with two equally likely values is the same in two
runs with probability 1/2, in five runs with probability 1/16.
"""


class VerifiedSuite(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the phase; empty if the phase did not run."""

    tests: tuple[VerifiedTest, ...] = ()
    repeated: Mapping[tuple[str, ...], RepeatedFault] = {}
    """By the finding's key: runs of faults, if no tests were asked for. They tell of a fault what tests tell."""
    fault_notes: Mapping[tuple[str, ...], str] = {}
    """By the finding's key: why a fault has no test."""
    starts: StartPolicy = StartPolicy()
    is_interrupted: bool = False


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
    if has_to_share_by_now(coordinator, worker, starts, candidates):
        starts = replace(starts, shares_start=True)
    starts, candidates = as_suites_start(starts, candidates, worker.sut.databases)
    verification = Verification(coordinator, Trials(worker, starts, proofs=proofs))
    verify = verify_in_shared_starts if starts.shares_start else _verify_alone
    is_interrupted = False
    try:
        if starts.shares_start:
            worker.restart()
        else:
            worker.make_fresh(entirely=True)
        # For the first runs. The start is not counted: if it takes half a minute, there would be no time left.
        share = FIRST_PASS_SHARE if starts.shares_start else FIRST_RUNS_SHARE
        limit = PhaseLimit(coordinator.budget, coordinator.stop, until=VERIFIED_BY, share=share)
        yield from verify(verification, candidates, limit, verified)
    except KeyboardInterrupt:
        is_interrupted = True
    except TargetError as error:
        verification.warn(f"verification ended early: {error.what}")
    finally:
        worker.sut.move_clock(False)
    yield from coordinator.notices.take_events()
    return VerifiedSuite(
        tests=tuple(renamed(verified)),
        fault_notes=verification.fault_notes,
        starts=starts,
        is_interrupted=is_interrupted,
    )


def _verify_alone(
    verification: Verification, candidates: Sequence[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    coordinator = verification.coordinator
    found: dict[int, Run] = {}
    n_run = 0
    for number in by_worth(candidates):
        if coordinator.stop.is_requested:
            break
        if limit.is_reached and not verification.trials.is_proven(candidates[number]):
            continue
        first = _first_run(verification, candidates[number], limit)
        if first is not None:
            found[number] = first
        n_run += 1
        yield from coordinator.notices.take_events()
        yield coordinator.progress("verify", n_run / (2 * len(candidates)))
    # As they were chosen: each says what it covers that no test before it does.
    firsts = [found[one] for one in sorted(found, key=lambda one: (not candidates[one].is_order_independent, one))]
    if n_run < len(candidates):
        verification.warn(f"{len(candidates) - n_run} tests were not verified and so not written: {limit.reason}")
    firsts = list(_in_other_order(verification, firsts, limit))
    if verification.starts.starts_each:
        firsts = [replace(first, shares_start=False) for first in firsts]
    firsts = without_secrets(verification, without_repeats(sorted(firsts, key=lambda first: first.order)))
    coordinator.stop.rearm()
    again = PhaseLimit(coordinator.budget, coordinator.stop, until=VERIFIED_BY)
    yield from _second_runs(verification, firsts, verified, again)


def by_worth(candidates: Sequence[Candidate]) -> list[int]:
    """Returns the numbers of the candidates in the order in which they are verified: time may not suffice for all.

    Those that share a start take hardly any time. Then come faults, then those that cover most.
    """

    def key(number: int) -> tuple[bool, bool, int]:
        one = candidates[number]
        return not one.is_order_independent, one.fault_key is None, -len(one.targets)

    return sorted(range(len(candidates)), key=key)


def _second_runs(
    verification: Verification, firsts: list[Run], verified: list[VerifiedTest], limit: PhaseLimit
) -> Iterator[Event]:
    coordinator, worker = verification.coordinator, verification.worker
    kind = None
    numbers: list[int] = []
    unstable: list[int] = []
    worker.sut.move_clock(True)
    for number, first in enumerate(firsts):
        if limit.is_reached:
            n_left = len(firsts) - number
            verification.warn(f"{n_left} tests were not run a second time and so not written: {limit.reason}")
            break
        if first.kind != kind:
            kind = first.kind
            worker.restart()
        test = _verified(verification, first)
        if test is not None:
            verified.append(test)
            numbers.append(number)
        else:
            unstable.append(number)
        yield coordinator.progress("verify", 0.5 + number / (2 * len(firsts)))
    worker.sut.move_clock(False)
    kept = _kept_of_unstable(verification, firsts, unstable, limit)
    kept.update(zip(numbers, verified, strict=True))
    verified[:] = [kept[number] for number in sorted(kept)]
    yield from coordinator.notices.take_events()


def _kept_of_unstable(
    verification: Verification, firsts: list[Run], unstable: list[int], limit: PhaseLimit
) -> dict[int, VerifiedTest]:
    """Returns, by number, the tests to keep of those that held today but not on another day. Warns of the others."""
    dated = _holding_today(verification, firsts, unstable, limit)
    if len(unstable) > len(dated):
        n_unstable = len(unstable) - len(dated)
        verification.warn(f"{n_unstable} of {len(firsts)} tests answered differently when repeated and were left out")
    if are_too_many(len(dated), len(firsts)):
        verification.warn(CLOCKS_DISAGREE)
        return dated
    kept = kept_for_fault(verification, list(dated.values()))
    with_fault = {number: test for number, test in zip(dated, kept, strict=True) if test is not None}
    if len(dated) > len(with_fault):
        n_left = len(dated) - len(with_fault)
        verification.warn(f"{n_left} of {len(firsts)} tests hold around today only and were left out")
    return with_fault


def _holding_today(
    verification: Verification, firsts: list[Run], unstable: list[int], limit: PhaseLimit
) -> dict[int, VerifiedTest]:
    """Returns, by number, the tests that do the same again today.

    Tests of faults run twice more, since a test that depends on chance shows its fault again in one run half of the
    time.
    """
    dated: dict[int, VerifiedTest] = {}
    if verification.coordinator.settings.is_black_box:
        return dated  # its clock was not moved, so these tests differ by chance
    if unstable:
        verification.worker.restart()  # so that its clock shows today
    for number in unstable:
        if limit.is_reached:
            break
        verification.worker.make_fresh(entirely=True)
        test = _verified(verification, firsts[number])
        if test is not None and test.kind == "fault":
            verification.worker.make_fresh(entirely=True)
            test = _verified(verification, firsts[number])
        if test is not None:
            dated[number] = test
    return dated


def _first_run(verification: Verification, candidate: Candidate, limit: PhaseLimit) -> Run | None:
    """Returns the candidate's first run.

    It is on a shared start if that shows the candidate's fault or targets, else on a start of its own. It expects all
    requests that the SUT sends to services.
    """
    run = _any_first_run(verification, candidate, limit)
    if run is None:
        return None
    expecting = with_expected_requests(run.test_case, run.evaluation)
    if expecting is run.test_case:
        return run
    return _any_first_run(verification, replace(run.candidate, test_case=expecting, original=expecting), limit)


def _any_first_run(verification: Verification, candidate: Candidate, limit: PhaseLimit) -> Run | None:
    if candidate.is_order_independent:
        run = _shared_run(verification, candidate, candidate.test_case)
        if candidate.is_shown_by(run.evaluation):
            return run
    return _run_with_own_start(verification, candidate, limit)


def _shared_run(
    verification: Verification, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    verification.worker.make_shared()
    return replace(run_of(verification, candidate, test_case, conditions), shares_start=True)


def _in_other_order(verification: Verification, firsts: Sequence[Run], limit: PhaseLimit) -> Iterator[Run]:
    """Runs the tests on a shared start in reverse order, and yields all runs.

    A run that differs in reverse order is replaced by a run with a start of its own.
    """
    if any(first.shares_start for first in firsts):
        verification.worker.restart()
    reversed_runs: dict[int, Evaluation] = {}
    for number, first in reversed(list(enumerate(firsts))):
        if first.shares_start and not verification.coordinator.stop.is_requested:
            again = _shared_run(verification, first.candidate, first.test_case, WITH_LOW_RANDOM_VALUES)
            is_same = agreed(verification, [first, again], [first.evaluation, again.evaluation]) is not None
            if is_same and first.candidate.is_shown_by(again.evaluation):
                reversed_runs[number] = again.evaluation
    for number, first in enumerate(firsts):
        if number in reversed_runs:
            yield replace(first, in_other_order=(reversed_runs[number],))
        elif not first.shares_start:
            yield first
        else:
            own = _run_with_own_start(verification, first.candidate, limit)
            if own is not None:
                yield own


def _run_with_own_start(verification: Verification, candidate: Candidate, limit: PhaseLimit) -> Run | None:
    """Returns a run of the first of the candidate's shapes that shows its fault or targets (see `shown_run`).

    If it was minimised too far, it is minimised once more, with care. If a fault that was steady does not show on a
    fresh SUT, what it needs is looked for.
    """

    def run_fresh(test_case: TestCase) -> Run:
        return Run(candidate, test_case, verification.trials.fresh_run(candidate, test_case))

    run = shown_run(verification, candidate, run_fresh)
    if run is None and candidate.is_steady:
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
    needy = replace(candidate, is_steady=False)
    found = rebuilt(needy, partial(rebuild_by_provenance, trials, resources)) or rebuilt(
        needy, partial(rebuild_from_history, trials, limit=limit)
    )
    if found is None:
        return None
    verification.withdraw_note(candidate.fault_key)
    return _run_with_own_start(verification, made_smaller(trials, found, limit), limit)


def _verified(verification: Verification, first: Run) -> VerifiedTest | None:
    """Returns the test after its second run; None if its runs differ in outcomes or in its fault."""
    if first.shares_start:  # its run in reverse order had low random values
        runs = [first, _shared_run(verification, first.candidate, first.test_case, WITH_HIGH_RANDOM_VALUES)]
    else:
        runs = [
            first,
            _same_run_as_it_is(verification, first) or _fresh_run(verification, first, WITH_HIGH_RANDOM_VALUES),
        ]
        if runs[1].evaluation.n_random_values > 0 and _outcomes(runs[1]) == _outcomes(first):
            runs.append(_low_run(verification, first))
    evaluations = [first.evaluation, *first.in_other_order, *(run.evaluation for run in runs[1:])]
    if _are_doubtful(verification, first, evaluations):
        evaluations += _more_runs(verification, first)
    return agreed(verification, runs, evaluations)


def _same_run_as_it_is(verification: Verification, first: Run) -> Run | None:
    """Returns a run on the SUT as other tests left it, in place of one with a fresh start.

    Returns None if a fresh start would not differ, or if the run differs from the first one in anything that would be
    asserted. Random values count as a difference, since they may have been drawn when the SUT started.
    """
    freshness = verification.worker.freshness
    is_worth_it = freshness.is_dirty and not freshness.is_lost and _depends_on_state(verification, first)
    if not is_worth_it or first.evaluation.is_sut_lost or first.evaluation.has_hung:
        return None
    again = run_of(verification, first.candidate, first.test_case, WITH_HIGH_RANDOM_VALUES)
    return again if again.evaluation.n_random_values == 0 and is_wholly_repeated(verification, first, again) else None


def _depends_on_state(verification: Verification, first: Run) -> bool:
    return first.candidate.needs_start or verification.starts.depends_on_state(first.test_case)


def _fresh_run(verification: Verification, first: Run, conditions: Conditions) -> Run:
    verification.worker.make_fresh(is_order_independent=not _depends_on_state(verification, first))
    return run_of(verification, first.candidate, first.test_case, conditions)


def _low_run(verification: Verification, first: Run) -> Run:
    """Runs the test with low random values.

    If the outcome differs, it is repeated on a start of its own: the SUT may have changed with time.
    """
    low = _fresh_run(verification, first, WITH_LOW_RANDOM_VALUES)
    if _outcomes(low) != _outcomes(first):
        verification.worker.make_fresh(entirely=True)
        low = run_of(verification, first.candidate, first.test_case, WITH_LOW_RANDOM_VALUES)
    return low


def _outcomes(run: Run) -> list[str]:
    return [observation.outcome_key for observation in run.evaluation.observations]


def _are_doubtful(verification: Verification, first: Run, evaluations: list[Evaluation]) -> bool:
    """Whether runs that agree may do so by chance."""
    if not _have_one_outcome(evaluations):
        return False  # they do not agree
    if _differ(evaluations):
        return True
    repeats = list(_repeats(verification, first))
    if first.evaluation.findings:
        return not all(first.candidate.is_shown_by(one.evaluation) for one in repeats)
    repeated = [*evaluations, *(one.evaluation for one in repeats)]
    return _differ(repeated) or not _have_one_outcome(repeated)


def _differ(evaluations: list[Evaluation]) -> bool:
    return any(is_erratic([one.exchange for one in answered]) for answered in answers_by_call(evaluations))


def _have_one_outcome(evaluations: list[Evaluation]) -> bool:
    """Whether each call was answered with the same outcome in all evaluations."""
    return all(len({one.outcome_key for one in answered}) <= 1 for answered in answers_by_call(evaluations))


def _repeats(verification: Verification, first: Run) -> Iterator[Run]:
    """Yields further runs, on the same start, of a test that changes nothing.

    They are cheap, but are only a reason for more runs: a count of visits, for example, differs in them although it is
    the same on each fresh start. Yields none if a call has no answer, since that takes long.
    """
    is_answered = all(observation.is_answered for observation in first.evaluation.observations)
    if first.test_case.is_safe and is_answered:
        for _ in range(CHEAP_REPEATS):
            yield run_of(verification, first.candidate, first.test_case)


def _more_runs(verification: Verification, first: Run) -> Iterator[Evaluation]:
    for _ in range(ERRATIC_RUNS):
        verification.worker.make_fresh(entirely=True)
        yield run_of(verification, first.candidate, first.test_case).evaluation
