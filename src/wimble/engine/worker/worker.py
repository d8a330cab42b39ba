"""Evaluates test cases on one SUT, starts it afresh, and records what ran on it since.

Several workers can serve one coordinator: they share nothing but the constructor's arguments.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from wimble.engine.evaluator.evaluator import Evaluator
from wimble.engine.events import SutRestarted
from wimble.engine.faults.history import History
from wimble.engine.monitors.monitors import Monitors
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import OutOfTime, PhaseLimit
from wimble.engine.worker.database_outages import Clock, DatabaseOutages
from wimble.engine.worker.deferred_work import DeferredWork
from wimble.engine.worker.freshness import Freshness
from wimble.engine.worker.spontaneous_ends import SpontaneousEnds
from wimble.engine.worker.start_ahead import StartAhead
from wimble.errors import TargetError
from wimble.execute.sut.sut import Sut
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.observation import Cause
from wimble.model.testcase import TestCase
from wimble.types import TargetId

SHARE_OF_LOADING: Final = 0.5
"""How much of a start the search loses that loads beside it: the two use one processor more than the search alone."""

LEAST_SHARE_AHEAD: Final = 0.5
"""Share of a start that one takes at least which is begun ahead of its use, if others follow soon: two load at once."""
N_AHEAD: Final = 4
"""The last starts of those that were begun ahead of their use that tell how long they take."""


class Worker:
    """One SUT, with its freshness, history and monitors."""

    def __init__(self, sut: Sut, coordinator: Coordinator, clock: Clock = time, *, first_start_s: float = 0.0) -> None:
        """sut: has been started, which has taken `first_start_s`."""
        self.sut = sut
        self.freshness = Freshness()
        self.history = History()
        self.monitors = Monitors()
        self.deferred = DeferredWork()
        """Work for evaluations of the search. `explore`, `restart` and the end of the search catch up with it."""
        sut.fill_waits(self.deferred.catch_up)
        self._is_black_box = coordinator.settings.is_black_box
        self._can_start = bool(coordinator.settings.command)
        self._wants_limits = coordinator.settings.uses("limits")
        self._working_dir = str(coordinator.settings.working_dir.absolute())
        self._evaluator = Evaluator(
            coordinator.table,
            coordinator.judge,
            sut.databases,
            is_covered=coordinator.strategy.archive.is_covered,
            is_black_box=self._is_black_box,
        )
        self._budget = coordinator.budget
        self._statistics = coordinator.statistics
        self._start_ahead = StartAhead(sut, clock)
        self._records = coordinator.records
        self._notices = coordinator.notices
        self._outages = DatabaseOutages(sut.databases, coordinator.stop, coordinator.notices, clock)
        self._spontaneous_ends = SpontaneousEnds()
        self._clock = clock
        self._unattributed: dict[str, Cause] = {}
        """Warnings of crashes that belong to no call, with the cause of the first one."""
        self._n_restarts = 0
        self._n_timed = 0
        self._restarting_s = 0.0
        self._first_start_s = first_start_s
        self._ahead_s: deque[float] = deque(maxlen=N_AHEAD)
        """Durations of the last restarts that were begun ahead of their use. They may have had time to load."""
        self._watch: Callable[[Evaluation], None] | None = None
        self._limit: PhaseLimit | None = None
        self._patience_s: float | None = None

    # ---- evaluating -------------------------------------------------------------------------------------------------

    def explore(
        self, test_case: TestCase, *, covered: Sequence[TargetId], wants_hints: bool, full: bool = False
    ) -> Evaluation:
        """Runs a test case for the search.

        covered: targets that were covered since the last call. full: also report covered targets, and hints about them.

        Raises: TargetError, if the SUT cannot be started again.
        """
        self.start_if_lost()
        seen = self.sut.evaluate(test_case, covered=covered, full=full, want_hints=wants_hints)
        self.deferred.catch_up()  # if there was no time to wait
        evaluation = self._evaluator.completed(seen, wants_hints=wants_hints, wants_limits=self._wants_limits)
        self.deferred.add(self._records.note, evaluation)
        return self._noted(evaluation, is_search=True)

    def evaluate(self, test_case: TestCase, *, full: bool = False, linger_s: float = 0.0) -> Evaluation:
        """Runs a test case for the suite, and once more if a database was away, calls before used up a rate limit, or
        the SUT ended in work that belongs to none of its calls.

        full: also report covered targets. linger_s: how long to wait after the last answer for a late crash.

        Raises: TargetError, if the SUT cannot be started again; OutOfTime (`within`).
        """
        self.start_if_lost()
        evaluation = self._evaluated(test_case, full=full, linger_s=linger_s)
        rate_limit = self.monitors.rate_limit
        if not self._can_start:
            return evaluation
        if rate_limit.has_refused(len(test_case.calls)) and rate_limit.may_restart():
            self.restart()
            return self._evaluated(test_case, full=full, linger_s=linger_s)
        if self._spontaneous_ends.may_repeat(evaluation):
            self.restart()
            evaluation = self._evaluated(test_case, full=full, linger_s=linger_s)
            self._spontaneous_ends.note_repeat(evaluation)
        return evaluation

    @contextmanager
    def within(self, limit: PhaseLimit, *, patience_s: float | None = None) -> Iterator[None]:
        """Lets `evaluate` send no call once the limit's time is over. It raises OutOfTime if that leaves out calls.

        patience_s: how long an evaluation may take; no answer is waited for any longer. Not where the limit is in
        starts, since such runs do not depend on the clock.
        """
        outer = self._limit, self._patience_s
        self._limit, self._patience_s = limit, patience_s
        try:
            yield
        finally:
            self._limit, self._patience_s = outer

    @contextmanager
    def watched(self, watch: Callable[[Evaluation], None]) -> Iterator[None]:
        """Tells of each evaluation for the suite."""
        self._watch = watch
        try:
            yield
        finally:
            self._watch = None

    def _is_cut(self, evaluation: Evaluation) -> bool:
        if self._limit is None or self._limit.ends_s is None:
            return False
        return evaluation.is_cut or (self._patience_s is not None and evaluation.has_hung)

    def _limit_evaluation(self) -> None:
        ends_s = None if self._limit is None else self._limit.ends_s
        if ends_s is None or self._patience_s is None:
            self.sut.send_until(ends_s)
        else:
            self.sut.send_until(min(ends_s, self._clock.monotonic() + self._patience_s), cuts_calls=True)

    def _evaluated(self, test_case: TestCase, *, full: bool, linger_s: float) -> Evaluation:
        self._limit_evaluation()
        seen = self.sut.evaluate(test_case, full=full, want_hints=False, linger_s=linger_s)
        if self._outages.outlasted():
            self.restart()
            seen = self.sut.evaluate(test_case, full=full, want_hints=False, linger_s=linger_s)
        evaluation = self._evaluator.completed(seen, full=full)
        self._records.note(evaluation)
        noted = self._noted(evaluation, is_search=False)
        if self._is_cut(noted):
            raise OutOfTime
        return noted

    def start_if_lost(self) -> None:
        """Restarts a lost SUT before the next evaluation.

        It does not happen right after the loss, because the history was still needed then.
        """
        if self.freshness.is_lost:
            self.restart()

    def _noted(self, evaluation: Evaluation, *, is_search: bool) -> Evaluation:
        self._statistics.note(evaluation, is_search=is_search)
        self.freshness.note(evaluation)
        for warning in self.monitors.note(evaluation, is_search=is_search):
            self._notices.warn(warning.replace(f"{self._working_dir}/", ""))
        for crash in evaluation.unattributed_crashes:
            self._unattributed.setdefault(_unattributed_crash_warning(crash, self._working_dir), crash.cause)
        if evaluation.is_sut_lost and not self._is_black_box:
            reason = evaluation.findings[0].title if evaluation.findings else "the SUT has ended"
            self._notices.post(SutRestarted(reason=reason))
        if self._watch is not None and not is_search:
            self._watch(evaluation)
        return evaluation

    def warnings_of_crashes(self, known: Iterable[Cause]) -> list[str]:
        """Returns the warnings of crashes that belong to no call. known: the causes of all findings.

        Often a later crash at the same place can be attributed, and then a finding tells of it.
        """
        places = {(cause.file, cause.line) for cause in known if cause.file}
        return [text for text, cause in self._unattributed.items() if (cause.file, cause.line) not in places]

    # ---- starting ---------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Starts the SUT afresh.

        If a started SUT does not come up, it is started once more, and again while its database may be away.

        Raises: TargetError, if the SUT does not come up.
        """
        self.deferred.catch_up()
        started_s = self._clock.monotonic()
        had_standby = self.sut.has_standby
        try:
            self.sut.restart()
        except TargetError:
            if self._is_black_box:
                raise
            self._start_again()
        if self.freshness.is_lost and self._is_black_box:
            self._notices.post(SutRestarted(reason="it had ended"))
        self._start_ahead.note_start()
        self._n_restarts += 1
        self._budget.note_start()
        took_s = self._clock.monotonic() - started_s
        if had_standby:
            self._ahead_s.append(took_s)
        else:
            self._n_timed += 1
            self._restarting_s += took_s
        self.freshness.forget()
        self.monitors.forget()
        self.history.forget()

    def _start_again(self) -> None:
        attempts = self._outages.attempts_at_start()
        while True:
            try:
                self.sut.restart()
                return
            except TargetError:
                if not attempts.may_go_on():
                    raise

    def make_fresh(self, *, entirely: bool = False, is_order_independent: bool = False) -> None:
        """Restarts if a call may have changed something since the last start.

        entirely: restart if there was any call at all. is_order_independent: a restart makes no difference to the test
        case that runs next.
        """
        is_stale = self.freshness.is_dirty or (entirely and self.freshness.n_calls > 0)
        if self.freshness.is_lost or (is_stale and not is_order_independent):
            self.restart()
        self.freshness.note_own_start()

    def make_shared(self) -> None:
        """Restarts if a test case that does not share a start may have changed something since the last start."""
        if self.freshness.is_lost or (self.freshness.is_dirty and self.freshness.has_own_start):
            self.restart()
        elif not self.freshness.is_dirty:
            self.freshness.note_shared_start()

    def timed_restart(self) -> float:
        """Starts the SUT afresh, and returns how many seconds of the run that has cost.

        One that was begun ahead has taken the processor from the search while it loaded.
        """
        loading_s = SHARE_OF_LOADING * self.start_s if self.sut.has_standby else 0.0
        began_s = self._clock.monotonic()
        self.restart()
        return self._clock.monotonic() - began_s + loading_s

    def has_start_ahead(self) -> bool:
        """Whether a restart takes no longer now than it will later; begins one ahead of its use if there is none."""
        return self._start_ahead.is_loaded(self.start_s) or self._budget.is_repeatable

    @property
    def n_restarts(self) -> int:
        return self._n_restarts

    @property
    def start_s(self) -> float:
        """Mean duration of a restart that was not begun ahead, as in a suite; of the first start if there was none.

        It is for time limits only: the behaviour of a run with a budget in calls must not depend on it.
        """
        return self._restarting_s / self._n_timed if self._n_timed else self._first_start_s

    @property
    def next_start_s(self) -> float:
        """How long a restart takes in the next time, one after the other: less than `start_s` while they are begun
        ahead of their use. Like that, it is for time limits only.
        """
        if not self.sut.has_standby:
            return self.start_s
        lately_s = sum(self._ahead_s) / len(self._ahead_s) if self._ahead_s else 0.0
        return max(LEAST_SHARE_AHEAD * self.start_s, lately_s)


def _unattributed_crash_warning(crash: Crash, working_dir: str) -> str:
    cause = crash.cause
    where = f" at {cause.file.removeprefix(working_dir + '/')}:{cause.line}" if cause.file else ""
    ended = "the SUT ended by itself" if crash.kind == "died" else "an uncaught error"
    return f"{ended}, in work that belongs to no call{where}: {cause.message or crash.kind}"
