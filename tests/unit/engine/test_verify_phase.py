"""How the time of verification is counted."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from wimble.engine import limits, verify_phase
from wimble.engine.stop import StopRequest
from wimble.model.conditions import AS_TESTS_RUN, Conditions

START_S = 60.0


class FakeContext:
    """Whose SUT takes longer to start than verification may take."""

    def __init__(self, *, shares_start: bool) -> None:
        self.now_s = 0.0
        self.shares_start = shares_start
        self.stop = StopRequest()
        self.conditions: list[tuple[float, Conditions]] = []
        self.forgetful: frozenset[str] = frozenset()
        self.sut = SimpleNamespace(
            databases=SimpleNamespace(homes=(), schemas=()),
            move_clock=lambda is_on: None,
            live_under=lambda conditions: self.conditions.append((self.now_s, conditions)),
        )
        self.settings = SimpleNamespace(max_time_s=60.0)
        self.budget = SimpleNamespace(is_repeatable=False)

    def remembers(self, _test_case: object) -> bool:
        return True

    def restart(self) -> None:
        self.now_s += START_S

    def make_fresh(self, *, entirely: bool) -> None:
        self.restart()

    def take_events(self) -> list[object]:
        return []


@pytest.mark.parametrize("shares_start", [True, False])
def test_a_slow_start_takes_nothing_from_the_time_for_tests(
    monkeypatch: pytest.MonkeyPatch, *, shares_start: bool
) -> None:
    context: Any = FakeContext(shares_start=shares_start)
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: context.now_s))
    seen = []

    def verify(_context: object, _candidates: object, limit: limits.PhaseLimit, _verified: object) -> Iterator[object]:
        seen.append((context.now_s, limit.is_reached))
        context.now_s += START_S
        seen.append((context.now_s, limit.is_reached))
        yield from ()

    name = "verify_in_shared_starts" if shares_start else "_verify_alone"
    monkeypatch.setattr(verify_phase, name, verify)
    list(verify_phase.run_verify(context, []))
    assert seen == [(START_S, False), (2 * START_S, True)]
    assert context.conditions == [(0.0, AS_TESTS_RUN)], (
        "from before the first run on: generated tests cannot reset a database in the SUT's memory"
    )
