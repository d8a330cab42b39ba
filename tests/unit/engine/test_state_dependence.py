"""Which operations are found to remember, and what becomes of their tests' starts."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import REQUESTS, Answer, FakeDatabases, Program, ScriptedSut, calls_of, new_coordinator, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.trials import Trials
from wimble.engine.candidates.worth import by_worth
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.state_dependence import (
    LARGER_SHARE,
    MAX_ASKED,
    N_RUNS,
    SHARE_IF_CHEAP,
    TIME_SHARE,
    as_suites_start,
    find_state_dependence,
    told_starts,
)
from wimble.engine.worker.worker import Worker
from wimble.model.database import Database, DatabaseHome
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.observation import Cause
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import TestCase
from wimble.settings import Settings


class Asked:
    """What was found out of a SUT that is a program."""

    def __init__(self, program: Program, *candidates: Candidate) -> None:
        self.sut = ScriptedSut(program)
        self.coordinator = new_coordinator()
        self.worker = new_worker(self.sut, self.coordinator)
        limit = PhaseLimit(self.coordinator.budget, self.coordinator.stop, until=0.5)
        found = find_state_dependence(self.coordinator, self.worker, candidates, limit)
        self.starts, self.candidates = found.starts, found.candidates

    @property
    def independent(self) -> list[bool]:
        return [one.is_order_independent for one in self.candidates]


def asked(program: Program, *test_cases: TestCase) -> Asked:
    return Asked(
        program,
        *(Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in test_cases),
    )


def test_a_sut_that_only_computes_needs_no_starts() -> None:
    context = asked(lambda memory, operation: (200, {"sum": 3}), calls_of("POST /sum"), calls_of("GET /sum"))
    assert context.starts.independent == {"POST /sum", "GET /sum"} and context.starts.evidence == ""
    starts = context.sut.n_starts
    trials = Trials(context.worker, context.starts)
    trials.make_fresh_for(context.candidates[0], calls_of("POST /sum", "GET /sum"))
    assert context.sut.n_starts == starts
    context.worker.make_fresh()
    assert context.sut.n_starts == starts + 1, "nobody said what it is for"


def test_what_was_never_asked_counts_as_remembered() -> None:
    context = asked(lambda memory, operation: (200, None), calls_of("POST /a"))
    assert context.starts.depends_on_state(calls_of("POST /a", "POST /b"))


def counter(memory: dict[str, Any], operation: str) -> Answer:
    if operation == "POST /orders":
        memory["n"] = memory.get("n", 0) + 1
        return 201, {"id": memory["n"]}
    return 200, {"version": 1}


def test_a_counter_shows_in_its_own_operation_alone() -> None:
    context = asked(counter, calls_of("POST /orders"), calls_of("POST /orders", "GET /"), calls_of("GET /"))
    assert context.starts.independent == {"GET /"}
    assert context.starts.evidence == "POST /orders answered 201 with two bodies"


def answered_by_a_service(operation: str) -> TestCase:
    keys = new_answer("https://id.example:443", "GET", "/keys", body={"keys": []})
    return TestCase(calls_of(operation).calls, (keys,))


def test_a_kept_answer_of_a_service_shows_in_the_requests_alone() -> None:
    def keeping(memory: dict[str, Any], operation: str) -> Answer:
        if operation != "GET /health" and not memory.get("has_keys"):
            memory["has_keys"] = True
            sent = ExternalRequest(call=0, site="", n=0, origin="https://id.example:443", method="GET", target="/keys")
            memory[REQUESTS] = [sent]
        return 401, None

    tests = [answered_by_a_service(operation) for operation in ("GET /me", "GET /rooms", "GET /health")]
    context = asked(keeping, *tests)
    assert context.starts.independent == {"GET /health"}
    assert context.independent == [False, False, True]
    assert "ask the same of services" in context.starts.evidence


def test_what_stands_behind_a_kept_token_in_each_order_shares_no_start() -> None:
    def paying(memory: dict[str, Any], operation: str) -> Answer:
        places = ["/charges"] if memory.get("has_token") else ["/token", "/charges"]
        if operation == "POST /charges":
            memory["has_token"] = True
            memory[REQUESTS] = [
                ExternalRequest(call=0, site="", n=n, origin="https://pay.example:443", method="POST", target=place)
                for n, place in enumerate(places)
            ]
        return 402, None

    context = asked(paying, *map(calls_of, ["POST /charges"] * 3), calls_of("POST /refused"))
    assert context.independent == [False, False, False, True], "the second one never stood first"


def test_what_is_put_is_missed_by_those_before_it() -> None:
    """Each run in the same order finds the same; only backwards on a fresh start does the reader come first."""

    def setting(memory: dict[str, Any], operation: str) -> Answer:
        if operation == "PUT /setting":
            memory["setting"] = "on"
            return 200, {}
        return (200, {}) if "setting" in memory else (404, {})

    context = asked(setting, calls_of("PUT /setting"), calls_of("GET /setting"))
    assert context.starts.independent == {"PUT /setting"}
    assert context.starts.evidence == "GET /setting answered 200 and 404"


def test_chance_is_no_memory() -> None:
    numbers = count()
    context = asked(lambda memory, operation: (200, {"drawn": next(numbers)}), calls_of("POST /dice"))
    assert context.starts.independent == {"POST /dice"} and context.starts.evidence == ""


def test_a_reader_comes_before_all_that_makes_once() -> None:
    """Backwards alone, what makes it would come before the one that reads it, again."""

    def things(memory: dict[str, Any], operation: str) -> Answer:
        if operation != "GET /things":
            memory["things"] = True
            return 204, None
        return (200, {}) if "things" in memory else (404, {})

    context = asked(things, calls_of("POST /things"), calls_of("GET /things"), calls_of("PUT /things"))
    assert "GET /things" not in context.starts.independent


def test_each_test_that_finds_the_same_everywhere_shares_a_start() -> None:
    def shop(memory: dict[str, Any], operation: str) -> Answer:
        return (400, {}) if operation == "POST /refused" else counter(memory, operation)

    context = asked(shop, calls_of("POST /refused"), calls_of("POST /orders"), calls_of("GET /", "POST /refused"))
    assert context.independent == [True, False, True]
    starts, candidates = as_suites_start(context.starts, context.candidates, context.sut.databases)
    assert starts.independent == frozenset(), "of what remembers, not even a fault that names no such operation"
    assert [one.is_order_independent for one in candidates] == [True, False, True]


def test_a_fault_shares_a_start_only_where_nothing_is_remembered() -> None:
    fault = Candidate(
        test_case=calls_of("POST /a"), fault_key=("server-error",), targets=frozenset(), original=calls_of("POST /a")
    )
    context = Asked(lambda memory, operation: (500, {}), fault)
    assert context.independent == [False] and context.starts.independent == {"POST /a"}


def test_a_fault_is_steady_if_it_shows_whatever_ran_before() -> None:
    def program(memory: dict[str, Any], operation: str) -> Answer:
        memory[operation] = memory.get(operation, 0) + 1
        return (200, {}) if operation == "POST /full" and memory[operation] < 3 else (500, {"n": memory[operation]})

    worker = new_worker(ScriptedSut(program), new_coordinator())
    faults = []
    for operation in ("POST /broken", "POST /full"):
        test_case = calls_of(operation)
        (key,) = {finding.key for _ in range(3) for finding in worker.evaluate(test_case).findings}
        faults.append(Candidate(test_case=test_case, fault_key=key, targets=frozenset(), original=test_case))
    other = replace(faults[0], fault_key=("another",))
    asked = Asked(program, *faults, other).candidates
    assert [one.is_steady for one in asked] == [True, False, False]
    assert [one.was_missed for one in asked] == [False, True, True]


@pytest.mark.parametrize("counts", [False, True])
def test_a_fault_with_the_same_answer_everywhere_shares_a_start(*, counts: bool) -> None:
    def program(memory: dict[str, Any], operation: str) -> Answer:
        memory["n"] = memory.get("n", 0) + 1
        return 500, {"n": memory["n"] if counts else 0}

    test_case = calls_of("POST /broken")
    (finding,) = new_worker(ScriptedSut(program), new_coordinator()).evaluate(test_case).findings
    fault = Candidate(test_case=test_case, fault_key=finding.key, targets=frozenset(), original=test_case)
    (found,) = Asked(program, fault).candidates
    assert (found.is_steady, found.is_order_independent) == (True, not counts)


class MortalSut(ScriptedSut):
    """Ends at `POST /fatal`."""

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        is_fatal = test_case.calls[0].operation.id == "POST /fatal"
        crashes = (Crash(kind="died", call_index=0, cause=Cause()),) * is_fatal
        return replace(super().evaluate(test_case, **options), crashes=crashes)


def test_what_ends_the_sut_is_not_run_in_other_orders() -> None:
    """Each end would be a start more."""
    sut, fatal = MortalSut(), calls_of("POST /fatal")
    coordinator = new_coordinator()
    test_cases = [calls_of("POST /a"), fatal, calls_of("GET /")]
    candidates = [Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in test_cases]
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=0.5)
    found = find_state_dependence(coordinator, new_worker(sut, coordinator), candidates, limit)
    assert [one.is_order_independent for one in found.candidates] == [True, False, True]
    assert (sut.ran.count(fatal), sut.n_starts) == (1, 4)


def test_what_changes_by_chance_in_its_status_has_a_start_of_its_own() -> None:
    numbers = count()
    context = asked(lambda memory, operation: (200 + next(numbers) % 2, None), calls_of("POST /dice"))
    assert context.independent == [False]


def home(driver: str, *, is_file: bool = False, is_reset: bool = True) -> DatabaseHome:
    return DatabaseHome(id="main", driver=driver, host="", port=0, name="", is_file=is_file, is_reset=is_reset)


@pytest.mark.parametrize(
    ("home", "has_starts"),
    [
        (home("pg"), False),
        (home("better-sqlite3", is_file=True), True),
        (home("pg", is_reset=False), True),
        (None, True),  # in the SUT's own memory
    ],
)
def test_only_databases_that_a_suite_puts_back_need_no_start(home: DatabaseHome | None, *, has_starts: bool) -> None:
    context = asked(lambda memory, operation: (200, None), calls_of("POST /a"))
    databases = FakeDatabases((home,) if home is not None else (), (Database(id="main", dialect="postgres"),))
    starts, candidates = as_suites_start(context.starts, context.candidates, databases)
    assert starts.depends_on_state(calls_of("POST /a")) is has_starts
    is_put_back = home is not None and home.is_reset
    assert candidates[0].is_order_independent is is_put_back, "also where the suite has to start each test"
    assert starts.starts_each is (has_starts and is_put_back)


def test_safe_calls_are_not_asked_about() -> None:
    context = asked(counter, calls_of("GET /"), calls_of("GET /other"))
    assert len(context.sut.ran) == 0 and context.starts.independent == frozenset()


def test_what_is_asked_is_bounded() -> None:
    context = asked(counter, *(calls_of("POST /orders") for _ in range(MAX_ASKED + 50)))
    assert len(context.sut.ran) == 4 * MAX_ASKED and context.sut.n_starts == 3


def test_a_fault_that_needs_history_takes_it_back() -> None:
    context = asked(lambda memory, operation: (200, None), calls_of("POST /a"))
    starts = context.starts.without_independence("a fault depends on earlier tests")
    assert starts.depends_on_state(calls_of("POST /a"))
    assert told(evidence=starts.evidence) == (
        "the SUT keeps state (a fault depends on earlier tests): each test starts it afresh"
    )


def test_what_is_told_of_starts() -> None:
    assert told(remembers=False).endswith("tests of a file share a start")
    assert told() == ""
    assert told(evidence="it counts", n_sharing=3).endswith(
        "3 of 5 tests are order-independent and share a start per file; each other test starts the SUT afresh"
    )
    assert told(evidence="it counts", in_order=True, n_sharing=5).endswith(
        "tests of a file share a start, in their order"
    )


def told(*, remembers: bool = True, evidence: str = "", in_order: bool = False, n_sharing: int = 0) -> str:
    return told_starts(remembers=remembers, evidence=evidence, in_order=in_order, n_sharing=n_sharing, n_tests=5)


class FewRuns:
    """A limit that counts runs instead of seconds."""

    is_reached = False

    def __init__(self, sut: ScriptedSut, length: int, *, starts_fit: bool = True, first_start: int = 0) -> None:
        """first_start: how many runs the first start takes as long as."""
        self._sut = sut
        self._first_start = first_start
        self._length = length
        self._answers = [True, starts_fit]

    def allows(self, _duration_s: float, _share: float) -> bool:
        """Whether there is time for a start for each, and then for those of the examination."""
        return self._answers.pop()

    def is_spent(self, share: float) -> bool:
        return self._first_start + len(self._sut.ran) >= share * self._length


@pytest.mark.parametrize(
    ("share", "starts_fit", "start_s"),
    [(TIME_SHARE, True, 0.0), (LARGER_SHARE, False, 0.0), (SHARE_IF_CHEAP, True, 60.0)],
)
def test_what_there_is_time_for_is_examined_in_all_runs(
    monkeypatch: pytest.MonkeyPatch, share: float, *, starts_fit: bool, start_s: float
) -> None:
    """start_s: where a start takes much longer than a run, there is more time."""
    monkeypatch.setattr(Worker, "start_s", start_s)
    sut = ScriptedSut(lambda memory, operation: (200, {}))
    worker = new_worker(sut, new_coordinator())
    asked_in_all = 5
    limit = FewRuns(sut, round(asked_in_all * N_RUNS / share), starts_fit=starts_fit)
    test_cases = [calls_of(f"POST /{number}") for number in range(20)]
    candidates = [Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in test_cases]
    found = find_state_dependence(new_coordinator(), worker, candidates, limit)  # type: ignore[arg-type]
    assert [one.is_order_independent for one in found.candidates] == [True] * asked_in_all + [False] * 15
    assert len(sut.ran) == asked_in_all * N_RUNS


def test_what_there_is_no_time_for_is_taken_to_be_as_its_operations_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "start_s", 0.0)
    sut = ScriptedSut(counter)
    asked_in_all = 2
    limit = FewRuns(sut, round(asked_in_all * N_RUNS / TIME_SHARE))
    names = ["GET /", "POST /orders", "GET /", "POST /orders", "GET /other"]
    candidates = [
        Candidate(test_case=one, fault_key=("f",) if number == 5 else None, targets=frozenset(), original=one)
        for number, one in enumerate([*map(calls_of, names), calls_of("GET /")])
    ]
    found = find_state_dependence(new_coordinator(), new_worker(sut), candidates, limit)  # type: ignore[arg-type]
    assert len(sut.ran) == asked_in_all * N_RUNS
    assert [one.is_order_independent for one in found.candidates] == [True, False, True, False, False, False]


def test_few_test_cases_are_not_worth_the_starts_for_their_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "start_s", 0.0)
    sut = ScriptedSut(lambda memory, operation: (200, {}))
    worker = new_worker(sut, new_coordinator())
    limit = FewRuns(sut, round(3 * N_RUNS / TIME_SHARE))
    test_cases = [calls_of(f"POST /{number}") for number in range(20)]
    candidates = [Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in test_cases]
    found = find_state_dependence(new_coordinator(), worker, candidates, limit)  # type: ignore[arg-type]
    assert sut.n_starts == 1 and len(sut.ran) == 3
    assert not any(one.is_order_independent for one in found.candidates)


def test_a_slow_first_start_leaves_time_for_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "start_s", 0.0)
    sut = ScriptedSut(lambda memory, operation: (200, {}))
    worker = new_worker(sut, new_coordinator())
    limit = FewRuns(sut, round(40 / TIME_SHARE), first_start=15)
    test_cases = [calls_of(f"POST /{number}") for number in range(20)]
    candidates = [Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one) for one in test_cases]
    found = find_state_dependence(new_coordinator(), worker, candidates, limit)  # type: ignore[arg-type]
    assert [one.is_order_independent for one in found.candidates] == [True] * 5 + [False] * 15


def test_no_second_start_is_made_where_the_first_took_all_the_time() -> None:
    sut = ScriptedSut(lambda memory, operation: (200, {}))
    worker = new_worker(sut, new_coordinator())
    n_before = sut.n_starts
    one = Candidate(test_case=calls_of("POST /a"), fault_key=None, targets=frozenset(), original=calls_of("POST /a"))
    found = find_state_dependence(new_coordinator(), worker, [one], FewRuns(sut, 0))  # type: ignore[arg-type]
    assert not found.candidates[0].is_order_independent and found.starts.independent == frozenset()
    assert (sut.n_starts - n_before, sut.ran) == (1, [])


class SleepingSut(ScriptedSut):
    """One operation of it sleeps by its own clock."""

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        evaluation = super().evaluate(test_case, **options)
        observations = [
            replace(one, elapsed_s=3.0 if call.operation.id == "POST /jobs" else 0.001)
            for call, one in zip(test_case.calls, evaluation.observations, strict=True)
        ]
        return replace(evaluation, observations=tuple(observations))


@pytest.mark.parametrize("max_time_s", [60.0, None])
def test_what_sleeps_takes_no_time_from_the_examination_of_others(max_time_s: float | None) -> None:
    settings = Settings(command=("node", "server.js"), max_time_s=max_time_s, max_calls=None if max_time_s else 1000)
    names = [("POST /jobs",), *((f"POST /{number}",) for number in range(2)), ("GET /2", "POST /jobs"), ("POST /3",)]
    candidates = [
        Candidate(test_case=calls_of(*name), fault_key=None, targets=frozenset(), original=calls_of(*name))
        for name in names
    ]
    sut, coordinator = SleepingSut(), new_coordinator(settings)
    worker = new_worker(sut, coordinator)
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=0.5)
    found = find_state_dependence(coordinator, worker, candidates, limit)
    n_ran = [sum(one == candidate.test_case for one in sut.ran) for candidate in candidates]
    is_known = max_time_s is None  # a run that can be repeated does not look at the clock
    n_of_slow = N_RUNS if is_known else 1
    assert n_ran == [n_of_slow, N_RUNS, N_RUNS, n_of_slow, N_RUNS]
    assert (sut.ran[len(names) - 1] == candidates[3].test_case) is not is_known, "what calls the same comes last"
    assert [one.is_order_independent for one in found.candidates] == [is_known, True, True, is_known, True]
    assert [one.is_slow for one in found.candidates] == [not is_known, False, False, not is_known, False]
    assert {*by_worth(found.candidates)[-2:]} == ({3, 4} if is_known else {0, 3})
