"""Verification if a SUT starts too slowly for a start per test: the tests of a file share one start, in their order.

Files are verified as they will run: from a fresh start, with all tests in the same order. If a test is left out or
moved to another file, the outcome of the tests after it may change. So files are run again until no test has to be left
out or moved. Some tests turn out to hold a secret only then, since what is secret is learnt from answers; they count as
left out, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.state_setters import with_state_setters
from wimble.engine.candidates.worth import by_worth_on_one_start
from wimble.engine.events import Event
from wimble.engine.session.notices import tests_were
from wimble.engine.session.phase_time import (
    VERIFIED_BY,
    VERIFIED_IN_ONE_FILE_BY,
    OutOfTime,
    PhaseLimit,
    limit_of_last_rounds,
    limit_of_second_runs,
)
from wimble.engine.stability.expected_requests import expecting, expects_all
from wimble.engine.stability.late_ends import may_end_later
from wimble.engine.stability.polluters import PolluterSearch, in_turn
from wimble.engine.stability.repeated_runs import (
    CLOCKS_DISAGREE,
    Run,
    agreed,
    are_too_many,
    kept_for_fault,
    run_of,
    without_repeats,
)
from wimble.engine.stability.shown_runs import shapes_of, shown_run
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.files_of_tests import TestFile, Trial
from wimble.engine.verify.fitting_tests import RUNS_AFTER_FIRST, fitting, n_fitting
from wimble.engine.verify.lasting_traces import leave_traces
from wimble.engine.verify.secrets_in_tests import is_secret, told_secrets, without_secrets
from wimble.model.run_conditions import AS_TESTS_RUN, WITH_HIGH_RANDOM_VALUES, WITH_LOW_RANDOM_VALUES, Conditions
from wimble.model.suite import TestFileKind, TestKind, VerifiedTest
from wimble.model.testcase import TestCase

MAX_ROUNDS = 12
"""Number of rounds in which tests are dropped and moved, and the rest is run again: mostly once. If the last round
drops a test, those after it go as well: they have not run without it, and what a SUT counts may be another number then.
"""
RUNS_TODAY = 2
"""Number of runs of each test in its file, in addition to one on another day. Random values are high in these runs and
low on the other day. Tests with a start of their own get one run less: here, chance in one test affects others. A
test whose file has changed since runs once more.
"""
SHARE_OF_STARTS = 0.4
"""Share of the time for the first runs that is kept for tests after which the SUT has to be started again, as after a
call without an answer, if there is no time for all: they come last, and each shows a fault."""
KINDS: tuple[TestKind, ...] = ("fault", "success", "other")
"""Each kind becomes a file, unless starts are so slow that all tests are in one."""


def verify_in_shared_starts(
    verification: Verification, candidates: Sequence[Candidate], limit: PhaseLimit, verified: list[VerifiedTest]
) -> Iterator[Event]:
    """Verifies the candidates, and appends tests to `verified`, file by file.

    The SUT must have been started just now.
    """
    coordinator = verification.coordinator
    order = _in_order(verification, candidates, limit)
    candidates = order.candidates
    shown: dict[int, Run | None] = {}
    search = PolluterSearch(
        verification.worker,
        candidates,
        lambda candidate: _run(verification, candidate, candidate.test_case),
        may_look=lambda: not limit.is_reached,
    )
    yield from _first_pass(verification, order, limit, search, shown)
    if len(shown) < len(candidates):
        verification.warn(f"{tests_were(len(candidates) - len(shown))} not verified and so not written: {limit.reason}")

    def ends_later(run: Run) -> bool:
        return may_end_later(coordinator.faults, run.evaluation)

    chosen = [
        replace(run, candidate=replace(run.candidate, is_polluter=number in search.polluters or ends_later(run)))
        for number, run in shown.items()
        if run is not None
    ]
    chosen = without_secrets(verification, without_repeats(chosen))
    coordinator.stop.rearm()
    again = _limit_of_further_runs(verification)
    has_rehearsed = verification.starts.has_one_file and (
        is_rehearsal(list(shown.values()), chosen) or not _has_time_to_rehearse(verification, chosen, again)
    )
    files = (_as_rehearsed if has_rehearsed else _rehearsed_files)(verification, chosen, again)
    n_untimely = len(chosen) - sum(len(file.trials) + file.n_secret for file in files.values())
    if n_untimely:
        verification.warn(f"{tests_were(n_untimely)} not run a second time and so not written: {limit.reason}")
    leave_traces(verification, chosen, limit)
    try:
        yield from settle(verification, files, again)
    finally:  # keeps what is verified if the SUT does not start again
        for file in files.values():
            file.leave_out_secrets(verification)
        verified += [test for file in files.values() for test in file.sure]
    _tell_what_was_left_out(verification, list(files.values()), len(chosen) - n_untimely, limit)


def _first_pass(
    verification: Verification, order: _Order, limit: PhaseLimit, search: PolluterSearch, shown: dict[int, Run | None]
) -> Iterator[Event]:
    """Runs the candidates, each on the SUT as those before it left it, and adds their runs to `shown`, by number.

    One that takes long comes after all others: its calls may make the program wait, each as long as dozens of others.
    """
    worker, candidates = verification.worker, order.candidates
    long = list[int]()
    number = 0

    def shown_by(candidate: Candidate, patience_s: float | None) -> Run | None:
        with worker.within(limit, patience_s=patience_s):
            run = shown_run(verification, candidate, partial(_run, verification, candidate))
        return None if run is None else expecting(run)

    while number < len(candidates) and not limit.is_reached:
        if number < order.n_without_starts and limit.is_spent(order.share_without_starts):
            number = order.n_without_starts
        candidate = candidates[number]
        n_calls = len(candidate.test_case.calls)
        patience_s = None if candidate.ends_its_start else verification.coordinator.budget.patience_s(n_calls)
        try:
            shown[number] = shown_by(candidate, patience_s)
        except OutOfTime:
            long.append(number)
            number += 1
            continue
        number = search.next_after(number, shown[number])
        yield from verification.coordinator.notices.take_events()
        yield verification.coordinator.progress("verify", number / (2 * len(candidates)))
    with suppress(OutOfTime):
        for number in long:
            if limit.is_reached:
                break
            shown[number] = shown_by(candidates[number], None)


def _limit_of_further_runs(verification: Verification) -> PhaseLimit:
    coordinator = verification.coordinator
    until = VERIFIED_IN_ONE_FILE_BY if verification.starts.has_one_file else VERIFIED_BY
    return limit_of_second_runs(coordinator.budget, coordinator.stop, until=until)


def _tell_what_was_left_out(
    verification: Verification, files: Sequence[TestFile], n_chosen: int, limit: PhaseLimit
) -> None:
    n_unrepeated = 0
    if not verification.coordinator.stop.is_requested:
        n_unrepeated = sum(file.n_cut + (0 if file.was_run else len(file.trials)) for file in files)
    if n_unrepeated:
        verification.warn(f"{tests_were(n_unrepeated)} not run a second time and so not written: {limit.reason}")
    n_secret = sum(file.n_secret for file in files)
    if n_secret:
        verification.warn(told_secrets(n_secret))
    n_sure = sum(len(file.sure) for file in files)
    n_unsure = sum(len(file.verified) for file in files) - n_sure
    if n_unsure:
        verification.warn(
            f"{n_unsure} tests that ran after one that was left out were not run without it and so not written"
        )
    n_left_out = n_chosen - n_sure - n_unsure - n_secret - n_unrepeated
    if n_left_out > 0:
        verification.warn(f"{n_left_out} of {n_chosen} tests answered differently when repeated and were left out")


class _Order(NamedTuple):
    """The candidates as they are run first. Those without starts come first and end by that share of the time, unless
    there is time for all.
    """

    candidates: Sequence[Candidate]
    n_without_starts: int = 0
    share_without_starts: float = 1.0


def _in_order(verification: Verification, candidates: Sequence[Candidate], limit: PhaseLimit) -> _Order:
    """Returns the candidates in their order, or by worth if there is no time for all of them.

    In their order, which is that of the search, many find what those before them have made.
    """
    budget = verification.coordinator.budget
    n_calls = sum(len(one.test_case.calls) for one in candidates)
    n_starts = sum(one.ends_its_start for one in candidates)
    starting_s = n_starts * verification.worker.start_s
    if limit.allows(budget.cold_calls_s(n_calls) + starting_s, 1.0):
        return _Order(candidates)
    by_worth = [candidates[number] for number in by_worth_on_one_start(candidates)]
    if not n_starts:
        return _Order(by_worth)
    kept = min(SHARE_OF_STARTS, limit.share_of(starting_s))
    return _Order(by_worth, len(candidates) - n_starts, 1.0 - kept)


def is_rehearsal(shown: Sequence[Run | None], chosen: Sequence[Run]) -> bool:
    """Whether the first runs of all tests, one after the other on a fresh start, were those of the file that is made of
    them: none was left out, or ran in several shapes, or needs a start of its own.

    shown: the first runs; None if a test did not show its fault. chosen: those that become tests.
    """
    return len(chosen) == len(shown) and all(
        run is not None
        and not run.candidate.is_polluter
        and run.test_case == run.candidate.test_case
        and (run.candidate.is_shown_by(run.evaluation) or len(shapes_of(run.candidate)) == 1)
        for run in (*shown, *chosen)
    )


def _has_time_to_rehearse(verification: Verification, chosen: Sequence[Run], limit: PhaseLimit) -> bool:
    start_s = verification.worker.start_s
    return n_fitting(chosen, n_runs=1 + RUNS_AFTER_FIRST, start_s=start_s, left_s=limit.left_s) == len(chosen)


def _as_rehearsed(verification: Verification, chosen: Sequence[Run], limit: PhaseLimit) -> dict[TestFileKind, TestFile]:
    """Returns as many of the tests as can run again often enough, with the runs that they have had.

    If others ran between them, these runs had more before them than the file has. A test that does something else
    without that is left out, since its runs differ.
    """
    start_s = verification.worker.start_s
    kept = fitting(chosen, n_runs=RUNS_AFTER_FIRST, start_s=start_s, left_s=limit.left_s)
    return {"all": TestFile([Trial(run, today=[run]) for run in kept])}


def _rehearsed_files(
    verification: Verification, chosen: Sequence[Run], limit: PhaseLimit
) -> dict[TestFileKind, TestFile]:
    n_files = 1 if verification.starts.has_one_file else len({run.kind for run in chosen})
    start_s = verification.worker.start_s
    n_runs = 1 + RUNS_AFTER_FIRST
    left_s = limit.left_s - n_runs * (n_files - 1) * start_s
    chosen = sorted(fitting(chosen, n_runs=n_runs, start_s=start_s, left_s=left_s), key=lambda run: run.order)
    if verification.starts.has_one_file:
        return {"all": _rehearsed(verification, chosen)}
    return by_kind_of_rehearsal(
        {kind: _rehearsed(verification, [run for run in chosen if run.kind == kind]) for kind in KINDS}
    )


def _rehearsed(verification: Verification, tests: Sequence[Run]) -> TestFile:
    """Runs the tests of a file as a file for the first time (the rehearsal).

    The data that tests of other files leave is missing then. A test that was minimised too far gets back the test case
    that it came from, or gets its state-setters.
    """
    if not tests or verification.coordinator.stop.is_requested:
        return TestFile([Trial(test) for test in tests])
    rehearsed = list[Run]()
    with suppress(OutOfTime):
        for test in in_turn(verification.worker, tests):
            rehearsed.append(_with_what_it_needs(verification, test))
    runs = [run for run in rehearsed if not is_secret(verification, run)]
    n_secret = len(rehearsed) - len(runs)
    if not n_secret and all(_is_as_chosen(run) and expects_all(run) for run in runs):
        return TestFile([Trial(run, today=[run]) for run in runs])
    return TestFile(
        [Trial(expecting(run)) for run in runs], n_secret=n_secret
    )  # other test cases ran on this start, too, so the runs do not count


def _is_as_chosen(run: Run) -> bool:
    return run.test_case == run.candidate.test_case and run.candidate.is_shown_by(run.evaluation)


def _with_what_it_needs(verification: Verification, test: Run) -> Run:
    candidate = test.candidate
    run = shown_run(verification, candidate, partial(_run, verification, candidate)) or test
    if candidate.is_shown_by(run.evaluation):
        return run
    for longer in with_state_setters(verification.coordinator.resources, candidate):
        longer_run = _run(verification, candidate, longer.test_case)
        if candidate.shown_of(longer_run.evaluation) > candidate.shown_of(run.evaluation):
            return longer_run
    return run


def by_kind_of_rehearsal(files: dict[TestKind, TestFile]) -> dict[TestFileKind, TestFile]:
    """Moves tests that turned out to be of another kind to the end of that kind's file.

    Their kind can change because the data that tests of other files leave is missing in the rehearsal. Files that lose
    or get tests have not run in their new form, so their runs are discarded.
    """
    of_other_kinds = {kind: [trial for trial in file.trials if trial.test.kind != kind] for kind, file in files.items()}
    moved: dict[TestKind, list[Trial]] = {kind: [] for kind in files}
    for trial in (trial for trials in of_other_kinds.values() for trial in trials):
        moved[trial.test.kind].append(Trial(trial.test, has_moved=True))
    return {
        kind: file
        if not of_other_kinds[kind] and not moved[kind]
        else TestFile(
            [Trial(trial.test) for trial in file.trials if trial.test.kind == kind] + moved[kind],
            n_secret=file.n_secret,
        )
        for kind, file in files.items()
    }


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
    for _ in range(max(1, RUNS_TODAY - min(len(trial.today) for trial in file.trials))):
        file.note_runs(_run_file(verification, file.trials, WITH_HIGH_RANDOM_VALUES))


def _run_on_another_day(verification: Verification, file: TestFile) -> None:
    if all(trial.other_days for trial in file.trials):
        return
    verification.worker.sut.move_clock(True)
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
            runs.append(_run(verification, test.candidate, test.test_case, conditions))
    return runs


def _run(
    verification: Verification, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    run = run_of(verification, candidate, test_case, conditions)
    if any(not observation.is_answered for observation in run.evaluation.observations):
        verification.worker.freshness.note_loss()  # as the suite's helper, which then starts the SUT again
    return run


def _agreed(verification: Verification, runs: Sequence[Run]) -> VerifiedTest | None:
    test = agreed(verification, runs, [run.evaluation for run in runs])
    if test is not None:
        verification.withdraw_note(runs[0].candidate.fault_key)
    return test
