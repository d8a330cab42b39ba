"""How the time of verification is counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine_parts import ManualClock, ScriptedSut, new_coordinator, new_worker
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.events import Event
from wimble.engine.session import phase_time
from wimble.engine.verify import verify_phase
from wimble.model.run_conditions import AS_TESTS_RUN, Conditions
from wimble.settings import Settings

START_S = 60.0


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
