"""The files of a suite whose tests share a start, while they are verified: the tests of each, with their runs."""

from __future__ import annotations

import msgspec

from wimble.engine.stability.repeated_runs import Run
from wimble.engine.stability.verification import Verification
from wimble.engine.verify.secrets_in_tests import is_secret
from wimble.model.suite import VerifiedTest


class Trial(msgspec.Struct):
    """A test in its file, with its runs."""

    test: Run
    today: list[Run] = []
    other_days: list[Run] = []
    has_moved: bool = False
    """Whether it came from the file of another kind; a test moves only once."""
    has_changed: bool = False
    """Whether its outcome differed once, after a test before it was dropped."""
    has_changed_between: bool = False
    """Whether a test before it was dropped after its run on another day, and before its last run of today."""
    verified: VerifiedTest | None = None
    """The test on which its runs agree, once it has run as often as needed."""

    def verify(self, test: VerifiedTest) -> None:
        """Notes the test on which its runs agree."""
        self.verified = test

    def note_change(self) -> None:
        """Notes that a test before it was dropped after its run on another day."""
        self.has_changed_between = True

    @property
    def is_sure_without_more(self) -> bool:
        """Whether it can be written without a further run: it has run on two days, and behind the same tests."""
        return bool(self.today and self.other_days) and not self.has_changed_between

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
    n_cut: int = 0
    """Number of tests at its end that were left out since there was no time for one of their runs."""
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

    @property
    def has_run_today(self) -> bool:
        """Whether each of its tests has run in it on the present day."""
        return all(trial.today for trial in self.trials)

    @property
    def first_run_s(self) -> float:
        """Duration of the first run of each test, without the starts before them."""
        return sum(trial.today[0].took_s for trial in self.trials if trial.today)

    def note_runs(self, runs: list[Run], *, is_other_day: bool = False) -> None:
        """Adds a run of the file. Tests that it did not reach are left out, unless they have run as often as needed."""
        not_reached = [trial for trial in self.trials[len(runs) :] if trial.is_sure_without_more]
        self.n_cut += len(self.trials) - len(runs) - len(not_reached)
        for trial, run in zip(self.trials, runs, strict=False):
            trial.note(run, is_other_day=is_other_day)
        self.trials = [*self.trials[: len(runs)], *not_reached]

    def note_duration(self, run_s: float) -> None:
        """Notes how long a run of all its tests has taken."""
        self.run_s = run_s

    def leave_out(self, are_left_out: list[bool]) -> None:
        """Leaves out those of the tests. Those behind them have run behind them until now."""
        kept = list[Trial]()
        for number, (trial, is_left_out) in enumerate(zip(self.trials, are_left_out, strict=True)):
            if is_left_out:
                continue
            if len(kept) < number:
                trial.note_change()
            kept.append(trial)
        self.trials = kept

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
