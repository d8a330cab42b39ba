"""Verification where a SUT starts too slowly for a start per test: the tests of a file share one start, in their order.

What is verified is what runs later: each file from a fresh start, all its tests, in the same order. A test that is left out, or that
belongs into another file, may change what those behind it find, so files are run again until nothing more has to go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.disturbances import Disturbances, in_turn
from wimble.engine.events import Event
from wimble.engine.limits import PhaseLimit
from wimble.engine.restage import restaged
from wimble.engine.secrecy import without_secrets
from wimble.engine.verified import (
    CLOCKS_DISAGREE,
    Run,
    agreed,
    are_too_many,
    kept_for_fault,
    run_of,
    shown_run,
    without_repeats,
)
from wimble.model.conditions import AS_TESTS_RUN, WITH_HIGH_DRAWS, WITH_LOW_DRAWS, Conditions
from wimble.model.suite import TestKind, VerifiedTest
from wimble.model.testcase import TestCase

MAX_ROUNDS = 6
"""Of dropping and moving tests, and running the rest again. Where the last one drops some, too, those behind them stay: they did the same in each
round, whatever had been dropped before it."""
RUNS_TODAY = 2
"""Of each test in its file, besides one on another day (draws are low there, and high here): one more than tests with a start of their own get, since what happens by chance spreads
here. A test whose file has changed since runs once more."""
KINDS: tuple[TestKind, ...] = ("fault", "success", "other")
"""Each is a file."""


def verify_in_shared_starts(
    context: RunContext, candidates: list[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    """Appends to `verified`, file by file. The SUT was started just now."""
    shown: dict[int, Run | None] = {}
    disturbances = Disturbances(
        context,
        candidates,
        lambda candidate: _run(context, candidate, candidate.test_case),
        may_look=lambda: not limit.is_reached,
    )
    number = 0
    while number < len(candidates):
        if limit.is_reached:
            context.warn(f"{len(candidates) - number} tests were not verified and so not written: out of time")
            break
        candidate = candidates[number]
        # On the SUT as the candidates before it left it.
        shown[number] = shown_run(context, candidate, partial(_run, context, candidate))
        number = disturbances.next_after(number, shown[number])
        yield from context.take_events()
        yield context.progress_event(number / (2 * len(candidates)))
    chosen = [run for run in shown.values() if run is not None]
    chosen = without_secrets(context, without_repeats(sorted(chosen, key=lambda run: run.order)))
    context.stop.rearm()
    files = by_what_they_did({kind: _rehearsed(context, [run for run in chosen if run.kind == kind]) for kind in KINDS})
    try:
        yield from settle(context, files)
    finally:  # what is verified is kept where the SUT does not start again
        kept = [test for kind in KINDS for test in files[kind].verified]
        verified += kept
    if len(kept) < len(chosen):
        context.warn(
            f"{len(chosen) - len(kept)} of {len(chosen)} tests answered differently when repeated and were left out"
        )


class Trial(msgspec.Struct):
    """A test in its file."""

    test: Run
    today: list[Run] = []
    other_days: list[Run] = []
    has_moved: bool = False
    """From the file of another kind: it does not do so twice."""
    has_changed: bool = False
    """What it does came to something else once, when a test before it had gone."""


class TestFile(msgspec.Struct):
    """The tests of one kind, in their order."""

    __test__ = False

    trials: list[Trial]
    verified: list[VerifiedTest] = []
    is_settled: bool = False


def _rehearsed(context: RunContext, tests: Sequence[Run]) -> TestFile:
    """The tests of a file as they are run in it for the first time. What those of other files left behind is missing there, so one that
    was made too small takes back what it came from, or gets what it needs before it."""
    if not tests or context.stop.is_requested:
        return TestFile([Trial(test) for test in tests])
    runs = [_with_what_it_needs(context, test) for test in in_turn(context, tests)]
    if all(_is_as_chosen(run) for run in runs):
        return TestFile([Trial(run, today=[run]) for run in runs])
    return TestFile([Trial(run) for run in runs])  # more than these ran on this start


def _is_as_chosen(run: Run) -> bool:
    return run.test_case == run.candidate.test_case and run.candidate.is_shown_by(run.evaluation, run.findings)


def _with_what_it_needs(context: RunContext, test: Run) -> Run:
    candidate = test.candidate
    run = shown_run(context, candidate, partial(_run, context, candidate)) or test
    if candidate.is_shown_by(run.evaluation, run.findings):
        return run
    for staged in restaged(context, candidate):
        longer = _run(context, candidate, staged.test_case)
        if candidate.shown_of(longer.evaluation) > candidate.shown_of(run.evaluation):
            return longer
    return run


def by_what_they_did(files: dict[TestKind, TestFile]) -> dict[TestKind, TestFile]:
    """Tests that did in their file what belongs into another one (they had met what tests of other files left behind) are at the end of that
    one; files that lose or get tests have not run as they are now."""
    strays = {kind: [trial for trial in file.trials if trial.test.kind != kind] for kind, file in files.items()}
    moved: dict[TestKind, list[Trial]] = {kind: [] for kind in files}
    for trial in (trial for trials in strays.values() for trial in trials):
        moved[trial.test.kind].append(Trial(trial.test, has_moved=True))
    return {
        kind: file
        if not strays[kind] and not moved[kind]
        else TestFile([Trial(trial.test) for trial in file.trials if trial.test.kind == kind] + moved[kind])
        for kind, file in files.items()
    }


def settle(context: RunContext, files: dict[TestKind, TestFile]) -> Iterator[Event]:
    """Runs files until their tests do the same in each run, and what they do belongs into their file."""
    n_tests = sum(len(file.trials) for file in files.values())
    for _ in range(MAX_ROUNDS):
        for kind, file in files.items():
            if context.stop.is_requested:
                return
            if file.is_settled or not file.trials:
                continue
            _run_as_often_as_needed(context, file)
            _sort_out(context, kind, files)
            yield from context.take_events()
            yield context.progress_event(0.5 + sum(len(one.verified) for one in files.values()) / (2 * n_tests))


def _run_as_often_as_needed(context: RunContext, file: TestFile) -> None:
    if not all(trial.other_days for trial in file.trials):
        context.sut.move_clock(True)
        try:
            for trial, run in zip(file.trials, _run_file(context, file.trials, WITH_LOW_DRAWS), strict=True):
                trial.other_days.append(run)
        finally:
            context.sut.move_clock(False)
    n_runs = max(1, RUNS_TODAY - min(len(trial.today) for trial in file.trials))
    for _ in range(n_runs):
        for trial, run in zip(file.trials, _run_file(context, file.trials, WITH_HIGH_DRAWS), strict=True):
            trial.today.append(run)


def _sort_out(context: RunContext, kind: TestKind, files: dict[TestKind, TestFile]) -> None:
    """Tests that differ leave the file, and those of another kind (they met what tests of another file had left behind when they
    were first run) move to the end of the file that is theirs, once."""
    file = files[kind]
    results = _results(context, file.trials)
    stay: list[Trial] = []
    file.verified = []
    for trial, result in zip(file.trials, results, strict=True):
        if result is None:
            if _has_come_to_something_else(context, trial):
                stay.append(Trial(trial.test, today=trial.today[-1:], has_moved=trial.has_moved, has_changed=True))
        elif result.kind == kind:
            stay.append(trial)
            file.verified.append(result)
        elif not trial.has_moved:
            files[result.kind].trials.append(Trial(trial.test, has_moved=True))
            files[result.kind].is_settled = False
    file.is_settled = len(file.verified) == len(file.trials)
    file.trials = stay


def _results(context: RunContext, trials: Sequence[Trial]) -> list[VerifiedTest | None]:
    today = [_agreed(context, trial.today) for trial in trials]
    results = [_agreed(context, [*trial.today, *trial.other_days]) for trial in trials]
    for number, trial in enumerate(trials):
        if results[number] is None and any(run.evaluation.n_draws > 0 for run in trial.other_days):
            today[number] = None  # by chance, for all that is known
    dated = [same for result, same in zip(results, today, strict=True) if result is None and same is not None]
    if are_too_many(len(dated), len(trials)):
        context.warn(CLOCKS_DISAGREE)
        return today
    kept = kept_for_fault(context, dated)
    return [
        same if same is not None and any(same is one for one in kept) else result
        for result, same in zip(results, today, strict=True)
    ]


def _has_come_to_something_else(context: RunContext, trial: Trial) -> bool:
    """Whether it did the same in all runs but the last, before which its file had changed."""
    before = trial.today[:-1]
    return not trial.has_changed and len(before) >= RUNS_TODAY and _agreed(context, before) is not None


def _run_file(context: RunContext, trials: Sequence[Trial], conditions: Conditions) -> list[Run]:
    tests = [trial.test for trial in trials]
    return [_run(context, test.candidate, test.test_case, conditions) for test in in_turn(context, tests)]


def _run(context: RunContext, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN) -> Run:
    run = run_of(context, candidate, test_case, conditions)
    if any(observation.failure is not None for observation in run.evaluation.observations):
        context.is_lost = True  # the suite's own helper starts a SUT again that broke off, too
    return run


def _agreed(context: RunContext, runs: Sequence[Run]) -> VerifiedTest | None:
    test = agreed(context, runs, [run.evaluation for run in runs])
    if test is not None and runs[0].candidate.fault_key is not None:
        context.fault_notes.pop(runs[0].candidate.fault_key, None)
    return test
