"""A worker knows how fresh its SUT is; several workers share a coordinator."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from engine_parts import Answer, ScriptedSut, calls_of, new_coordinator, new_worker, operation
from wimble.engine.events import FindingFound
from wimble.engine.search_phase import CALLS_BETWEEN_RESTARTS, proposals, run_search
from wimble.engine.worker.spontaneous_ends import MAX_VAIN_REPEATS
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Crash, Evaluation, Origin, Reached
from wimble.model.observation import Cause
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import TestCase
from wimble.settings import Settings
from wimble.types import TargetId


def test_a_sut_that_was_only_read_is_fresh() -> None:
    sut = ScriptedSut()
    worker = new_worker(sut)
    worker.evaluate(calls_of("GET /a"))
    worker.make_fresh()
    assert sut.n_starts == 0
    worker.make_fresh(entirely=True)
    assert sut.n_starts == 1, "not for what must have no calls before it"


def test_a_write_makes_it_dirty_whatever_it_is_answered() -> None:
    sut = ScriptedSut(lambda memory, name: (404, None))
    worker = new_worker(sut)
    worker.evaluate(calls_of("DELETE /a"))
    worker.make_fresh(is_order_independent=True)
    assert sut.n_starts == 0
    worker.make_fresh()
    assert sut.n_starts == 1 and not worker.freshness.is_dirty and worker.freshness.n_calls == 0


def test_a_start_is_shared_until_a_test_with_its_own_start_has_run_on_it() -> None:
    sut = ScriptedSut()
    worker = new_worker(sut)
    for _ in range(2):
        worker.make_shared()
        worker.evaluate(calls_of("POST /a"))
    assert sut.n_starts == 0
    worker.make_fresh()
    worker.evaluate(calls_of("POST /a"))
    worker.make_shared()
    assert sut.n_starts == 2


def test_a_start_on_which_nothing_was_changed_yet_is_shared_whatever_it_was_made_for() -> None:
    sut = ScriptedSut()
    worker = new_worker(sut)
    worker.restart()
    worker.make_fresh(entirely=True)
    for _ in range(3):
        worker.make_shared()
        worker.evaluate(calls_of("POST /a"))
    assert sut.n_starts == 1


def test_a_start_forgets_the_history() -> None:
    worker = new_worker()
    write = calls_of("POST /a")
    worker.history.note(worker.evaluate(write))
    assert worker.history.accepted == (write,)
    worker.restart()
    assert worker.history.accepted == () and worker.history.provenance.length == 0


class StraySut(ScriptedSut):
    """Ends in work that belongs to no call."""

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        label = Cause(file="/srv/labels.js", line=12, message="no name")
        causes = [label, label, Cause(file="/srv/a.js", line=3)]
        crashes = tuple(Crash(kind="died", call_index=None, cause=cause) for cause in causes)
        return msgspec.structs.replace(super().evaluate(test_case, **options), unattributed_crashes=crashes)


def test_crashes_that_belong_to_no_call_are_warned_of_where_no_finding_tells_of_them() -> None:
    worker = new_worker(StraySut())
    worker.evaluate(calls_of("GET /a"))
    told = [
        "the SUT ended by itself, in work that belongs to no call at /srv/labels.js:12: no name",
        "the SUT ended by itself, in work that belongs to no call at /srv/a.js:3: died",
    ]
    assert worker.warnings_of_crashes([]) == told
    assert worker.warnings_of_crashes([Cause(file="/srv/labels.js", line=12, message="other"), Cause()]) == told[1:]


class ShortLivedSut(ScriptedSut):
    """Ends by itself in the first evaluations. origin: of the work that ends it, if an earlier one has left it."""

    def __init__(self, n_ends: int, origin: Origin | None = None) -> None:
        super().__init__()
        self._n_left = n_ends
        self._origin = origin

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        evaluation = super().evaluate(test_case, **options)
        self._n_left -= 1
        if self._n_left < 0:
            return evaluation
        end = (Crash(kind="died", call_index=None, cause=Cause(file="/srv/jobs.js", line=3), late=self._origin),)
        unattributed = end if self._origin is None else ()
        return msgspec.structs.replace(evaluation, crashes=end, unattributed_crashes=unattributed)


@pytest.mark.parametrize("origin", [None, Origin(1, 0)])
def test_an_evaluation_in_which_the_sut_ended_by_no_call_of_it_is_repeated(origin: Origin | None) -> None:
    sut = ShortLivedSut(n_ends=1, origin=origin)
    evaluation = new_worker(sut).evaluate(calls_of("GET /a"))
    assert not evaluation.is_sut_lost and sut.n_starts == 1


def test_a_sut_that_always_ends_by_itself_is_not_started_twice_for_each_evaluation() -> None:
    sut = ShortLivedSut(n_ends=100)
    worker = new_worker(sut)
    for _ in range(10):
        assert worker.evaluate(calls_of("GET /a")).is_sut_lost
    assert sut.n_starts == 9 + MAX_VAIN_REPEATS


OPERATIONS = [operation("GET /items"), operation("POST /items"), operation("POST /fault")]


def shop(memory: dict[str, Any], name: str) -> Answer:
    if name == "POST /items":
        memory["n"] = memory.get("n", 0) + 1
        return 201, {"id": memory["n"]}
    return (500, None) if name == "POST /fault" else (200, memory.get("n", 0))


class CountingSut(ScriptedSut):
    """One line per operation, as an agent would tell them."""

    def __init__(self, table: TargetTable) -> None:
        super().__init__(shop)
        self._lines = {
            one.id: table.register(Target("line", "/shop.js", number, 0)) for number, one in enumerate(OPERATIONS, 1)
        }

    def reached(self, test_case: TestCase) -> dict[TargetId, Reached]:
        return {self._lines[call.operation.id]: Reached(1.0, number) for number, call in enumerate(test_case.calls)}


class TwoWorkers:
    def __init__(self, max_calls: int = 200) -> None:
        table = TargetTable()
        settings = Settings(command=("node",), max_time_s=None, max_calls=max_calls)
        self.coordinator = new_coordinator(settings, OPERATIONS, table=table)
        self.suts = [CountingSut(table), CountingSut(table)]
        self.workers = [Worker(sut, self.coordinator) for sut in self.suts]
        self.events = list(run_search(self.coordinator, self.workers, proposals(self.coordinator)))


def test_two_workers_search_for_one_archive() -> None:
    run = TwoWorkers()
    n_ran = [len(sut.ran) for sut in run.suts]
    assert abs(n_ran[0] - n_ran[1]) <= 1 and min(n_ran) > 10, "they evaluate in turn"
    assert run.coordinator.statistics.n_evaluations == sum(n_ran)
    assert run.coordinator.budget.calls == sum(len(one.calls) for sut in run.suts for one in sut.ran)
    archive, table = run.coordinator.strategy.archive, run.coordinator.table
    lines = [TargetId(number) for number, target in enumerate(table) if target.kind == "line"]
    assert len(lines) == len(OPERATIONS) and all(map(archive.is_covered, lines)), "lines of both are the same targets"
    assert len([event for event in run.events if isinstance(event, FindingFound)]) == 1, "a fault of both is one"


def test_each_worker_is_told_of_every_covered_target_once() -> None:
    run = TwoWorkers()
    archive = run.coordinator.strategy.archive
    for sut in run.suts:
        told = [target for targets in sut.told_covered for target in targets]
        assert told == archive.covered_since(0)[: len(told)] and len(told) > 3


def test_each_worker_has_a_history_and_a_freshness_of_its_own() -> None:
    run = TwoWorkers()
    first, second = run.workers
    assert first.freshness.n_calls == sum(len(one.calls) for one in run.suts[0].ran)
    first.restart()
    assert first.history.test_cases == () and second.history.test_cases != ()
    assert not first.freshness.is_dirty and second.freshness.is_dirty
    (fault,) = run.coordinator.faults
    assert all(
        set(witness.history) <= set(run.suts[0].ran) or set(witness.history) <= set(run.suts[1].ran)
        for witness in fault.witnesses
    ), "what ran on the other SUT is no part of how it was reached"


def test_a_search_leaves_no_bookkeeping_undone() -> None:
    run = TwoWorkers()
    for worker, sut in zip(run.workers, run.suts, strict=True):
        assert worker.history.test_cases[-1] == sut.ran[-1]
    records = run.coordinator.records.of(run.coordinator.specification.operations)
    n_answers = sum(answer.n for record in records for answer in record.answers.values())
    assert n_answers == sum(len(one.calls) for sut in run.suts for one in sut.ran)


def test_each_worker_is_started_afresh_after_its_own_calls() -> None:
    run = TwoWorkers(max_calls=2 * CALLS_BETWEEN_RESTARTS + 2_000)
    assert [sut.n_starts for sut in run.suts] == [1, 1]


def test_a_search_gives_the_same_test_cases_each_time() -> None:
    first, second = ([one.ran for one in TwoWorkers().suts] for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("without", "is_measured"), [((), True), (("limits",), False)])
def test_limits_are_measured_in_searches_that_go_by_them(
    monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...], *, is_measured: bool
) -> None:

    settings = Settings(command=("node",), max_time_s=None, max_calls=10, switched_off=frozenset(without))
    coordinator = new_coordinator(settings, OPERATIONS)
    asked = []
    monkeypatch.setattr(coordinator.judge, "limits", lambda evaluation: asked.append(evaluation) or {})
    worker = new_worker(ScriptedSut(shop), coordinator)
    list(run_search(coordinator, [worker], proposals(coordinator)))
    assert bool(asked) is is_measured
    asked.clear()
    worker.evaluate(calls_of("GET /items"), full=True)
    assert not asked, "nor where tests are made"


def test_findings_come_in_the_order_of_calls() -> None:
    calls = [event.calls for event in TwoWorkers().events if isinstance(event, FindingFound)]
    assert all(before <= after for before, after in pairwise(calls))
