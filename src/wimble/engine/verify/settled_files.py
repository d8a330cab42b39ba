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
        begins_today = True
        for kind, file in files.items():
            file.leave_out_secrets(verification)
            if limit.is_reached:
                if not file.was_run or last_rounds.is_reached or not last_rounds.has_left(file.run_s):
                    continue
                file.leave_out_new()
            if file.is_settled or not file.trials:
                continue
            began_s, n_before = time.monotonic(), _n_runs(file)
            _run_as_often_as_needed(verification, file, begins_today=begins_today)
            file.note_duration((time.monotonic() - began_s) / max(1, _n_runs(file) - n_before))
            begins_today = not begins_today
            _sort_out(verification, kind, files)
            yield from coordinator.notices.take_events()
            yield coordinator.progress("verify", 0.5 + sum(len(one.verified) for one in files.values()) / (2 * n_tests))


def _n_runs(file: TestFile) -> int:
    return max((len(trial.today) + len(trial.other_days) for trial in file.trials), default=0)


def _run_as_often_as_needed(verification: Verification, file: TestFile, *, begins_today: bool) -> None:
    """begins_today: whether its runs on another day come last. Processes that start ahead of their use do so on the
    present day of the SUT, so each change of it costs starts.
    """
    if not begins_today:
        _run_on_another_day(verification, file)
        _run_today(verification, file)
        return
    _run_today(verification, file)
    if not file.was_run:
        _leave_out_differing(verification, file)
    if file.trials:
        _run_on_another_day(verification, file)


def _leave_out_differing(verification: Verification, file: TestFile) -> None:
    """Leaves out tests whose runs of today differ, so that those behind them run without them on the other day, and
    the file need not run once more for that.
    """
    file.leave_out_differing([_agreed(verification, trial.today) is not None for trial in file.trials])


def _run_today(verification: Verification, file: TestFile) -> None:
    n_runs = max(1, RUNS_TODAY - min(len(trial.today) for trial in file.trials))
    for n_left in reversed(range(n_runs)):
        is_last = n_left == 0 and not all(trial.other_days for trial in file.trials)
        verification.worker.sut.expect_days(OTHER_DAY_NEXT if is_last else TODAY_FIRST)
        file.note_runs(_run_file(verification, file.trials, WITH_HIGH_RANDOM_VALUES))


def _run_on_another_day(verification: Verification, file: TestFile) -> None:
    if all(trial.other_days for trial in file.trials):
        return
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
            if trial.has_changed_today and not trial.has_changed:
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
    today = [_agreed(verification, trial.today) for trial in trials]
    results = [_agreed(verification, [*trial.today, *trial.other_days]) for trial in trials]
    for number, trial in enumerate(trials):
        by_chance = any(run.evaluation.n_random_values > 0 for run in trial.other_days)
        if results[number] is None and (by_chance or trial.has_changed_today):
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
