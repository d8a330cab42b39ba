"""Runs each chosen test twice, each time from a freshly started SUT, and keeps what was the same both times.

The second time it is another day there, in another time zone: what holds today only is not asserted, and a test that needs today is left
out, since it would fail by itself one day; unless it shows a fault. What the SUT draws by chance is low in one run and high in another.

Freshness is the rule that generated suites use, too: a fresh start before each file and before each test, unless only calls that
ask for no change of state (`Operation.is_safe`) were sent since the last start. Tests that found the same whatever ran before them
(memory.py) do not need that: they share a start, are run one after the other there, and once more the other way round. Where a SUT
remembers and starts so slowly that a start for each other test takes too long, all tests of a file share one (verify_shared.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.engine.candidates import Candidate, make_fresh_for
from wimble.engine.checks import is_erratic
from wimble.engine.context import RunContext
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.faults import is_safe
from wimble.engine.limits import PhaseLimit
from wimble.engine.memory import keep_to_the_rule_of_suites
from wimble.engine.secrecy import without_secrets
from wimble.engine.verified import (
    CLOCKS_DISAGREE,
    Run,
    agreed,
    are_too_many,
    kept_for_fault,
    renamed,
    responses_by_call,
    run_of,
    shown_run,
    without_repeats,
)
from wimble.engine.verify_shared import verify_in_shared_starts
from wimble.errors import TargetError
from wimble.model.conditions import AS_TESTS_RUN, WITH_HIGH_DRAWS, WITH_LOW_DRAWS, Conditions
from wimble.model.evaluation import Evaluation
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase

ERRATIC_RUNS = 4
"""Further runs of a test whose answers are a matter of chance: one of three equally likely lengths of a list is the same in
two runs a third of the time, in six runs once in 243."""
CHEAP_REPEATS = 3
"""Of tests that change nothing: a coin falls alike in two runs half of the time, in five once in 16."""


def run_verify(context: RunContext, candidates: list[Candidate]) -> Iterator[Event]:
    """Fills `context.tests`; tests that behave differently are left out with a warning. The SUT lives as it
    will when the tests run."""
    context.phase = "verify"
    context.sut.live_under(AS_TESTS_RUN)
    yield PhaseStarted(phase="verify", n_steps=len(candidates))
    verified: list[VerifiedTest] = []
    keep_to_the_rule_of_suites(context, candidates)
    verify = verify_in_shared_starts if context.shares_start else _verify_alone
    try:
        if context.shares_start:
            context.restart()
        else:
            context.make_fresh(entirely=True)
        # Of the first runs; the second ones take as long again. A SUT that takes half a minute to start would leave no time at all.
        limit = PhaseLimit(context, share=0.5, at_least_s=40.0)
        yield from verify(context, candidates, limit, verified)
    except KeyboardInterrupt:
        context.stopped_by = "interrupt"
    except TargetError as error:
        context.warn(f"verification ended early: {error.what}")
    finally:
        context.sut.move_clock(False)
    context.tests = renamed(verified)
    yield from context.take_events()


def _verify_alone(
    context: RunContext, candidates: list[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    firsts: list[Run] = []
    # Those that share a start first: they take next to no time.
    for number, candidate in enumerate(sorted(candidates, key=lambda one: not one.is_forgetful)):
        if limit.is_reached:
            break
        first = _first_run(context, candidate)
        if first is not None:
            firsts.append(first)
        yield from context.take_events()
        yield context.progress_event(number / (2 * len(candidates)))
    else:
        number = len(candidates)
    if number < len(candidates) and not context.stop.was_ever_requested:
        context.warn(f"{len(candidates) - number} tests were not verified and so not written: out of time")
    firsts = list(_in_other_order(context, firsts))
    firsts = without_secrets(context, without_repeats(sorted(firsts, key=lambda first: first.order)))
    context.stop.rearm()
    yield from _second_runs(context, firsts, verified)


def _second_runs(context: RunContext, firsts: list[Run], verified: list[VerifiedTest]) -> Iterator[Event]:
    kind = None
    numbers: list[int] = []
    unstable: list[int] = []
    context.sut.move_clock(True)
    for number, first in enumerate(firsts):
        if context.stop.is_requested:
            break
        if first.kind != kind:
            kind = first.kind
            context.restart()
        test = _verified(context, first)
        if test is not None:
            verified.append(test)
            numbers.append(number)
        else:
            unstable.append(number)
        yield context.progress_event(0.5 + number / (2 * len(firsts)))
    context.sut.move_clock(False)
    dated = _holding_today(context, firsts, unstable)
    if len(unstable) > len(dated):
        n_unstable = len(unstable) - len(dated)
        context.warn(f"{n_unstable} of {len(firsts)} tests answered differently when repeated and were left out")
    if are_too_many(len(dated), len(firsts)):
        context.warn(CLOCKS_DISAGREE)
    else:
        kept = kept_for_fault(context, list(dated.values()))
        if len(dated) > len(kept):
            context.warn(f"{len(dated) - len(kept)} of {len(firsts)} tests hold around today only and were left out")
        dated = {number: test for number, test in dated.items() if any(test is one for one in kept)}
    dated.update(zip(numbers, verified, strict=True))
    verified[:] = [dated[number] for number in sorted(dated)]
    yield from context.take_events()


def _holding_today(context: RunContext, firsts: list[Run], unstable: list[int]) -> dict[int, VerifiedTest]:
    """Those that do the same again where it is today; faults in two runs more, for half of what shows by chance shows in one."""
    dated: dict[int, VerifiedTest] = {}
    if context.settings.is_blind:
        return dated  # its clock is not ours to move: they differ by chance
    if unstable:
        context.restart()  # for its clock
    for number in unstable:
        if context.stop.is_requested:
            break
        context.make_fresh(entirely=True)
        test = _verified(context, firsts[number])
        if test is not None and test.kind == "fault":
            context.make_fresh(entirely=True)
            test = _verified(context, firsts[number])
        if test is not None:
            dated[number] = test
    return dated


def _first_run(context: RunContext, candidate: Candidate) -> Run | None:
    """On a shared start where that will do."""
    if candidate.is_forgetful:
        run = _shared_run(context, candidate, candidate.test_case)
        if candidate.is_shown_by(run.evaluation, run.findings):
            return run
    return _run_with_own_start(context, candidate)


def _shared_run(
    context: RunContext, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    context.make_shared()
    run = run_of(context, candidate, test_case, conditions)
    run.shares_start = True
    return run


def _in_other_order(context: RunContext, firsts: Sequence[Run]) -> Iterator[Run]:
    """The same runs; those on a shared start which do something else the other way round are replaced by one with a start of its own."""
    if any(first.shares_start for first in firsts):
        context.restart()
    for first in reversed(firsts):
        if first.shares_start and not context.stop.is_requested:
            again = _shared_run(context, first.candidate, first.test_case, WITH_LOW_DRAWS)
            is_same = agreed(context, [first, again], [first.evaluation, again.evaluation]) is not None
            if is_same and first.candidate.is_shown_by(again.evaluation, again.findings):
                first.in_other_order = (again.evaluation,)
    for first in firsts:
        own = first if first.in_other_order or not first.shares_start else _run_with_own_start(context, first.candidate)
        if own is not None:
            yield own


def _run_with_own_start(context: RunContext, candidate: Candidate) -> Run | None:
    """The minimised test if it still shows what it is there for, else the one it came from, else nothing."""

    def run_fresh(test_case: TestCase) -> Run:
        make_fresh_for(context, candidate, test_case)
        return run_of(context, candidate, test_case)

    return shown_run(context, candidate, run_fresh)


def _verified(context: RunContext, first: Run) -> VerifiedTest | None:
    """The test after its second run; None where its runs differ in what matters."""
    if first.shares_start:  # and has seen low draws in the other order
        runs = [first, _shared_run(context, first.candidate, first.test_case, WITH_HIGH_DRAWS)]
    else:
        runs = [first, _fresh_run(context, first, WITH_HIGH_DRAWS)]
        if runs[1].evaluation.n_draws > 0 and _outcomes(runs[1]) == _outcomes(first):
            runs.append(_low_run(context, first))
    evaluations = [first.evaluation, *first.in_other_order, *(run.evaluation for run in runs[1:])]
    if _are_doubtful(context, first, evaluations):
        evaluations += _more_runs(context, first)
    return agreed(context, runs, evaluations)


def _fresh_run(context: RunContext, first: Run, conditions: Conditions) -> Run:
    context.make_fresh(None if first.candidate.needs_start else first.test_case)
    return run_of(context, first.candidate, first.test_case, conditions)


def _low_run(context: RunContext, first: Run) -> Run:
    """One that comes to something else has a start of its own: it may have been what the SUT does with time."""
    low = _fresh_run(context, first, WITH_LOW_DRAWS)
    if _outcomes(low) != _outcomes(first):
        context.make_fresh(entirely=True)
        low = run_of(context, first.candidate, first.test_case, WITH_LOW_DRAWS)
    return low


def _outcomes(run: Run) -> list[tuple[str | None, int | None]]:
    return [
        (observation.failure, None if observation.response is None else observation.response.status)
        for observation in run.evaluation.observations
    ]


def _are_doubtful(context: RunContext, first: Run, evaluations: list[Evaluation]) -> bool:
    """Whether two runs that may agree could do so by chance."""
    if not _have_one_status(evaluations):
        return False  # they do not agree
    if _differ(evaluations):
        return True
    repeats = list(_repeats(context, first))
    if first.findings:
        return not all(first.candidate.is_shown_by(one.evaluation, one.findings) for one in repeats)
    repeated = [*evaluations, *(one.evaluation for one in repeats)]
    return _differ(repeated) or not _have_one_status(repeated)


def _differ(evaluations: list[Evaluation]) -> bool:
    return any(is_erratic(responses) for responses in responses_by_call(evaluations))


def _have_one_status(evaluations: list[Evaluation]) -> bool:
    """Whether each call was answered with the same status in all of them."""
    return all(len({response.status for response in responses}) <= 1 for responses in responses_by_call(evaluations))


def _repeats(context: RunContext, first: Run) -> Iterator[Run]:
    """Of a test that changes nothing, on the same start: they cost next to nothing, and only raise a suspicion (a count of visits differs
    here, and is the same on each fresh start). Not of one that leaves calls without an answer, for that takes its time."""
    is_answered = all(observation.failure is None for observation in first.evaluation.observations)
    if is_safe(first.test_case) and is_answered:
        for _ in range(CHEAP_REPEATS):
            yield run_of(context, first.candidate, first.test_case)


def _more_runs(context: RunContext, first: Run) -> Iterator[Evaluation]:
    for _ in range(ERRATIC_RUNS):
        context.make_fresh(entirely=True)
        yield run_of(context, first.candidate, first.test_case).evaluation
