"""The second run of each test, and further ones of those that may agree by chance.

The second run is on another day, in another time zone. Where the SUT keeps state it is on the SUT as other tests left
it, if all that the first run did is the same there; else on a fresh start. Tests whose runs agree but may do so by
chance run again on a few starts, which they share as far as they do the same there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from wimble.engine.events import Event
from wimble.engine.session.notices import tests_were
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.agreed_checks import is_erratic
from wimble.engine.stability.repeated_runs import (
    CLOCKS_DISAGREE,
    Run,
    agreed,
    answers_by_call,
    are_too_many,
    is_wholly_repeated,
    kept_for_fault,
    run_of,
    shared_run,
    weakens_nothing,
)
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.file_order import without_misfits
from wimble.library.invocation import exchange_of_function
from wimble.model.evaluation import Evaluation
from wimble.model.run_conditions import WITH_HIGH_RANDOM_VALUES, WITH_LOW_RANDOM_VALUES, Conditions
from wimble.model.suite import VerifiedTest

ERRATIC_RUNS: Final = 4
"""Number of further runs of a test whose answers depend on chance. If a list has one of three equally likely lengths,
it is the same in two runs with probability 1/3, in six runs with probability 1/243.
"""
CHEAP_REPEATS: Final = 3
"""Number of further runs of a test that changes nothing. A result with two equally likely values is the same in two
runs with probability 1/2, in five runs with probability 1/16.
"""
REPEATS_OF_FUNCTIONS: Final = 1
"""The same for a function of a library that draws no random values and returns at once: there is no chance in it, but
perhaps a state.
"""
REPEATS_OF_CHANCE: Final = 16
"""The same for a function of a library that draws random values: a call takes a millisecond. What happens in one of
four calls is missed with probability 1/100.
"""
MAX_CALLS_COUNTED: Final = 4
SHARE_OF_FRESH_RUNS: Final = 0.7
"""Share of the tests with a start of their own whose second run needs one as well, for time limits only."""
LEAST_RUN_S: Final = 0.001


class _Runs(msgspec.Struct):
    """The runs of a test so far."""

    runs: list[Run]
    """The first one, and those whose findings count."""
    evaluations: list[Evaluation]
    """Those of `runs`, and all others."""
    needs_start: bool = False
    """Whether it has done something else behind others."""
    n_further: int = 0
    """Number of runs that were added since it may have been the same by chance."""

    @property
    def first(self) -> Run:
        return self.runs[0]


def second_runs(
    verification: Verification, firsts: list[Run], verified: list[VerifiedTest], limit: PhaseLimit
) -> Iterator[Event]:
    """Runs the tests again, and appends those whose runs agree to `verified`, in their order."""
    tests: dict[int, VerifiedTest | None] = {}
    verification.worker.sut.move_clock(True)
    try:
        yield from _run_all_again(verification, firsts, tests, limit)
    finally:  # what was verified is kept if the user interrupts
        verified += [test for _, test in sorted(tests.items()) if test is not None]
    verification.worker.sut.move_clock(False)
    unstable = sorted(number for number, test in tests.items() if test is None)
    tests.update(_kept_of_unstable(verification, firsts, unstable, limit))
    kept = {number: test for number, test in tests.items() if test is not None}
    if verification.coordinator.settings.library:
        kept = without_misfits(verification, firsts, kept, limit)
    verified[:] = [test for _, test in sorted(kept.items())]
    yield from verification.coordinator.notices.take_events()


def _run_all_again(
    verification: Verification, firsts: list[Run], tests: dict[int, VerifiedTest | None], limit: PhaseLimit
) -> Iterator[Event]:
    """Adds the test of each first run to `tests`, by number; None if its runs do not agree."""
    doubtful: dict[int, _Runs] = {}
    costs = [_cost(verification, first) for first in firsts]
    cost_left, n_left_out = sum(costs), 0
    for _, together in groupby(_by_worth(firsts), key=lambda number: _start_of(firsts[number])):
        numbers = list(together)
        if not limit.is_reached:
            verification.worker.make_fresh(entirely=True)
        cost = sum(costs[number] for number in numbers)
        of_file = limit.part(min(1.0, cost / cost_left))
        cost_left -= cost
        for n_done, number in enumerate(numbers):
            if of_file.is_reached:
                n_left_out += len(numbers) - n_done
                break
            runs = _run_again(verification, firsts[number])
            if _are_doubtful(verification, runs):
                doubtful[number] = runs
            else:
                tests[number] = agreed(verification, runs.runs, runs.evaluations)
            yield verification.coordinator.progress("verify", 0.5 + (len(tests) + len(doubtful)) / (2 * len(firsts)))
    if n_left_out:
        verification.warn(f"{tests_were(n_left_out)} not run a second time and so not written: {limit.reason}")
    _run_more(verification, list(doubtful.values()), limit)
    decided = {number: runs for number, runs in doubtful.items() if _is_decided(runs)}
    tests.update({number: agreed(verification, runs.runs, runs.evaluations) for number, runs in decided.items()})
    if len(decided) < len(doubtful):
        told = f"{len(doubtful) - len(decided)} tests that may depend on chance were not run often enough"
        verification.warn(f"{told} and so not written: {limit.reason}")


def _cost(verification: Verification, first: Run) -> float:
    """Returns how much of the time the runs of a test may take, in any unit. In runs that can be repeated exactly, all
    tests count the same.
    """
    if verification.coordinator.budget.is_repeatable:
        return 1.0
    return max(LEAST_RUN_S, time_to_run_again_s(verification, first))


def time_to_run_again_s(verification: Verification, first: Run) -> float:
    """Returns how long the second run of a test takes, with those that follow it on the same start."""
    n_runs = 1 + CHEAP_REPEATS if first.test_case.is_safe else 1
    needs_start = not (first.shares_start or first.test_case.is_safe)
    return n_runs * first.took_s + SHARE_OF_FRESH_RUNS * needs_start * verification.worker.start_s


def _start_of(first: Run) -> tuple[bool, str]:
    """Returns which tests run again one after the other, on a start that is made for them: those of a file that share
    one, and then the others of each file, most of which take a start each.
    """
    return not first.shares_start, first.kind


def _by_worth(firsts: Sequence[Run]) -> list[int]:
    """Returns the numbers of the tests in the order in which they run again: those that take hardly any time first, and
    then in the order of their files. Of those that change nothing, the ones that show most come first, since there may
    not be time for all.
    """

    def key(number: int) -> tuple[object, ...]:
        first = firsts[number]
        is_safe = first.test_case.is_safe
        worth = (first.candidate.fault_key is None, -len(first.candidate.targets)) if is_safe else ()
        return not first.shares_start, first.order, worth, number

    return sorted(range(len(firsts)), key=key)


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
        test = _verified(verification, firsts[number], limit)
        if test is not None and test.kind == "fault":
            verification.worker.make_fresh(entirely=True)
            test = _verified(verification, firsts[number], limit)
        if test is not None:
            dated[number] = test
    return dated


def _verified(verification: Verification, first: Run, limit: PhaseLimit) -> VerifiedTest | None:
    """Returns the test after its second run; None if its runs differ in outcomes or in its fault, or if there is no
    time to find out.
    """
    runs = _run_again(verification, first)
    if _are_doubtful(verification, runs):
        _run_more(verification, [runs], limit)
        if not _is_decided(runs):
            return None
    return agreed(verification, runs.runs, runs.evaluations)


def _run_again(verification: Verification, first: Run) -> _Runs:
    if first.shares_start:  # its run in reverse order had low random values
        runs = [first, shared_run(verification, first.candidate, first.test_case, WITH_HIGH_RANDOM_VALUES)]
    else:
        runs = [
            first,
            _same_run_as_it_is(verification, first) or _fresh_run(verification, first, WITH_HIGH_RANDOM_VALUES),
        ]
        if runs[1].evaluation.n_random_values > 0 and _have_same_outcomes(runs[1], first):
            runs.append(_low_run(verification, first))
    return _Runs(runs, [first.evaluation, *first.in_other_order, *(run.evaluation for run in runs[1:])])


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
    if not _have_same_outcomes(low, first):
        verification.worker.make_fresh(entirely=True)
        low = run_of(verification, first.candidate, first.test_case, WITH_LOW_RANDOM_VALUES)
    return low


def _have_same_outcomes(one: Run, other: Run) -> bool:
    return one.evaluation.outcome_keys() == other.evaluation.outcome_keys()


def _are_doubtful(verification: Verification, runs: _Runs) -> bool:
    """Whether runs that agree may do so by chance."""
    first, evaluations = runs.first, runs.evaluations
    if not _have_one_outcome(evaluations):
        return False  # they do not agree
    if _differ(evaluations):
        return True
    repeats = list(_repeats(verification, first))
    if first.evaluation.findings:
        return not all(first.candidate.is_shown_by(one.evaluation) for one in repeats)
    if verification.coordinator.settings.library and first.evaluation.n_random_values > 0:
        # What differs between them is chance, rather than a count: it is not asserted, even if fresh starts agree.
        evaluations += [one.evaluation for one in repeats]
        return _differ(evaluations)
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
        is_library = bool(verification.coordinator.settings.library)
        for _ in range(_n_repeats(first.evaluation) if is_library else CHEAP_REPEATS):
            yield run_of(verification, first.candidate, first.test_case)


def _n_repeats(evaluation: Evaluation) -> int:
    """Returns the number of further runs of functions of a library."""
    if any(exchange_of_function(one).is_awaited for one in evaluation.observations):
        return CHEAP_REPEATS
    # Each of several calls may be the same by chance.
    of_chance = REPEATS_OF_CHANCE * min(MAX_CALLS_COUNTED, len(evaluation.observations))
    return of_chance if evaluation.n_random_values > 0 else REPEATS_OF_FUNCTIONS


def _run_more(verification: Verification, doubtful: Sequence[_Runs], limit: PhaseLimit) -> None:
    """Adds further runs of tests that may agree by chance: on a few starts, since chance may play its part there.

    Those that need a start of their own come first: one of them has the start that all others share.
    """
    for _ in range(ERRATIC_RUNS if doubtful else 0):
        if limit.is_reached:
            return
        verification.worker.restart()
        for runs in sorted(doubtful, key=lambda one: not one.needs_start):
            if _have_one_outcome(runs.evaluations) and not limit.is_reached:
                runs.evaluations.append(_further_run(verification, runs))
                runs.n_further += 1


def _is_decided(runs: _Runs) -> bool:
    """Whether runs that may agree by chance do not, or do so in further runs."""
    return runs.n_further >= ERRATIC_RUNS or not _have_one_outcome(runs.evaluations)


def _further_run(verification: Verification, runs: _Runs) -> Evaluation:
    worker = verification.worker
    again = None if runs.needs_start else _same_as_it_is(verification, runs)
    if again is None:
        runs.needs_start = runs.needs_start or worker.freshness.n_calls > 0
        worker.make_fresh(entirely=True)
        again = run_of(verification, runs.first.candidate, runs.first.test_case).evaluation
    return again


def _same_as_it_is(verification: Verification, runs: _Runs) -> Evaluation | None:
    """Returns a run on the SUT as the others left it, in place of one with a fresh start; None if that would not
    differ, or if the test would assert less with it.
    """
    freshness, first = verification.worker.freshness, runs.first
    if freshness.is_lost or freshness.n_calls == 0 or first.evaluation.is_sut_lost or first.evaluation.has_hung:
        return None
    again = run_of(verification, first.candidate, first.test_case).evaluation
    return again if weakens_nothing(verification, first.candidate, runs.evaluations, again) else None
