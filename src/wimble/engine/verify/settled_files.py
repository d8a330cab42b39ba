"""Runs files of tests until their tests do the same in each run.

If a test is left out or moved to another file, the outcome of the tests after it may change. So files are run again
until no test has to be left out or moved.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from wimble.engine.events import Event
from wimble.engine.session.phase_time import (
    OutOfTime,
    PhaseLimit,
    limit_of_last_rounds,
)
from wimble.engine.stability.polluters import in_turn
from wimble.engine.stability.repeated_runs import (
    CLOCKS_DISAGREE,
    Run,
    agreed,
    are_too_many,
    kept_for_fault,
    run_in_file,
)
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.files_of_tests import TestFile, Trial
from wimble.model.run_conditions import WITH_HIGH_RANDOM_VALUES, WITH_LOW_RANDOM_VALUES, Conditions
from wimble.model.suite import TestFileKind, VerifiedTest

MAX_ROUNDS = 12
"""Number of rounds in which tests are dropped and moved, and the rest is run again: mostly once. If the last round
drops a test, those after it go as well: they have not run without it, and what a SUT counts may be another number then.
"""
RUNS_TODAY = 2
"""Number of runs of each test in its file, in addition to one on another day. Random values are high in these runs and
low on the other day. Tests with a start of their own get one run less: here, chance in one test affects others. A
test whose file has changed since runs once more.
"""

TODAY_FIRST: Final = (False, True)
OTHER_DAY_NEXT: Final = (True,)
"""On which of the next starts the SUT is on another day. A further start would make the one slower that is waited for.
"""


def settle(verification: Verification, files: dict[TestFileKind, TestFile], limit: PhaseLimit) -> Iterator[Event]:
    """Runs files until their tests do the same in each run, and are of their file's kind, or until the time is over.

    A file that has lost tests in its last round may run somewhat longer, since the others have not run without these.
    """
    coordinator = verification.coordinator
    n_tests = sum(len(file.trials) for file in files.values())
    last_rounds = limit_of_last_rounds(coordinator.budget, coordinator.stop)
    for _ in range(MAX_ROUNDS):
        for kind, file in files.items():
            file.leave_out_secrets(verification)
            if limit.is_reached:
                if not _has_time_to_finish(verification, file, last_rounds):
                    continue
                file.leave_out_new()
            if file.is_settled or not file.trials:
                continue
            began_s, n_before = time.monotonic(), _n_runs(file)
            _run_as_often_as_needed(verification, file, limit)
            file.note_duration((time.monotonic() - began_s) / max(1, _n_runs(file) - n_before))
            _sort_out(verification, kind, files)
            yield from coordinator.notices.take_events()
            yield coordinator.progress("verify", 0.5 + sum(len(one.verified) for one in files.values()) / (2 * n_tests))


def _has_time_to_finish(verification: Verification, file: TestFile, limit: PhaseLimit) -> bool:
    """Whether there is time, after the end of the phase, for the one run that the tests of a file lack: without those
    that it has lost since the last one, or on another day.
    """
    if limit.is_reached or not (file.was_run or file.has_run_today):
        return False
    return limit.has_left(file.run_s if file.was_run else verification.worker.next_start_s + file.first_run_s)


def _n_runs(file: TestFile) -> int:
    return max((len(trial.today) + len(trial.other_days) for trial in file.trials), default=0)


def _run_as_often_as_needed(verification: Verification, file: TestFile, limit: PhaseLimit) -> None:
    """Runs the tests on another day as soon as they have run once today: two runs on two days are enough to write them
    if the time is over then, and two of today are not.
    """
    if not file.has_run_today:
        _run_today(verification, file, OTHER_DAY_NEXT)
    if not all(trial.other_days for trial in file.trials):
        _run_on_another_day(verification, file)
        are_alike = _are_alike(verification, file)
        if limit.is_reached and all(are_alike):
            return
        if not file.was_run:
            _leave_out_differing(file, are_alike)
    if file.trials:
        _run_today(verification, file, TODAY_FIRST)


def _are_alike(verification: Verification, file: TestFile) -> list[bool]:
    """Returns of each test whether its runs agree."""
    return [_agreed(verification, [*trial.today, *trial.other_days]) is not None for trial in file.trials]


def _leave_out_differing(file: TestFile, are_alike: Sequence[bool]) -> None:
    """Leaves out tests whose runs differ, so that those behind them run without them once, and the file need not run
    again for that.

    Tests of faults stay: they are written also if only another day makes them differ, and so are all tests if that is
    because of the clock (`_results`). A further run of today tells.
    """
    if are_too_many(are_alike.count(False), len(are_alike)):
        return
    file.leave_out(
        [
            not is_alike and trial.test.candidate.fault_key is None
            for trial, is_alike in zip(file.trials, are_alike, strict=True)
        ]
    )


def _run_today(verification: Verification, file: TestFile, next_days: Sequence[bool]) -> None:
    """next_days: of the starts after this run, whether they are on another day."""
    verification.worker.sut.expect_days(next_days)
    file.note_runs(_run_file(verification, file.trials, WITH_HIGH_RANDOM_VALUES))


def _run_on_another_day(verification: Verification, file: TestFile) -> None:
    verification.worker.sut.move_clock(True)
    verification.worker.sut.expect_days(TODAY_FIRST)
    try:
        file.note_runs(_run_file(verification, file.trials, WITH_LOW_RANDOM_VALUES), is_other_day=True)
    finally:
        verification.worker.sut.move_clock(False)


def _sort_out(verification: Verification, kind: TestFileKind, files: dict[TestFileKind, TestFile]) -> None:
    """Drops tests that differ from run to run, and moves tests of another kind.

    These go to the end of that kind's file; a test is moved only once.
    """
    file = files[kind]
    results = _results(verification, file.trials)
    stay = list[Trial]()
    for trial, result in zip(file.trials, results, strict=True):
        if result is None:
            if trial.has_changed_between and not trial.has_changed:
                stay.append(Trial(trial.test, has_moved=trial.has_moved, has_changed=True))
            elif _differs_in_last_run(verification, trial):
                stay.append(Trial(trial.test, today=trial.today[-1:], has_moved=trial.has_moved, has_changed=True))
        elif result.file_kind == kind:
            trial.verify(result)
            stay.append(trial)
        elif not trial.has_moved:
            files[result.file_kind].take_over(trial.test)
    file.note_round(stay)


def _results(verification: Verification, trials: Sequence[Trial]) -> list[VerifiedTest | None]:
    today = [_agreed(verification, trial.today) if len(trial.today) >= RUNS_TODAY else None for trial in trials]
    results = [_agreed(verification, [*trial.today, *trial.other_days]) for trial in trials]
    for number, trial in enumerate(trials):
        by_chance = any(run.evaluation.n_random_values > 0 for run in trial.other_days)
        if results[number] is None and (by_chance or trial.has_changed_between):
            today[number] = None  # it is not known that the day is the reason
    dated = {
        number: same
        for number, (result, same) in enumerate(zip(results, today, strict=True))
        if result is None and same is not None
    }
    if are_too_many(len(dated), len(trials)):
        verification.warn(CLOCKS_DISAGREE)
        return today
    for number, kept in zip(dated, kept_for_fault(verification, list(dated.values())), strict=True):
        results[number] = kept
    return results


def _differs_in_last_run(verification: Verification, trial: Trial) -> bool:
    """Whether the test did the same in all runs but the last one, before which its file had changed."""
    before = trial.today[:-1]
    return not trial.has_changed and len(before) >= RUNS_TODAY and _agreed(verification, before) is not None


def _run_file(verification: Verification, trials: Sequence[Trial], conditions: Conditions) -> list[Run]:
    """Returns the runs of the tests, of the first ones only if the time is over then: they ran without the others."""
    tests = [trial.test for trial in trials]
    runs = list[Run]()
    with suppress(OutOfTime):
        for test in in_turn(verification.worker, tests):
            runs.append(run_in_file(verification, test.candidate, test.test_case, conditions))
    return runs


def _agreed(verification: Verification, runs: Sequence[Run]) -> VerifiedTest | None:
    test = agreed(verification, runs, [run.evaluation for run in runs])
    if test is not None:
        verification.withdraw_note(runs[0].candidate.fault_key)
    return test
