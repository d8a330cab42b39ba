"""Rehearsals: the tests of a file run as that file for the first time, from a fresh start, in their order.

The data that tests of other files have left is missing then, so a test may need more than was found before, or turn out
to be of another kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.state_setters import with_state_setters
from wimble.engine.session.phase_time import (
    OutOfTime,
    PhaseLimit,
)
from wimble.engine.stability.expected_requests import expecting, expects_all
from wimble.engine.stability.polluters import in_turn
from wimble.engine.stability.repeated_runs import (
    Run,
    run_in_file,
)
from wimble.engine.stability.shown_runs import shapes_of, shown_run
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.files_of_tests import TestFile, Trial
from wimble.engine.verify.fitting_tests import RUNS_AFTER_FIRST, fitting, n_fitting
from wimble.engine.verify.secrets_in_tests import is_secret
from wimble.model.suite import TestFileKind, TestKind
from wimble.model.testcase import TestCase

KINDS: tuple[TestKind, ...] = ("fault", "success", "other")
"""Each kind becomes a file, unless starts are so slow that all tests are in one."""
SHARE_OF_STATE_SETTERS: Final = 0.1
"""Share of the time for tests behind their state-setters: these are many calls, each of which may take long, and what
was not rehearsed is lost."""


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


def has_time_to_rehearse(verification: Verification, chosen: Sequence[Run], limit: PhaseLimit) -> bool:
    start_s = verification.worker.start_s
    return n_fitting(chosen, n_runs=1 + RUNS_AFTER_FIRST, start_s=start_s, left_s=limit.left_s) == len(chosen)


def as_rehearsed(verification: Verification, chosen: Sequence[Run], limit: PhaseLimit) -> dict[TestFileKind, TestFile]:
    """Returns as many of the tests as can run again often enough, with the runs that they have had.

    If others ran between them, these runs had more before them than the file has. A test that does something else
    without that is left out, since its runs differ.
    """
    start_s = verification.worker.next_start_s
    kept = fitting(chosen, n_runs=RUNS_AFTER_FIRST, start_s=start_s, left_s=limit.left_s)
    return {"all": TestFile([Trial(run, today=[run]) for run in kept])}


def rehearsed_files(
    verification: Verification, chosen: Sequence[Run], limit: PhaseLimit
) -> dict[TestFileKind, TestFile]:
    n_files = 1 if verification.starts.has_one_file else len({run.kind for run in chosen})
    start_s = verification.worker.next_start_s
    n_runs = 1 + RUNS_AFTER_FIRST
    left_s = limit.left_s - n_runs * (n_files - 1) * start_s
    chosen = sorted(fitting(chosen, n_runs=n_runs, start_s=start_s, left_s=left_s), key=lambda run: run.order)
    longer = _LongerRuns(verification, limit)
    if verification.starts.has_one_file:
        return {"all": _rehearsed(verification, chosen, longer)}
    return by_kind_of_rehearsal(
        {kind: _rehearsed(verification, [run for run in chosen if run.kind == kind], longer) for kind in KINDS}
    )


def _rehearsed(verification: Verification, tests: Sequence[Run], longer: _LongerRuns) -> TestFile:
    """Runs the tests of a file as a file for the first time (the rehearsal).

    The data that tests of other files leave is missing then. A test that was minimised too far gets back the test case
    that it came from, or gets its state-setters.
    """
    if not tests or verification.coordinator.stop.is_requested:
        return TestFile([Trial(test) for test in tests])
    rehearsed = list[Run]()
    with suppress(OutOfTime):
        for test in in_turn(verification.worker, tests):
            rehearsed.append(_with_what_it_needs(verification, test, longer))
    runs = [run for run in rehearsed if not is_secret(verification, run)]
    n_secret = len(rehearsed) - len(runs)
    if not n_secret and all(_is_as_chosen(run) and expects_all(run) for run in runs):
        return TestFile([Trial(run, today=[run]) for run in runs])
    return TestFile(
        [Trial(expecting(run)) for run in runs], n_secret=n_secret
    )  # other test cases ran on this start, too, so the runs do not count


def _is_as_chosen(run: Run) -> bool:
    return run.test_case == run.candidate.test_case and run.candidate.is_shown_by(run.evaluation)


def _with_what_it_needs(verification: Verification, test: Run, longer: _LongerRuns) -> Run:
    candidate = test.candidate
    run = shown_run(verification, candidate, partial(run_in_file, verification, candidate)) or test
    if candidate.is_shown_by(run.evaluation):
        return run
    for behind in with_state_setters(verification.coordinator.resources, candidate):
        longer_run = longer.run(candidate, behind.test_case)
        if longer_run is None:
            break
        if candidate.shown_of(longer_run.evaluation) > candidate.shown_of(run.evaluation):
            return longer_run
    return run


class _LongerRuns:
    """Runs of tests behind their state-setters, which share some of the time."""

    def __init__(self, verification: Verification, limit: PhaseLimit) -> None:
        self._verification = verification
        self._limit = limit
        self._left_s = SHARE_OF_STATE_SETTERS * limit.left_s

    def run(self, candidate: Candidate, test_case: TestCase) -> Run | None:
        """Returns a run of the test case, or None if there is no time for it."""
        worker, before_s = self._verification.worker, self._limit.left_s
        if self._limit.is_reached or self._left_s <= 0.0:
            return None
        try:
            with worker.within(self._limit, patience_s=self._left_s):
                return run_in_file(self._verification, candidate, test_case)
        except OutOfTime:
            worker.freshness.note_loss()  # its calls may still be at work
            return None
        finally:
            if before_s < math.inf:
                self._left_s -= before_s - self._limit.left_s


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
