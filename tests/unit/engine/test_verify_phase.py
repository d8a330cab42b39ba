"""How the time of verification is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

import pytest

from engine_parts import FakeDatabases, ManualClock, ScriptedSut, calls_of, new_coordinator, new_worker, verified_tests
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.proofs import Proofs, RunFreshness
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.worth import by_worth, by_worth_on_one_start
from wimble.engine.events import Event
from wimble.engine.faults.history import History
from wimble.engine.session import phase_time
from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import NO_TIME_LEFT
from wimble.engine.stability import repeated_runs
from wimble.engine.verify import verify_phase
from wimble.model.database import Database, DatabaseHome
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.run_conditions import AS_TESTS_RUN, WITH_LOW_RANDOM_VALUES, Conditions
from wimble.model.targets import TargetTable
from wimble.model.testcase import TestCase
from wimble.oracles.failures.crashes import DIED
from wimble.settings import Settings
from wimble.types import TargetId

START_S = 60.0
N_SHARING = 3


class SlowSut(ScriptedSut):
    """Takes longer to start than verification may take; tells when it was given its conditions."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock
        self.given: list[tuple[float, Conditions]] = []

    def restart(self) -> None:
        self._clock.now_s += START_S

    def live_under(self, conditions: Conditions) -> None:
        self.given.append((self._clock.now_s, conditions))


@pytest.mark.parametrize("shares_start", [True, False])
def test_a_slow_start_takes_nothing_from_the_time_for_tests(
    monkeypatch: pytest.MonkeyPatch, *, shares_start: bool
) -> None:
    clock = ManualClock()
    sut = SlowSut(clock)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=60.0))
    worker = new_worker(sut, coordinator, clock)
    worker.freshness.note_loss()  # so that it is started
    monkeypatch.setattr(phase_time, "time", clock)
    seen = []

    def verify(
        _verification: object, _candidates: object, limit: phase_time.PhaseLimit, _verified: object
    ) -> Iterator[Event]:
        seen.append((clock.now_s, limit.is_reached))
        clock.now_s += START_S
        seen.append((clock.now_s, limit.is_reached))
        yield from ()

    name = "verify_in_shared_starts" if shares_start else "_verify_alone"
    monkeypatch.setattr(verify_phase, name, verify)
    list(verify_phase.run_verify(coordinator, worker, [], StartPolicy(shares_start=shares_start)))
    assert seen == [(START_S, False), (2 * START_S, True)]
    assert sut.given == [(0.0, AS_TESTS_RUN)], (
        "from before the first run on: generated tests cannot reset a database in the SUT's memory"
    )


def test_where_each_test_of_the_suite_gets_a_start_verification_needs_none_for_what_is_the_same_in_any_order() -> None:
    """The suite puts files of databases back while the SUT is stopped; wimble puts their rows back."""
    file = DatabaseHome(id="main", driver="better-sqlite3", host="", port=0, name="a.sqlite", is_file=True)
    sut = ScriptedSut(databases=FakeDatabases((file,), (Database(id="main", dialect="sqlite"),)))
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=None, max_calls=1))
    worker = new_worker(sut, coordinator)
    worker.restart()
    test_cases = [calls_of(f"POST /{number}") for number in range(5)]
    candidates = [
        Candidate(
            test_case=one, fault_key=None, targets=frozenset(), original=one, is_order_independent=number < N_SHARING
        )
        for number, one in enumerate(test_cases)
    ]
    n_before = sut.n_starts
    tests = verified_tests(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy()))
    n_own, n_for_orders, n_for_another_day = len(candidates) - N_SHARING, 1, 1
    assert sut.n_starts - n_before == n_own + n_for_orders + n_for_another_day
    assert {test.test_case for test in tests} == set(test_cases)
    assert not any(test.shares_start for test in tests)


class SluggishSut(ScriptedSut):
    """Answers slowly at times. delay_s: how long it takes now."""

    def __init__(self, clock: ManualClock, delay_s: Callable[[ScriptedSut], float]) -> None:
        super().__init__()
        self._clock = clock
        self._delay_s = delay_s

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        self._clock.now_s += self._delay_s(self)
        return super().evaluate(test_case, **options)


def slow_on_another_day(sut: ScriptedSut) -> float:
    return 4.0 if sut.is_another_day else 0.0


def slow_in_reverse_order(sut: ScriptedSut) -> float:
    return 10.0 if sut.conditions[-1] == WITH_LOW_RANDOM_VALUES else 0.0


def test_second_runs_end_with_the_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=60.0))
    worker = new_worker(SluggishSut(clock, slow_on_another_day), coordinator, clock)
    test_cases = [calls_of(f"POST /{number}") for number in range(9)]
    candidates = [
        Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one, needs_start=True)
        for one in test_cases
    ]
    tests = verified_tests(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy()))
    assert 0 < len(tests) < len(test_cases)
    assert clock.now_s < coordinator.budget.allowance_s
    (warning,) = coordinator.notices.warnings
    assert (
        warning == f"{len(test_cases) - len(tests)} tests were not run a second time and so not written: {NO_TIME_LEFT}"
    )


N_HANGING = 20


class WaitingSut(ScriptedSut):
    """Takes long for `GET`, in which it is started again as well."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        self._clock.now_s += 3.0 if test_case.is_safe else 0.05
        return super().evaluate(test_case, **options)


def test_on_a_shared_start_tests_that_end_it_take_no_time_from_most_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call without an answer takes as long as dozens of others, with the start that follows it."""
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=60.0))
    worker = new_worker(WaitingSut(clock), coordinator, clock)
    monkeypatch.setattr(type(worker), "start_s", 2.5)
    hanging = [calls_of(f"GET /{number}") for number in range(N_HANGING)]
    others = [calls_of(f"POST /{number}") for number in range(60)]
    candidates = [
        Candidate(
            test_case=one, fault_key=None, targets=frozenset(), original=one, has_hung=number < N_HANGING,
            is_order_independent=number < N_HANGING,
        )
        for number, one in enumerate([*hanging, *others])
    ]  # fmt: skip
    tests = verified_tests(
        verify_phase.run_verify(coordinator, worker, candidates, StartPolicy(shares_start=True, has_one_file=True))
    )
    written = [test.test_case for test in tests]
    assert set(others) <= set(written)
    assert 0 < len(written) - len(others) < N_HANGING
    n_left = len(candidates) - len(written)
    assert f"{n_left} tests were not verified and so not written: {NO_TIME_LEFT}" in coordinator.notices.warnings


def test_tests_that_end_a_shared_start_come_behind_faults_where_others_have_their_own() -> None:
    def made(number: int, verb: str = "POST", **about: Any) -> Candidate:
        one = calls_of(f"{verb} /{number}")
        return Candidate(test_case=one, original=one, **{"fault_key": None, "targets": frozenset(), **about})

    candidates = [
        made(0),
        made(1, fault_key=("f",)),
        made(2, fault_key=("g",), is_order_independent=True, has_hung=True),
        made(3, is_order_independent=True),
        made(4, "GET"),
    ]
    assert by_worth(candidates) == [3, 4, 1, 2, 0], "one that asks for no change takes no start of its own"
    assert by_worth_on_one_start(candidates) == [3, 4, 1, 0, 2]


class CostlySut(ScriptedSut):
    """Takes a while for each start."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self._clock = clock

    def restart(self) -> None:
        super().restart()
        self._clock.now_s += 2.0


def coordinator_after_search(clock: ManualClock, table: TargetTable | None = None) -> Coordinator:
    """Of a search of 60 s."""
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=60.0), table=table)
    coordinator.budget = Budget(max_time_s=60.0, max_calls=None, clock=clock.monotonic)
    clock.now_s += 60.0
    coordinator.budget.stop_clock()
    return coordinator


def test_where_time_is_short_faults_come_first_and_then_what_covers_most(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=60.0))
    worker = new_worker(CostlySut(clock), coordinator, clock)
    test_cases = [calls_of(f"POST /{number}") for number in range(40)]
    proofs = Proofs()
    proofs.add(
        RunFreshness(is_untouched=True, linger_s=0.0), Evaluation(test_case=test_cases[0], observations=(), reached={})
    )
    candidates = [
        Candidate(
            test_case=one,
            fault_key=("f",) if number == 1 else None,
            targets=frozenset(map(TargetId, range(number))),
            original=one,
            needs_start=True,
        )
        for number, one in enumerate(test_cases)
    ]
    ran: list[TestCase] = []
    monkeypatch.setattr(verify_phase, "_may_go_on", lambda _: False)
    monkeypatch.setattr(verify_phase, "_first_run", lambda _, one, __: (ran.append(one.test_case), worker.restart())[1])
    list(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy(), proofs))
    assert 2 < len(ran) < len(test_cases)
    assert ran[0] == test_cases[1]
    assert ran[1:-1] == test_cases[: 1 - len(ran) : -1]
    assert ran[-1] == test_cases[0], "what has run on a fresh start already takes no time"
    assert clock.now_s < coordinator.budget.allowance_s
    (warning,) = coordinator.notices.warnings
    assert warning == f"{len(test_cases) - len(ran)} tests were not verified and so not written: {NO_TIME_LEFT}"


def test_tests_for_whose_second_runs_there_was_time_are_taken_up_if_these_need_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that they do is the same on the SUT as others left it, so a second run needs no start."""
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    monkeypatch.setattr(repeated_runs, "time", clock)
    monkeypatch.setattr(verify_phase, "time", clock)
    coordinator = coordinator_after_search(clock)
    worker = new_worker(CostlySut(clock), coordinator, clock)
    test_cases = [calls_of(f"POST /{number}") for number in range(14)]
    candidates = [
        Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one, needs_start=True)
        for one in test_cases
    ]
    tests = verified_tests(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy()))
    assert {test.test_case for test in tests} == set(test_cases)
    assert coordinator.budget.after_search_s < coordinator.budget.allowance_s
    assert not coordinator.notices.warnings


def test_a_test_after_which_the_sut_may_end_shares_no_start() -> None:
    """What a call leaves behind may end the process while the next test runs."""
    sut = ScriptedSut()
    coordinator = new_coordinator()
    worker = new_worker(sut, coordinator)
    worker.restart()
    test_cases = [calls_of(f"POST /{name}") for name in ("books", "takes", "notes")]
    seen = sut.evaluate(test_cases[1])
    died = Finding(
        oracle=DIED, key=(DIED, "stock.js", "9"), operation="POST /takes", status=None, title="ends", observed="",
        expected="", cause=Cause(file="stock.js", line=9), call_index=0,
    )  # fmt: skip
    coordinator.faults.note(seen, [died], History(), calls=1, elapsed_s=0.1)
    candidates = [
        Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one, is_order_independent=True)
        for one in test_cases
    ]
    tests = verified_tests(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy()))
    assert {test.test_case: test.shares_start for test in tests} == dict(
        zip(test_cases, (True, False, True), strict=True)
    )


def test_runs_in_reverse_order_take_no_time_from_second_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=60.0))
    worker = new_worker(SluggishSut(clock, slow_in_reverse_order), coordinator, clock)
    test_cases = [calls_of(f"POST /{number}") for number in range(9)]
    candidates = [
        Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one, is_order_independent=True)
        for one in test_cases
    ]
    tests = verified_tests(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy()))
    assert {test.test_case for test in tests} == set(test_cases)
    assert clock.now_s < coordinator.budget.allowance_s


class TickingSut(ScriptedSut):
    """Takes a tenth of a second for each test case."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(lambda _, name: (404 if "missing" in name else 200, None))
        self._clock = clock

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        self._clock.now_s += 0.1
        return super().evaluate(test_case, **options)


def test_where_there_are_many_tests_that_change_nothing_most_that_ran_once_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    monkeypatch.setattr(repeated_runs, "time", clock)
    monkeypatch.setattr(verify_phase, "time", clock)
    table = TargetTable()
    coordinator = coordinator_after_search(clock, table)
    sut = TickingSut(clock)
    names = [f"GET /{'missing/' if number % 4 == 0 else ''}{number}" for number in range(400)]
    targets = [[table.register_outcome("GET /", name)] for name in names]
    candidates = [
        Candidate(test_case=one, fault_key=None, targets=covered, original=one)
        for one, covered in zip(map(calls_of, names), map(frozenset, accumulate(targets, initial=[])), strict=False)
    ]
    worker = new_worker(sut, coordinator, clock)
    tests = verified_tests(verify_phase.run_verify(coordinator, worker, candidates, StartPolicy()))
    n_first = len({one for one in sut.ran if len(one.calls) == 1})
    assert n_first < len(names), "there is no time for all"
    assert len(tests) > 0.8 * n_first
    written = [test.test_case.calls[0].operation.id for test in tests]
    n_missing = sum("missing" in name for name in written)
    assert 0.15 < n_missing / len(written) < 0.35, "each file of tests has its share"
    assert set(written) >= set(names[-20:]), "those that cover most"
