"""Verification if a SUT starts too slowly for a start per test: the tests of a file share one start, in their order.

Files are verified as they will run: from a fresh start, with all tests in the same order. If a test is left out or
moved to another file, the outcome of the tests after it may change. So files are run again until no test has to be left
out or moved. Some tests turn out to hold a secret only then, since what is secret is learnt from answers; they count as
left out, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.state_setters import with_state_setters
from wimble.engine.candidates.worth import by_worth_on_one_start
from wimble.engine.events import Event
from wimble.engine.session.phase_time import PhaseLimit, limit_of_last_rounds, limit_of_second_runs
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
    shown_run,
    without_repeats,
)
from wimble.engine.stability.verification import Verification
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
COLD_CALL = 3.0
"""How many times as long a call takes as in the search, whose process has run most code many times."""
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
    number = 0
    while number < len(candidates) and not limit.is_reached:
        if number < order.n_without_starts and limit.is_spent(order.share_without_starts):
            number = order.n_without_starts
        candidate = candidates[number]
        # Runs on the SUT as the candidates before it left it.
        run = shown_run(verification, candidate, partial(_run, verification, candidate))
        shown[number] = None if run is None else expecting(run)
        number = search.next_after(number, shown[number])
        yield from coordinator.notices.take_events()
        yield coordinator.progress("verify", number / (2 * len(candidates)))

    if len(shown) < len(candidates):
        verification.warn(f"{len(candidates) - len(shown)} tests were not verified and so not written: {limit.reason}")

    def ends_later(run: Run) -> bool:
        return may_end_later(coordinator.faults, run.evaluation)

    chosen = [
        replace(run, candidate=replace(run.candidate, is_polluter=number in search.polluters or ends_later(run)))
        for number, run in shown.items()
        if run is not None
    ]
    chosen = without_secrets(verification, without_repeats(sorted(chosen, key=lambda run: run.order)))
    coordinator.stop.rearm()
    files = _rehearsed_files(verification, chosen)
    leave_traces(verification, chosen, limit)
    again = limit_of_second_runs(coordinator.budget, coordinator.stop)
    try:
        yield from settle(verification, files, again)
    finally:  # keeps what is verified if the SUT does not start again
        for file in files.values():
            file.leave_out_secrets(verification)
        verified += [test for file in files.values() for test in file.sure]
    _tell_what_was_left_out(verification, list(files.values()), len(chosen), limit)


def _tell_what_was_left_out(
    verification: Verification, files: Sequence[TestFile], n_chosen: int, limit: PhaseLimit
) -> None:
    n_unrepeated = 0
    if not verification.coordinator.stop.is_requested:
        n_unrepeated = sum(len(file.trials) for file in files if not file.was_run)
    if n_unrepeated:
        verification.warn(f"{n_unrepeated} tests were not run a second time and so not written: {limit.reason}")
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
    if limit.allows(COLD_CALL * n_calls * budget.elapsed_s / max(1, budget.calls) + starting_s, 1.0):
        return _Order(candidates)
    by_worth = [candidates[number] for number in by_worth_on_one_start(candidates)]
    if not n_starts:
        return _Order(by_worth)
    kept = min(SHARE_OF_STARTS, limit.share_of(starting_s))
    return _Order(by_worth, len(candidates) - n_starts, 1.0 - kept)


class Trial(msgspec.Struct):
    """A test in its file, with its runs."""

    test: Run
    today: list[Run] = []
    other_days: list[Run] = []
    has_moved: bool = False
    """Whether it came from the file of another kind; a test moves only once."""
    has_changed: bool = False
    """Whether its outcome differed once, after a test before it was dropped."""
    verified: VerifiedTest | None = None
    """The test on which its runs agree, once it has run as often as needed."""

    def note(self, run: Run, *, is_other_day: bool = False) -> None:
        """Adds a run, on the present day or on another one."""
        (self.other_days if is_other_day else self.today).append(run)


class TestFile(msgspec.Struct):
    """The tests of one kind, in their order."""

    __test__ = False

    trials: list[Trial]
    is_settled: bool = False
    was_run: bool = False
    """Whether its tests have run as often as needed at least once."""
    run_s: float = 0.0
    """Duration of a run of all its tests, in its last round."""
    n_secret: int = 0
    """Number of tests that were left out since they hold a secret, after they had run with the others."""
    n_sure: int | None = None
    """Number of its first verified tests before which no test ran in the last round that was left out then, or since
    then for its secret; None for all."""

    @property
    def verified(self) -> list[VerifiedTest]:
        return [trial.verified for trial in self.trials if trial.verified is not None]

    @property
    def sure(self) -> list[VerifiedTest]:
        """The verified tests that have run as they are written: without those that were left out."""
        return self.verified[: self.n_sure]

    def take_over(self, test: Run) -> None:
        """Adds a test of another file at the end, so that the file has to run again."""
        self.trials.append(Trial(test, has_moved=True))
        self.is_settled = False

    def leave_out_new(self) -> None:
        """Removes tests that were moved here and have not run here; they are the last ones."""
        self.trials = [trial for trial in self.trials if trial.today]
        self.is_settled = len(self.sure) == len(self.trials)

    def leave_out_secrets(self, verification: Verification) -> None:
        """Removes verified tests that turned out to hold a secret; if tests follow, the file has to run again."""
        open_ones, n_sure = list[Trial](), None
        for trial in self.trials:
            if trial.verified is None or not is_secret(verification, trial.test, trial.verified):
                open_ones.append(trial)
            elif n_sure is None:
                n_sure = sum(one.verified is not None for one in open_ones)
        if n_sure is not None:
            self.n_secret += len(self.trials) - len(open_ones)
            self.trials = open_ones
            self.n_sure = n_sure if self.n_sure is None else min(n_sure, self.n_sure)
            self.is_settled = self.is_settled and n_sure == len(open_ones)

    def note_round(self, stay: list[Trial]) -> None:
        """Keeps the trials that stay; the file is settled if these are all, and verified.

        Those behind one that does not stay, or has to run anew, are not sure until they have run without it.
        """
        self.was_run = True
        kept = {id(trial) for trial in stay if trial.verified is not None}
        self.n_sure = next((number for number, trial in enumerate(self.trials) if id(trial) not in kept), None)
        self.is_settled = self.n_sure is None
        self.trials = stay


def _rehearsed_files(verification: Verification, chosen: Sequence[Run]) -> dict[TestFileKind, TestFile]:
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
    rehearsed = [_with_what_it_needs(verification, test) for test in in_turn(verification.worker, tests)]
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
            file.run_s = (time.monotonic() - began_s) / max(1, _n_runs(file) - n_before)
            begins_today = not begins_today
            _sort_out(verification, kind, files)
            yield from coordinator.notices.take_events()
            yield coordinator.progress("verify", 0.5 + sum(len(one.verified) for one in files.values()) / (2 * n_tests))


def _n_runs(file: TestFile) -> int:
    return max(len(trial.today) + len(trial.other_days) for trial in file.trials)


def _run_as_often_as_needed(verification: Verification, file: TestFile, *, begins_today: bool) -> None:
    """begins_today: whether its runs on another day come last. Processes that start ahead of their use do so on the
    present day of the SUT, so each change of it costs starts.
    """
    parts = [_run_today, _run_on_another_day]
    for run in parts if begins_today else reversed(parts):
        run(verification, file)


def _run_today(verification: Verification, file: TestFile) -> None:
    for _ in range(max(1, RUNS_TODAY - min(len(trial.today) for trial in file.trials))):
        for trial, run in zip(file.trials, _run_file(verification, file.trials, WITH_HIGH_RANDOM_VALUES), strict=True):
            trial.note(run)


def _run_on_another_day(verification: Verification, file: TestFile) -> None:
    if all(trial.other_days for trial in file.trials):
        return
    verification.worker.sut.move_clock(True)
    try:
        for trial, run in zip(file.trials, _run_file(verification, file.trials, WITH_LOW_RANDOM_VALUES), strict=True):
            trial.note(run, is_other_day=True)
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
            if _differs_in_last_run(verification, trial):
                stay.append(Trial(trial.test, today=trial.today[-1:], has_moved=trial.has_moved, has_changed=True))
        elif result.file_kind == kind:
            trial.verified = result
            stay.append(trial)
        elif not trial.has_moved:
            files[result.file_kind].take_over(trial.test)
    file.note_round(stay)


def _results(verification: Verification, trials: Sequence[Trial]) -> list[VerifiedTest | None]:
    today = [_agreed(verification, trial.today) for trial in trials]
    results = [_agreed(verification, [*trial.today, *trial.other_days]) for trial in trials]
    for number, trial in enumerate(trials):
        if results[number] is None and any(run.evaluation.n_random_values > 0 for run in trial.other_days):
            today[number] = None  # it may have been the same by chance
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
    tests = [trial.test for trial in trials]
    return [
        _run(verification, test.candidate, test.test_case, conditions) for test in in_turn(verification.worker, tests)
    ]


def _run(
    verification: Verification, candidate: Candidate, test_case: TestCase, conditions: Conditions = AS_TESTS_RUN
) -> Run:
    run = run_of(verification, candidate, test_case, conditions)
    if any(not observation.is_answered for observation in run.evaluation.observations):
        verification.worker.freshness.note_loss()  # as the suite's helper, which then starts the SUT again
    return run


def _agreed(verification: Verification, runs: Sequence[Run]) -> VerifiedTest | None:
    test = agreed(verification, runs, [run.evaluation for run in runs]) if all(map(expects_all, runs)) else None
    if test is not None:
        verification.withdraw_note(runs[0].candidate.fault_key)
    return test
