"""Pairs of calls without a sign of a race are found together, with four starts."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import Answer, ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.events import FindingFound
from wimble.engine.races import race_phase
from wimble.engine.races.pairs_of_calls import CallPair
from wimble.engine.races.screening import Screened, screened
from wimble.engine.session.phase_time import PhaseLimit
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.observation import Cause
from wimble.model.testcase import TestCase
from wimble.settings import Settings


class AtOnceSut(ScriptedSut):
    """Tells its program whether calls come at once."""

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        self._memory["at once"] = test_case.at_once is not None
        is_fatal = test_case.calls[0].operation.id == "POST /fatal"
        crashes = (Crash(kind="died", call_index=0, cause=Cause()),) * is_fatal
        return replace(super().evaluate(test_case, **options), crashes=crashes)


def shop(memory: dict[str, Any], operation: str) -> Answer:
    """A coupon can be used once, in turn; each order has a number; seats are counted wrongly by two at once; the
    first use of a cart makes it."""
    n_before = memory.get(operation, 0)
    memory[operation] = n_before + 1
    if operation == "POST /coupons":
        return (409 if n_before else 201), {}
    if operation == "POST /gifts":
        return (409 if n_before and not memory["at once"] else 201), {}
    if operation.startswith("POST /carts/"):
        is_lost = memory["at once"] and "cart" not in memory  # each of two calls makes one, and the second one stays
        memory["cart"] = memory.get("cart", 0) + 1
        memory["lost"] = memory.get("lost", 0) + is_lost
        return 201, {}
    if operation == "GET /carts":
        return 200, {"items": memory["cart"] - memory["lost"]}
    if operation == "GET /seats":
        return 200, {"left": 9 - memory.get("POST /seats", 0) + memory["at once"]}
    return 201, {"number": n_before}


def screen(*pairs: TestCase) -> tuple[Screened, ScriptedSut]:
    sut = AtOnceSut(shop)
    coordinator = new_coordinator()
    worker = new_worker(sut, coordinator)
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=0.5)
    cases = [(one, replace(one, at_once=0)) for one in pairs]
    return screened(worker, cases, limit), sut


def clean_pairs(*pairs: TestCase) -> tuple[list[TestCase], ScriptedSut]:
    result, sut = screen(*pairs)
    return [one.test_case for one in result.clean], sut


COUPONS = calls_of("POST /coupons", "POST /coupons")
ORDERS = calls_of("POST /orders", "POST /orders")
GIFTS = calls_of("POST /gifts", "POST /gifts")
SEATS = calls_of("POST /seats", "POST /seats", "GET /seats")


def test_what_is_the_same_at_once_and_in_turn_needs_no_closer_look() -> None:
    result, sut = screen(COUPONS, ORDERS, GIFTS, SEATS)
    assert [one.test_case for one in result.clean] == [COUPONS, ORDERS]
    assert set(result.differing) == {GIFTS, SEATS}, "they are looked at first"
    assert sut.n_starts == 3, "after the first one"


def test_what_a_pair_before_it_has_used_up_is_looked_at_alone() -> None:
    again = calls_of("POST /coupons", "POST /coupons", "GET /seats")
    clean, _ = clean_pairs(COUPONS, again)
    assert clean == [COUPONS]


def test_a_race_that_only_the_first_use_shows_is_not_hidden_by_a_pair_before_it() -> None:
    carts = [calls_of(f"POST /carts/{what}", f"POST /carts/{what}", "GET /carts") for what in ("goods", "gifts")]
    clean, _ = clean_pairs(ORDERS, *carts)
    assert clean == [ORDERS]


def test_what_ends_the_sut_is_run_once() -> None:
    fatal = calls_of("POST /fatal", "POST /fatal")
    result, sut = screen(COUPONS, fatal, ORDERS)
    assert [one.test_case for one in result.clean] == [COUPONS, ORDERS]
    assert result.fatal == [fatal], "it needs no closer look either"
    assert sut.ran.count(fatal) == 1
    assert sut.n_starts == 5


def test_an_operation_with_a_race_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its spare pairs would show the same window between check and change once more."""
    one, other = GIFTS.calls[0], replace(GIFTS.calls[1], user="kim")
    spare = TestCase((*calls_of("GET /seats").calls, one))
    pairs = [CallPair(TestCase((one,)), other), CallPair(spare, other, is_spare=True)]
    monkeypatch.setattr(race_phase, "pairs_of_calls", lambda *_: pairs)
    sut = AtOnceSut(shop)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=None, max_calls=1))
    found = [
        event
        for event in race_phase.run_races(coordinator, new_worker(sut, coordinator), [], StartPolicy())
        if isinstance(event, FindingFound)
    ]
    assert len(found) == 1
    n_screened = 2
    assert sum(one.calls[0].operation.id == "GET /seats" and one.at_once is not None for one in sut.ran) == n_screened


def test_what_has_differed_is_looked_at_first_and_four_runs_are_enough_if_all_show_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def two_shops(memory: dict[str, Any], operation: str) -> Answer:
        if operation == "POST /closed":  # nothing to compare
            return 403, {}
        return shop(memory, operation)

    pairs = [CallPair(one, one.calls[0]) for one in map(calls_of, ("POST /closed", "POST /gifts"))]
    monkeypatch.setattr(race_phase, "pairs_of_calls", lambda *_: pairs)
    sut = AtOnceSut(two_shops)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=None, max_calls=1))
    list(race_phase.run_races(coordinator, new_worker(sut, coordinator), [], StartPolicy()))
    (fault,) = coordinator.faults
    assert "in 4 of 4 runs" in fault.finding.observed
    n_screened = len(pairs) * 4
    assert sut.ran[n_screened].calls[0].operation.id == "POST /gifts"


def seats(memory: dict[str, Any], operation: str) -> Answer:
    """Two seats can be booked; orders and notes can be made without end."""
    n_before = memory.get(operation, 0)
    memory[operation] = n_before + 1
    return (409 if operation == "POST /seats" and n_before > 1 else 201), {}


def test_operations_that_are_never_refused_share_the_start_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("POST /notes", "POST /orders", "POST /seats", "POST /tags")
    pairs = [CallPair(one, one.calls[0]) for one in map(calls_of, names)]
    monkeypatch.setattr(race_phase, "pairs_of_calls", lambda *_: pairs)
    sut = AtOnceSut(seats)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=None, max_calls=1))
    list(race_phase.run_races(coordinator, new_worker(sut, coordinator), [], StartPolicy()))
    longest = max(len(one.calls) for one in sut.ran)
    repeated = [one.calls[0].operation.id for one in sut.ran if len(one.calls) == longest]
    assert sorted(repeated) == [*names[:2], "POST /seats", "POST /seats", names[3]], "on a start of its own again"
    assert any(one.at_once is not None and len(one.calls) == 3 for one in sut.ran), "two calls for the last seat"


def test_a_guess_is_looked_at_only_if_its_call_has_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(memory: dict[str, Any], operation: str) -> Answer:
        memory[operation] = memory.get(operation, 0) + 1
        if operation == "POST /working":  # of two in turn, the second one is refused
            return (409 if memory[operation] > 1 and not memory["at once"] else 201), {}
        return 400, {}

    pairs = [CallPair(one, one.calls[0], is_guess=True) for one in map(calls_of, ("POST /refused", "POST /working"))]
    monkeypatch.setattr(race_phase, "pairs_of_calls", lambda *_: pairs)
    sut = AtOnceSut(refusing)
    coordinator = new_coordinator(Settings(command=("node",), max_time_s=None, max_calls=1))
    list(race_phase.run_races(coordinator, new_worker(sut, coordinator), [], StartPolicy()))
    n_screened = 4
    ran = [one.calls[0].operation.id for one in sut.ran]
    assert ran.count("POST /refused") == n_screened
    assert ran.count("POST /working") > n_screened
