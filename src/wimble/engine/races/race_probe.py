"""Looks closely at two calls that are sent at once: on fresh starts of the SUT, or all on the present one.

The present start costs nothing, but what the SUT keeps in its memory is not put back there. So a race counts only if
the calls in turn do the same before and after the calls at once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final

from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.suite_databases import has_all_put_back
from wimble.engine.events import Event
from wimble.engine.races.limited_places import at_last_place, limited, repeated
from wimble.engine.races.pairs_of_calls import CallPair
from wimble.engine.races.race_cases import reads_after, tells_of_state, with_one_call, with_two_calls, without_the_call
from wimble.engine.races.screening import Screened, differ, is_comparable, screened
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.worker.found_findings import note_finding
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Observation
from wimble.model.testcase import Call, TestCase
from wimble.oracles.databases.at_once import InTurn, Race, differs, finding_of, race_of
from wimble.oracles.failures.crashes import DIED
from wimble.oracles.failures.server_error import NAME as SERVER_ERROR

N_FIRST: Final = 2
"""Number of runs in which a race has to show once, so that it is looked at more closely."""
N_FEWEST: Final = 4
"""Number of runs of a test case that shows no race, each on a fresh start of the SUT, with some reserve."""
N_MANY: Final = 3 * N_FEWEST
"""Number of starts for a race that is told, with those of screening. If there is no time for them, races are looked for
without starts first."""
N_RUNS: Final = 10
"""Maximum number of runs of a race that has shown once, these included."""
N_NEEDED: Final = 6
"""Number of them that have to show it; then the runs end. It holds in most runs, so that whoever reads the finding sees
it, too."""
N_IN_ROW: Final = 4
"""Number of runs that are enough if all of them show it."""
LEAST_SHARING: Final = 3
"""Number of repeated calls from which on it takes fewer starts to see all of them on one start before."""


def _is_decided(seen: Sequence[Race | None]) -> bool:
    """Whether the runs are enough to tell whether most of N_RUNS show one race."""
    most = max((seen.count(race) for race in seen if race is not None), default=0)
    left = N_RUNS - len(seen)
    return _is_shown(most, len(seen)) or most + left < N_NEEDED or left <= 0


def _is_shown(n_shown: int, n_runs: int) -> bool:
    return n_shown >= N_NEEDED or n_shown == n_runs >= N_IN_ROW


class RaceProbe:
    """Runs the test cases, each on a fresh SUT, or all of them on the present start of it."""

    def __init__(self, coordinator: Coordinator, worker: Worker, starts: StartPolicy, limit: PhaseLimit) -> None:
        self.limit = limit
        self._coordinator = coordinator
        self._worker = worker
        self._starts = starts
        described = coordinator.specification
        self._reads = [one for one in described.operations if tells_of_state(one, described.routes)]
        self._is_put_back = has_all_put_back(worker.sut.databases)
        self.is_in_place = False
        """Whether cases run on the present start."""
        self.found_in: set[str] = set()
        """Operations with a race."""
        self.failing_in_turn: list[tuple[TestCase, Finding]] = []
        """Calls in turn of which one fails as no call of the search did."""
        self.compared: set[str] = set()
        """Operations with two equal calls in turn of which the second succeeded or was refused. They are not tried with
        another second call, which may be refused whatever the first one did. Without those whose two calls at once did
        what one call does: these may have used up a stock."""
        self.succeeding: dict[str, TestCase] = {}
        """By operation: a test case whose last call succeeds twice in turn, and without a race at once."""
        self._screened = Screened([], [], [], [])
        self._deadly = {fault.finding.operation for fault in coordinator.faults if fault.finding.oracle == DIED}
        self.takes_one_twice = False
        """Whether the last two calls at once both succeeded, and did what one of them does."""

    def begin_in_place(self) -> bool:
        """Looks at cases on one start from now on, if that is of use: databases are put back between runs, or starts
        take so long that few cases could be looked at otherwise.
        """
        if not self._is_put_back and self.limit.has_left(self._worker.start_s * N_MANY):
            return False
        self.is_in_place = True
        if self._has_time_for_starts:
            self._worker.make_fresh()
        return True

    def begin_afresh(self, cases: Sequence[CallPair]) -> bool:
        """Screens the cases, and looks at each on starts of its own from now on, if there is time for that."""
        if not self._has_time_for_starts or self.limit.is_reached:
            return False
        self.is_in_place = False
        self._screened = screened(self._worker, self._both_ways(cases), self.limit)
        return True

    @property
    def _has_time_for_starts(self) -> bool:
        return self.limit.has_left(self._worker.start_s * N_FEWEST)

    def told_start(self) -> str:
        """Returns how long a start takes, as the end of a sentence, if this is why there is no time."""
        return "" if self._has_time_for_starts else f", and a start of the SUT takes {self._worker.start_s:.1f} s"

    def progress(self, share: float) -> Event:
        return self._coordinator.progress("races", share)

    def is_vain(self, case: CallPair) -> bool:
        """Whether nothing more is to be found with a case."""
        operation = case.test_case.calls[-1].operation.id
        return (
            operation in self.found_in
            or (case.is_spare and operation in self.compared)
            or (case.is_guess and not self.is_in_place and not self._may_work(case))
        )

    def _both_ways(self, cases: Sequence[CallPair]) -> list[tuple[TestCase, TestCase]]:
        """Returns the calls in turn and at once."""
        return [
            (self._two_calls(one, second, at_once=False), self._two_calls(one, second, at_once=True))
            for one, second, *_ in cases
        ]

    def is_promising(self, pair: CallPair) -> bool:
        """Whether a case is looked at before others: in screening, the two calls did something else at once than in
        turn. Without screening, a case that may end the SUT comes later, since it takes a start.
        """
        if self.is_in_place:
            return pair.test_case.calls[-1].operation.id not in self._deadly
        return self._two_calls(pair.test_case, pair.second, at_once=False) in self._screened.differing

    def _may_work(self, pair: CallPair) -> bool:
        """Whether the first of two calls in turn has succeeded in screening."""
        return self._two_calls(pair.test_case, pair.second, at_once=False) in self._screened.succeeded

    def _two_calls(self, test_case: TestCase, second: Call, *, at_once: bool) -> TestCase:
        return with_two_calls(test_case, second, self._reads_after(test_case), at_once=at_once)

    def _reads_after(self, test_case: TestCase) -> tuple[Call, ...]:
        return reads_after(test_case.calls[-1], self._reads)

    def look_at(self, test_case: TestCase, second: Call) -> Generator[Event, None, bool]:
        """Yields the race of the test case's last call and the second one, if there is one.

        Returns whether that is decided. It is not if the calls in turn do not do the same again on one start, since the
        SUT keeps what they did.
        """
        self.takes_one_twice = False
        last = len(test_case.calls) - 1
        reads = self._reads_after(test_case)
        in_turn_case = with_two_calls(test_case, second, reads, at_once=False)
        if self._is_screened_out(test_case, second, in_turn_case):
            return True
        two = self._run(in_turn_case)
        is_told = yield from self._told_failure(two)
        if is_told or two.is_sut_lost or two.observations[last].outcome != "ok":
            return is_told or two.is_sut_lost or not self.is_in_place
        case = with_two_calls(test_case, second, reads, at_once=True)
        first_runs = [self._run(case)]
        if self.is_in_place and not is_comparable(two, first_runs[0]):
            if not self._is_repeated(two):
                return False
        elif self.is_in_place and self._is_clean(two, first_runs[0], case):
            return self._noted_clean(test_case, second, two.observations[last + 1])
        first_runs += [self._run(case) for _ in range(N_FIRST - 1)]
        in_turn = self._in_turn(test_case, two, first_runs)
        if all(race_of(one, in_turn) is None for one in first_runs):
            return self._noted_clean(test_case, second, two.observations[last + 1])
        if self.limit.is_reached and not self.is_in_place:
            return False
        again = self._run(two.test_case)
        runs = list(first_runs)
        if again.outcome_keys() != two.outcome_keys() or not self._is_as_before(runs, in_turn, again):
            return not self.is_in_place  # what the calls do in turn is not certain
        self._note_compared(test_case, second, two.observations[last + 1])
        while not _is_decided([race_of(one, in_turn) for one in runs]):
            runs.append(self._run(case))
        yield from self._told(runs, in_turn)
        return True

    def _told_failure(self, two: Evaluation) -> Generator[Event, None, bool]:
        """Yields a fault that calls in turn have shown and no call of the search, if it shows on a fresh start, too.

        Returns whether there is one: the second of two equal calls fails, and at once it does no better.
        """
        new = _server_errors(two).keys() - {fault.key for fault in self._coordinator.faults}
        if not new or two.is_sut_lost or not self._has_time_for_starts:
            return False
        self._worker.make_fresh(entirely=True)
        again = self._worker.evaluate(two.test_case)
        for key, finding in _server_errors(again).items():
            if key in new:
                self.failing_in_turn.append((again.test_case, finding))
                yield from note_finding(self._coordinator, self._worker, again, finding)
                return True
        return False

    def _is_screened_out(self, test_case: TestCase, second: Call, in_turn: TestCase) -> bool:
        """Whether screening has shown that a case needs no closer look."""
        clean = next((one for one in self._screened.clean if one.test_case == in_turn), None)
        if clean is not None:
            self._note_compared(test_case, second, clean.observations[len(test_case.calls)])
        return clean is not None or in_turn in self._screened.fatal

    def _in_turn(self, test_case: TestCase, two: Evaluation, at_once: Sequence[Evaluation]) -> InTurn:
        """Returns what comes of calls in turn, as far as it matters for these runs at once."""
        reads, again = self._reads_after(test_case), two.observations[len(test_case.calls)].outcome
        if again == "refused" and any(race_of(one, InTurn(two)) for one in at_once):
            in_turn = InTurn(two, self._run(with_one_call(test_case, reads)))
            self.takes_one_twice = all(race_of(one, in_turn) is None for one in at_once)
            return in_turn
        if again == "ok" and any(differs(one, two) for one in at_once):
            one = self._run(with_one_call(test_case, reads))
            return InTurn(two, one, self._run(without_the_call(test_case, reads)))
        return InTurn(two)

    def _is_clean(self, two: Evaluation, run: Evaluation, case: TestCase) -> bool:
        """Whether calls at once did what they do in turn, also once more.

        A program that opens a connection for the second of two calls answers it too late the first time.
        """
        return not differ(two, run) and not differ(two, self._run(case))

    def _noted_clean(self, test_case: TestCase, second: Call, again: Observation) -> bool:
        """Notes that two calls show no race, and returns whether that is decided. again: of the second one, in turn."""
        is_decided = self._is_put_back or not self.is_in_place
        if is_decided:
            self._note_compared(test_case, second, again)
        return is_decided

    def _is_repeated(self, two: Evaluation) -> bool:
        """Whether calls in turn do the same again on one start."""
        return self._run(two.test_case).outcome_keys() == two.outcome_keys()

    def _is_as_before(self, runs: Sequence[Evaluation], in_turn: InTurn, again: Evaluation) -> bool:
        """Whether runs at once show the same beside calls in turn that came later, if all run on one start."""
        later = InTurn(again, in_turn.one, in_turn.none)
        return not self.is_in_place or all(race_of(one, later) == race_of(one, in_turn) for one in runs)

    def _note_compared(self, test_case: TestCase, second: Call, again: Observation) -> None:
        """again: of the second call, in turn."""
        operation = second.operation.id
        if second != test_case.calls[-1] or self.takes_one_twice or again.outcome not in ("ok", "refused"):
            return
        self.compared.add(operation)
        if again.outcome == "ok":
            self.succeeding.setdefault(operation, test_case)

    def with_limited_places(self) -> list[TestCase]:
        """Returns those of `succeeding` whose last call is refused at some time if it is repeated, with larger
        quantities if that takes them.

        Several run one after the other on one start: what others have used up makes a refusal come sooner, not later.
        """
        test_cases = [one for one in self.succeeding.values() if one.calls[-1].operation.id not in self.found_in]
        share_a_start = len(test_cases) >= LEAST_SHARING
        if share_a_start and not self.is_in_place:
            self._worker.make_fresh()
        run = self._worker.evaluate if share_a_start else self._run
        found = (limited(one, run, lambda: self.limit.is_reached) for one in test_cases)
        return [one for one in found if one is not None]

    def at_last_place(self, test_case: TestCase) -> TestCase | None:
        """Returns the test case with its last call repeated, up to the last time that it succeeds; None if it succeeds
        more often than is tried, or an operation with a race is called.
        """
        if test_case.calls[-1].operation.id in self.found_in:
            return None
        # What is used up depends on earlier calls, even where no test has shown it.
        self._starts = self._starts.without_independence()
        return at_last_place(test_case, self._run(repeated(test_case)))

    def _told(self, runs: list[Evaluation], in_turn: InTurn) -> Iterator[Event]:
        races: dict[Race, list[Evaluation]] = {}
        for run in runs:
            race = race_of(run, in_turn)
            if race is not None:
                races.setdefault(race, []).append(run)
        for race, shown in races.items():
            if _is_shown(len(shown), len(runs)):
                finding = finding_of(race, shown[0], in_turn.two, n_shown=len(shown), n_runs=len(runs))
                self.found_in.add(finding.operation)
                yield from note_finding(self._coordinator, self._worker, shown[0], finding)
                return

    def _run(self, test_case: TestCase) -> Evaluation:
        if not self.is_in_place:
            self._worker.make_fresh(is_order_independent=not self._starts.depends_on_state(test_case))
        return self._worker.evaluate(test_case)


def has_finding(finding: Finding, evaluation: Evaluation) -> bool:
    return any(one.key == finding.key for one in evaluation.findings)


def _server_errors(evaluation: Evaluation) -> dict[tuple[str, ...], Finding]:
    return {one.key: one for one in evaluation.findings if one.oracle == SERVER_ERROR}
