"""Which operations are found to remember, and what becomes of their tests' starts."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from wimble.engine import limits
from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.memory import MAX_ASKED, find_out_memory, keep_to_the_rule_of_suites, note_memory, told_starts
from wimble.engine.stop import StopRequest
from wimble.model.evaluation import Evaluation, Observation
from wimble.model.http import HttpRequest, HttpResponse
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.types import Json, OperationId

Answer = tuple[int, Json]
Sut = Callable[[dict[str, Any], str], Answer]
"""Answers an operation, with what it keeps in memory since its start."""


class FakeContext:
    """With a SUT that is a function."""

    remembers = RunContext.remembers
    make_fresh = RunContext.make_fresh

    def __init__(self, sut: Sut) -> None:
        self._sut = sut
        self._memory: dict[str, Any] = {}
        self.n_starts = 0
        self.n_runs = 0
        self.stop = StopRequest()
        self.sut = SimpleNamespace(live_under=lambda conditions: None)
        self.settings = SimpleNamespace(command=("node",), max_time_s=None, techniques=SimpleNamespace(isolation=True))
        self.budget = SimpleNamespace(is_repeatable=True)
        self.forgetful: frozenset[str] = frozenset()
        self.memory = ""
        self.is_dirty = self.is_lost = self.is_disturbed = False
        self.calls_since_start = 0
        self.start_s = 0.0

    def restart(self) -> None:
        self._memory = {}
        self.n_starts += 1
        self.is_dirty = False

    def evaluate(self, test_case: TestCase) -> tuple[Evaluation, list[object]]:
        self.n_runs += 1
        observations = []
        for index, call in enumerate(test_case.calls):
            status, body = self._sut(self._memory, call.operation.id)
            response = HttpResponse(status, (("content-type", "application/json"),), json.dumps(body).encode())
            observations.append(Observation(call_index=index, request=HttpRequest("GET", "/"), response=response))
        return Evaluation(test_case=test_case, observations=tuple(observations), reached={}), []


def calls_of(*operations: str) -> TestCase:
    def call(name: str) -> Call:
        method, _, path = name.partition(" ")
        return Call(Operation(id=OperationId(name), method=method, path=path), ())

    return TestCase(tuple(map(call, operations)))


def asked(sut: Sut, *test_cases: TestCase) -> Any:
    context: Any = FakeContext(sut)
    candidates = [Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in test_cases]
    find_out_memory(context, candidates, limits.PhaseLimit(context, share=0.5, at_least_s=30.0))
    context.candidates = candidates
    return context


def test_a_sut_that_only_computes_needs_no_starts() -> None:
    context = asked(lambda memory, operation: (200, {"sum": 3}), calls_of("POST /sum"), calls_of("GET /sum"))
    assert context.forgetful == {"POST /sum", "GET /sum"} and context.memory == ""
    starts = context.n_starts
    context.is_dirty = True
    context.make_fresh(calls_of("POST /sum", "GET /sum"), entirely=True)
    assert context.n_starts == starts
    context.make_fresh()
    assert context.n_starts == starts + 1, "nobody said what it is for"


def test_what_was_never_asked_counts_as_remembered() -> None:
    context = asked(lambda memory, operation: (200, None), calls_of("POST /a"))
    assert context.remembers(calls_of("POST /a", "POST /b"))


def counter(memory: dict[str, Any], operation: str) -> Answer:
    if operation == "POST /orders":
        memory["n"] = memory.get("n", 0) + 1
        return 201, {"id": memory["n"]}
    return 200, {"version": 1}


def test_a_counter_shows_in_its_own_operation_alone() -> None:
    context = asked(counter, calls_of("POST /orders"), calls_of("POST /orders", "GET /"), calls_of("GET /"))
    assert context.forgetful == {"GET /"}
    assert context.memory == "POST /orders answered 201 with two bodies"


def test_what_is_put_is_missed_by_those_before_it() -> None:
    """Each run in the same order finds the same; only backwards on a fresh start does the reader come first."""

    def setting(memory: dict[str, Any], operation: str) -> Answer:
        if operation == "PUT /setting":
            memory["setting"] = "on"
            return 200, {}
        return (200, {}) if "setting" in memory else (404, {})

    context = asked(setting, calls_of("PUT /setting"), calls_of("GET /setting"))
    assert context.forgetful == {"PUT /setting"}
    assert context.memory == "GET /setting answered 200 and 404"


def test_chance_is_no_memory() -> None:
    numbers = count()
    context = asked(lambda memory, operation: (200, {"drawn": next(numbers)}), calls_of("POST /dice"))
    assert context.forgetful == {"POST /dice"} and context.memory == ""


def test_a_reader_comes_before_all_that_makes_once() -> None:
    """Backwards alone, what makes it would come before the one that reads it, again."""

    def things(memory: dict[str, Any], operation: str) -> Answer:
        if operation != "GET /things":
            memory["things"] = True
            return 204, None
        return (200, {}) if "things" in memory else (404, {})

    context = asked(things, calls_of("POST /things"), calls_of("GET /things"), calls_of("PUT /things"))
    assert "GET /things" not in context.forgetful


def test_each_test_that_finds_the_same_everywhere_shares_a_start() -> None:
    def shop(memory: dict[str, Any], operation: str) -> Answer:
        return (400, {}) if operation == "POST /refused" else counter(memory, operation)

    context = asked(shop, calls_of("POST /refused"), calls_of("POST /orders"), calls_of("GET /", "POST /refused"))
    context.sut.databases = SimpleNamespace(homes=(), schemas=())
    assert [one.is_forgetful for one in context.candidates] == [True, False, True]
    keep_to_the_rule_of_suites(context, context.candidates)
    assert context.forgetful == frozenset(), "of what remembers, not even a fault that names no such operation"
    assert [one.is_forgetful for one in context.candidates] == [True, False, True]


def test_a_fault_shares_a_start_only_where_nothing_is_remembered() -> None:
    context: Any = FakeContext(lambda memory, operation: (500, {}))
    fault = Candidate(
        test_case=calls_of("POST /a"), fault_key=("server-error",), targets=frozenset(), original=calls_of("POST /a")
    )
    find_out_memory(context, [fault], limits.PhaseLimit(context, share=0.5, at_least_s=30.0))
    assert not fault.is_forgetful and context.forgetful == {"POST /a"}


def test_what_changes_by_chance_in_its_status_has_a_start_of_its_own() -> None:
    numbers = count()
    context = asked(lambda memory, operation: (200 + next(numbers) % 2, None), calls_of("POST /dice"))
    assert not context.candidates[0].is_forgetful


@pytest.mark.parametrize(
    ("home", "has_starts"),
    [
        (SimpleNamespace(id="main", driver="pg", is_reset=True, is_file=False), False),
        (SimpleNamespace(id="main", driver="better-sqlite3", is_reset=True, is_file=True), True),
        (SimpleNamespace(id="main", driver="pg", is_reset=False, is_file=False), True),
        (None, True),  # in the SUT's own memory
    ],
)
def test_only_databases_that_a_suite_puts_back_need_no_start(home: Any, *, has_starts: bool) -> None:
    context = asked(lambda memory, operation: (200, None), calls_of("POST /a"))
    homes = (home,) if home is not None else ()
    context.sut.databases = SimpleNamespace(homes=homes, schemas=(SimpleNamespace(id="main"),))
    keep_to_the_rule_of_suites(context, context.candidates)
    assert context.remembers(calls_of("POST /a")) is has_starts
    assert context.candidates[0].is_forgetful is not has_starts


def test_safe_calls_are_not_asked_about() -> None:
    context = asked(counter, calls_of("GET /"), calls_of("GET /other"))
    assert context.n_runs == 0 and context.forgetful == frozenset()


def test_what_is_asked_is_bounded() -> None:
    context = asked(counter, *(calls_of("POST /orders") for _ in range(MAX_ASKED + 50)))
    assert context.n_runs == 4 * MAX_ASKED and context.n_starts == 3


def test_a_fault_that_needs_history_takes_it_back() -> None:
    context = asked(lambda memory, operation: (200, None), calls_of("POST /a"))
    note_memory(context, "a fault needs what earlier tests did")
    assert context.remembers(calls_of("POST /a"))
    assert told(memory=context.memory) == (
        "the SUT remembers (a fault needs what earlier tests did): each test starts it afresh"
    )


def test_what_is_told_of_starts() -> None:
    assert told(remembers=False).endswith("tests of a file share a start")
    assert told() == ""
    assert told(memory="it counts", n_sharing=3).endswith(
        "3 of 5 tests find the same whatever ran before and share a start per file, each other one starts it afresh"
    )
    assert told(memory="it counts", in_order=True, n_sharing=5).endswith(
        "tests of a file share a start, in their order"
    )


def told(*, remembers: bool = True, memory: str = "", in_order: bool = False, n_sharing: int = 0) -> str:
    return told_starts(remembers=remembers, memory=memory, in_order=in_order, n_sharing=n_sharing, n_tests=5)
