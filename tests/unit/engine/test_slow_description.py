"""Calls for the inferred document take no start of a SUT that starts slowly from its tests."""

from types import SimpleNamespace
from typing import Any

import pytest

from engine_parts import ManualClock, new_coordinator
from wimble.engine.description.description_phase import _Trials
from wimble.engine.session.budget import Budget
from wimble.engine.session.phase_time import DESCRIBED_BY, PhaseLimit
from wimble.engine.session.stop import StopRequest


@pytest.mark.parametrize(
    ("start_s", "max_calls", "has_time"), [(1.0, None, True), (3.0, None, False), (3.0, 1000, True)]
)
def test_a_sut_that_has_ended_is_started_again_if_that_takes_little_of_the_time(start_s, max_calls, has_time):
    clock = ManualClock()
    budget = Budget(max_time_s=None if max_calls else 60.0, max_calls=max_calls, clock=clock.monotonic)
    clock.now_s += 60.0
    budget.stop_clock()
    worker: Any = SimpleNamespace(start_s=start_s, freshness=SimpleNamespace(is_lost=False))
    trials = _Trials(new_coordinator(), worker, PhaseLimit(budget, StopRequest(), until=DESCRIBED_BY))
    assert trials.has_time_to_start is has_time
    assert not trials.is_stuck
    worker.freshness.is_lost = True
    assert trials.is_stuck is not has_time
