"""Races are looked for without starts where databases are put back between runs, or where starts take too long."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import Answer, FakeDatabases, ScriptedSut, calls_of, finished, new_coordinator
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.faults.history import History
from wimble.engine.faults.shown_faults import ShownFaults
from wimble.engine.races import race_phase
from wimble.engine.races.pairs_of_calls import CallPair
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.worker.worker import Worker
from wimble.model.database import Database, DatabaseHome
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.testcase import TestCase
from wimble.oracles.failures.crashes import DIED
from wimble.settings import Settings

HOME = DatabaseHome(id="main", driver="pg", host="", port=0, name="", is_reset=True)
IN_CALLS = Settings(command=("node",), max_time_s=None, max_calls=1)


class StoringSut(ScriptedSut):
    """Keeps rows in a database, which is put back before each run, and the rest in its memory."""

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        self._memory["rows"] = {}
        self._memory["at once"] = test_case.at_once is not None
        return super().evaluate(test_case, **options)


def bookings(memory: dict[str, Any], operation: str) -> Answer:
    """A room is booked once in turn, and twice at once. Its bookings are rows; the coupons are in memory. The first
    two late calls at once come one after the other, since the second one has to connect. A name is stored once."""
    state = memory if operation == "POST /coupons" else memory["rows"]
    n_before = state.get(operation, 0)
    state[operation] = n_before + 1
    if operation == "POST /late" and memory["at once"] and n_before and not memory.get("is connected"):
        memory["is connected"] = True
        return 409, {}
    if operation == "POST /names" and n_before:
        return 500, {"message": "Duplicate entry"}
    return (409 if n_before and not memory["at once"] else 201), {}


def look(
    monkeypatch: pytest.MonkeyPatch, operation: str, *, is_put_back: bool = True, settings: Settings = IN_CALLS
) -> tuple[Coordinator, ScriptedSut]:
    coordinator, sut, _ = shown(monkeypatch, operation, is_put_back=is_put_back, settings=settings)
    return coordinator, sut


def shown(
    monkeypatch: pytest.MonkeyPatch, operation: str, *, is_put_back: bool = True, settings: Settings = IN_CALLS
) -> tuple[Coordinator, ScriptedSut, ShownFaults]:
    one = calls_of(operation)
    monkeypatch.setattr(race_phase, "pairs_of_calls", lambda *_: [CallPair(one, one.calls[0])])
    homes = (HOME,) if is_put_back else ()
    sut = StoringSut(bookings, databases=FakeDatabases(homes, (Database(id="main", dialect="postgres"),)))
    coordinator = new_coordinator(settings)
    events = race_phase.run_races(coordinator, Worker(sut, coordinator, first_start_s=60), [], StartPolicy())
    faults = finished(events)
    return coordinator, sut, faults


def test_what_calls_in_turn_show_is_a_fault_with_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    coordinator, _, faults = shown(monkeypatch, "POST /names")
    (fault,) = coordinator.faults
    assert fault.finding.oracle == "server-error"
    (test,) = faults.tests
    assert [one.observation.outcome_key for one in test.calls] == ["201", "500"]
    assert [one.key for one in test.findings] == [fault.key]
    assert not faults.notes


def test_a_race_on_rows_is_told_without_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    coordinator, sut = look(monkeypatch, "POST /rooms")
    (fault,) = coordinator.faults
    assert "in 4 of 4 runs" in fault.finding.observed
    assert sut.n_starts == 0


def test_calls_at_once_run_a_second_time_where_they_did_what_they_do_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    coordinator, _ = look(monkeypatch, "POST /late")
    assert len(coordinator.faults) == 1


def test_what_the_memory_keeps_is_looked_at_on_fresh_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    coordinator, sut = look(monkeypatch, "POST /coupons")
    assert len(coordinator.faults) == 1, "on one start, the second run in turn is refused at once"
    assert sut.n_starts > 4


def test_where_starts_take_long_races_are_looked_for_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = replace(IN_CALLS, max_time_s=1.0)
    coordinator, sut = look(monkeypatch, "POST /rooms", is_put_back=False, settings=slow)
    assert len(coordinator.faults) == 1
    assert sut.n_starts == 0

    coordinator, sut = look(monkeypatch, "POST /coupons", is_put_back=False, settings=slow)
    assert not coordinator.faults
    assert sut.n_starts == 0
    (warning,) = coordinator.notices.warnings
    assert warning.startswith("races were not looked for: out of time")
    assert warning.endswith("a start of the SUT takes 60.0 s")


def test_without_screening_calls_that_may_end_the_sut_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("POST /deadly", "POST /rooms")
    pairs = [CallPair(one, one.calls[0]) for one in map(calls_of, names)]
    monkeypatch.setattr(race_phase, "pairs_of_calls", lambda *_: pairs)
    sut = StoringSut(bookings, databases=FakeDatabases((HOME,), (Database(id="main", dialect="postgres"),)))
    coordinator = new_coordinator(IN_CALLS)
    finding = Finding(
        oracle=DIED,
        key=(DIED,),
        operation=names[0],
        status=None,
        title="",
        observed="",
        expected="",
        cause=Cause(),
        call_index=0,
    )
    list(
        coordinator.faults.note(
            Evaluation(test_case=pairs[0].test_case, observations=(), reached={}),
            [finding],
            History(),
            calls=1,
            elapsed_s=0,
        )
    )
    list(race_phase.run_races(coordinator, Worker(sut, coordinator), [], StartPolicy()))
    assert sut.ran[0].calls[0].operation.id == "POST /rooms"
    assert sut.ran[-1].calls[0].operation.id == "POST /deadly"
