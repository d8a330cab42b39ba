"""A SUT that does not come up any more: tried twice, or for as long as its database may be unavailable."""

from __future__ import annotations

import pytest

from engine_parts import FakeDatabases, ManualClock, ScriptedSut, calls_of, new_coordinator, request_stop
from wimble.engine.worker.database_outages import DATABASE_RETURN_S
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.database import DatabaseHome
from wimble.model.evaluation import Evaluation

HOMES = {
    name: DatabaseHome(id=name, driver="pg", host="", port=0, name="", is_file=name == "file")
    for name in ("server", "file")
}


class Outage(FakeDatabases):
    """A database that is away until some time."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self.until_s = 0.0
        super().__init__()

    @property
    def are_away(self) -> bool:
        return self._clock.now_s < self.until_s

    @are_away.setter
    def are_away(self, value: bool) -> None: ...


class LateSut(ScriptedSut):
    """Starts at some time only; an attempt takes a tenth of a second."""

    def __init__(self, clock: ManualClock, databases: FakeDatabases, back_at_s: float) -> None:
        super().__init__(lambda memory, name: (500 if databases.are_away else 200, None), databases=databases)
        self._clock = clock
        self._back_at_s = back_at_s
        self.n_attempts = 0

    def restart(self) -> None:
        self.n_attempts += 1
        self._clock.now_s += 0.1
        if self._clock.now_s < self._back_at_s:
            raise TargetError(slug="sut-did-not-start", what="the command ended before it served anything")
        super().restart()


class Setup:
    def __init__(self, *homes: str, back_at_s: float = 0.0) -> None:
        self.clock = ManualClock()
        self.outage = Outage(self.clock)
        databases = FakeDatabases([HOMES[name] for name in homes]) if homes else self.outage
        self.sut = LateSut(self.clock, databases, back_at_s)
        self.coordinator = new_coordinator()
        self.worker = Worker(self.sut, self.coordinator, self.clock)

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.coordinator.notices.warnings

    def status(self, evaluation: Evaluation) -> str:
        return evaluation.observations[0].outcome_key


def test_a_database_that_comes_back_is_waited_for() -> None:
    setup = Setup("server", back_at_s=12.0)
    setup.worker.restart()
    assert setup.sut.n_starts == 1 and setup.clock.now_s < 14.0
    assert len(setup.warnings) == 1 and "database may be unavailable" in setup.warnings[0]


@pytest.mark.parametrize("homes", [(), ("file",)])
def test_without_a_server_it_is_tried_twice(homes: tuple[str, ...]) -> None:
    setup = Setup(*homes, back_at_s=5.0)
    with pytest.raises(TargetError):
        setup.worker.restart()
    assert setup.sut.n_attempts == 2 and setup.warnings == ()
    soon = Setup(*homes, back_at_s=0.15)
    soon.worker.restart()
    assert soon.sut.n_starts == 1


def test_it_is_not_waited_for_ever() -> None:
    setup = Setup("server", back_at_s=1000.0)
    with pytest.raises(TargetError):
        setup.worker.restart()
    assert DATABASE_RETURN_S <= setup.clock.now_s < DATABASE_RETURN_S + 3.0


def test_who_stops_the_run_does_not_wait() -> None:
    setup = Setup("server", back_at_s=1000.0)
    request_stop(setup.coordinator.stop)
    with pytest.raises(TargetError):
        setup.worker.restart()
    assert setup.sut.n_attempts == 2


def test_what_failed_for_an_outage_is_run_again_on_a_fresh_sut() -> None:
    setup = Setup()
    setup.outage.until_s = 5.0
    assert setup.status(setup.worker.evaluate(calls_of("GET /a"))) == "200"
    assert setup.sut.n_attempts == 1 and setup.warnings == ()


def test_an_outage_is_waited_for_once() -> None:
    setup = Setup()
    setup.outage.until_s = 1000.0
    assert setup.status(setup.worker.evaluate(calls_of("GET /a"))) == "500"
    assert setup.status(setup.worker.evaluate(calls_of("GET /a"))) == "500"
    assert setup.clock.now_s < DATABASE_RETURN_S + 3.0
    assert setup.sut.n_attempts == 0 and len(setup.warnings) == 1


def test_who_stops_the_run_does_not_wait_for_a_database() -> None:
    setup = Setup()
    setup.outage.until_s = 5.0
    request_stop(setup.coordinator.stop)
    assert setup.status(setup.worker.evaluate(calls_of("GET /a"))) == "500"
    assert setup.sut.n_attempts == 0 and setup.clock.now_s == 0.0


def test_the_search_sees_an_outage_as_it_is() -> None:
    setup = Setup()
    setup.outage.until_s = 5.0
    seen = setup.worker.explore(calls_of("GET /a"), covered=(), wants_hints=False)
    assert setup.status(seen) == "500" and setup.clock.now_s == 0.0


def test_the_first_start_tells_how_long_a_start_takes_until_others_have_been_timed() -> None:
    sut = ScriptedSut()
    worker = Worker(sut, new_coordinator(), ManualClock(), first_start_s=3.0)
    sut.has_standby = True
    worker.restart()
    assert worker.start_s == 3.0
    sut.has_standby = False
    worker.restart()
    assert worker.start_s == 0.0


def test_the_next_start_takes_what_those_took_that_were_begun_ahead_of_their_use() -> None:
    sut, clock = ScriptedSut(), ManualClock()
    worker = Worker(sut, new_coordinator(), clock, first_start_s=3.0)
    assert worker.next_start_s == 3.0
    sut.has_standby = True
    assert worker.next_start_s == 1.5, "it is loading"
    worker.restart()
    assert worker.next_start_s == 1.5, "it had loaded by then, which others may not have"
    sut.has_standby = False
    assert worker.next_start_s == 3.0
