"""The phases after the search share one allowance."""

from __future__ import annotations

import math

import pytest

from engine_parts import ManualClock
from wimble.engine.session import phase_time
from wimble.engine.session import stop as stop_module
from wimble.engine.session.budget import CALLS_PER_START, LEAST_ALLOWED_STARTS, Budget
from wimble.engine.session.phase_time import LEAST_SHARE, STOPPED, PhaseLimit, limit_of_second_runs
from wimble.engine.session.stop import AFTER_STOP_S, StopRequest

SEARCH_S = 100.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    clock = ManualClock()
    monkeypatch.setattr(phase_time, "time", clock)
    return clock


@pytest.fixture
def budget(clock: ManualClock) -> Budget:
    """Of a search that has ended just now."""
    budget = Budget(max_time_s=SEARCH_S, max_calls=None, clock=clock.monotonic)
    clock.now_s += SEARCH_S
    budget.stop_clock()
    return budget


def length_s(limit: PhaseLimit, clock: ManualClock) -> float:
    begun_s = clock.now_s
    while not limit.is_reached:
        clock.now_s += 0.5
    return clock.now_s - begun_s


def test_a_phase_has_what_those_before_it_have_left(clock: ManualClock, budget: Budget) -> None:
    assert length_s(PhaseLimit(budget, StopRequest(), until=0.25), clock) == 25.0
    clock.now_s -= 10.0  # as if it had ended earlier
    assert length_s(PhaseLimit(budget, StopRequest(), until=0.5), clock) == 35.0


def test_what_is_left_of_a_phase_is_known(clock: ManualClock, budget: Budget) -> None:
    limit = PhaseLimit(budget, StopRequest(), until=0.25)
    assert limit.left_s == 25.0
    clock.now_s += 20.0
    assert limit.left_s == 5.0
    clock.now_s += 20.0
    assert limit.left_s == 0.0
    in_calls = Budget(max_time_s=None, max_calls=100, clock=clock.monotonic)
    limit = PhaseLimit(in_calls, StopRequest(), until=0.25)
    assert limit.left_s == math.inf and limit.ends_s is None


def test_a_phase_may_have_a_part_of_what_is_left(clock: ManualClock, budget: Budget) -> None:
    clock.now_s += 20.0
    assert length_s(PhaseLimit(budget, StopRequest(), until=0.5, share=0.5), clock) == 15.0


def test_a_phase_whose_time_is_used_up_has_a_little(clock: ManualClock, budget: Budget) -> None:
    clock.now_s += 80.0
    assert length_s(PhaseLimit(budget, StopRequest(), until=0.5), clock) == LEAST_SHARE * SEARCH_S


@pytest.mark.parametrize("is_stopped_before", [False, True])
def test_second_runs_have_most_of_the_time_after_a_stop(
    clock: ManualClock, budget: Budget, monkeypatch: pytest.MonkeyPatch, is_stopped_before: bool
) -> None:
    monkeypatch.setattr(stop_module, "time", clock)
    clock.now_s += 80.0  # the allowance is used up
    stop = StopRequest()
    stop.make_graceful()
    if is_stopped_before:
        stop.signal()
        stop.rearm()
    limit = limit_of_second_runs(budget, stop)
    if not is_stopped_before:
        stop.signal()
    assert length_s(limit, clock) == pytest.approx(0.8 * AFTER_STOP_S, abs=0.5)


def test_after_a_search_with_a_number_of_calls_starts_count_and_no_clock_is_read(clock: ManualClock) -> None:
    budget = Budget(max_time_s=None, max_calls=1)
    budget.note_start()  # during the search
    budget.stop_clock()
    limit = PhaseLimit(budget, StopRequest(), until=0.5)
    clock.now_s += 1e6
    assert limit.allows(1e6, share=0.1)
    n_starts = 0
    while not limit.is_reached:
        budget.note_start()
        n_starts += 1
    assert n_starts == LEAST_ALLOWED_STARTS / 2
    assert limit.is_spent(0.5)


def test_a_long_search_with_a_number_of_calls_allows_more_starts() -> None:
    budget = Budget(max_time_s=None, max_calls=2 * CALLS_PER_START * LEAST_ALLOWED_STARTS)
    assert budget.allowed_starts == 2 * LEAST_ALLOWED_STARTS


def test_after_a_stop_a_phase_has_a_share_of_seconds_whatever_its_budget(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stop_module, "time", clock)
    stop = StopRequest()
    stop.make_graceful()
    stop.signal()
    stop.rearm()
    limit = PhaseLimit(Budget(max_time_s=None, max_calls=1000), stop, until=0.5, share=0.5)
    assert length_s(limit, clock) == AFTER_STOP_S / 2
    assert limit.reason == STOPPED


def test_a_phase_that_needs_more_than_there_is_up_to_its_end_does_not_begin(clock: ManualClock, budget: Budget) -> None:
    clock.now_s += 60.0
    limit = PhaseLimit(budget, StopRequest(), until=0.5)
    assert not limit.is_reached, "it gets a share in any case"
    assert not limit.has_left(1.0)
    assert PhaseLimit(budget, StopRequest(), until=0.97).has_left(30.0)


def test_a_phase_may_turn_out_to_have_less(clock: ManualClock, budget: Budget) -> None:
    limit = PhaseLimit(budget, StopRequest(), until=0.5)
    clock.now_s += 10.0
    limit.end_by(0.25)
    assert length_s(limit, clock) == 15.0
    limit.end_by(0.5)
    assert limit.is_reached, "it gets no longer"


def test_a_phase_may_turn_out_to_have_more(clock: ManualClock, budget: Budget) -> None:
    limit = PhaseLimit(budget, StopRequest(), until=0.25)
    clock.now_s += 10.0
    limit.end_later(0.5)
    assert length_s(limit, clock) == 40.0
    limit.end_later(0.25)
    assert limit.is_reached, "it gets no shorter"


def test_parts_of_a_phase_have_shares_of_what_is_left_of_it(clock: ManualClock, budget: Budget) -> None:
    whole = PhaseLimit(budget, StopRequest(), until=0.5)
    clock.now_s += 10.0
    assert length_s(whole.part(0.25), clock) == 10.0
    assert length_s(whole.part(1.0), clock) == 30.0
    assert whole.is_reached
    assert whole.part(1.0).is_reached
