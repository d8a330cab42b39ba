"""Which candidates are kept for their coverage: few and short ones that cover what all do."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import ScriptedSut, new_coordinator, new_worker
from wimble.engine.candidates import coverage_candidates as cover_module
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.coverage_candidates import Cover, reduced, worth_a_test
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.state_setters import TWICE
from wimble.engine.candidates.trials import Trials
from wimble.engine.faults.provenance_log import Provenance, ProvenanceLog
from wimble.http.binding import http_operation
from wimble.model.evaluation import Reached
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.resources import Resources
from wimble.types import OperationId, TargetId


def targets(*numbers: int) -> frozenset[TargetId]:
    return frozenset(TargetId(number) for number in numbers)


def calls(*names: str) -> TestCase:
    return TestCase(tuple(Call(http_operation(id=OperationId(name), method="POST", path=name), ()) for name in names))


def candidate(name: str, wanted: Iterable[int], covers: Iterable[int] | None = None, n_calls: int = 1) -> Candidate:
    test_case = calls(*[name] * n_calls)
    return Candidate(
        test_case=test_case,
        fault_key=None,
        targets=targets(*wanted),
        original=test_case,
        covers=None if covers is None else targets(*covers),
    )


def names(candidates: Iterable[Candidate]) -> list[str]:
    return [str(one.original.calls[0].operation.id) for one in candidates]


def test_one_that_covers_what_others_do_makes_them_needless() -> None:
    kept = reduced([candidate("a", [1], [1]), candidate("b", [2], [1, 2, 3]), candidate("c", [3], [3])])
    assert names(kept) == ["b"] and kept[0].targets == targets(1, 2, 3)


def test_short_ones_are_preferred_where_they_cover_as_much() -> None:
    kept = reduced([candidate("long", [1, 2], [1, 2], n_calls=20), candidate("a", [1], [1]), candidate("b", [2], [2])])
    assert names(kept) == ["a", "b"]


def test_what_a_later_choice_makes_needless_goes() -> None:
    """The greedy choice takes the middle one, for it covers most per call; the other two then cover all of it, and
    more."""
    middle, left, right = [1, 2, 3, 4, 5, 6], [1, 2, 3, 7], [4, 5, 6, 8]
    kept = reduced([candidate("l", [7], left), candidate("r", [8], right), candidate("m", [1], middle)])
    assert names(kept) == ["l", "r"]
    assert [one.targets for one in kept] == [targets(*left), targets(*right)]


@pytest.mark.parametrize("seed", range(20))
def test_nothing_that_is_covered_is_lost_and_no_target_has_two_tests(seed: int) -> None:
    rng = Random(seed)
    candidates = [
        candidate(f"c{number}", [number], rng.sample(range(60), rng.randint(0, 12)), n_calls=rng.randint(1, 5))
        for number in range(40)
    ]
    wanted = frozenset[TargetId]().union(*(one.covers or () for one in candidates))
    kept = reduced(candidates)
    assert sum(len(one.targets) for one in kept) == len(wanted)
    assert frozenset().union(*(one.targets for one in kept)) == wanted


SEATS = 12


class OrderedSut(ScriptedSut):
    """Covers by what ran since its start."""

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []

    def restart(self) -> None:
        super().restart()
        self._names.clear()

    def reached(self, test_case: TestCase) -> dict[TargetId, Reached]:
        found: dict[TargetId, Reached] = {}
        for number, call in enumerate(test_case.calls):
            covered = {
                "first": [1] if not self._names else [2],
                "read": [3] if "make" in self._names else [4],
                "make": [5],
                "seat": [6] if self._names.count("seat") < SEATS else [7],
            }[str(call.operation.id)]
            found |= {TargetId(target): Reached(1.0, number) for target in [*covered, 99]}
            self._names.append(str(call.operation.id))
        return found


class Setup:
    def __init__(self, *candidates: Candidate, forgets: bool = False) -> None:
        """forgets: whether no operation was found to depend on state."""
        table = TargetTable()
        for number in range(100):
            table.register(Target("line", "a.js", number, 0))
        independent = frozenset(OperationId(name) for name in ("first", "read", "make")) if forgets else frozenset()
        worker = new_worker(OrderedSut(), new_coordinator(table=table))
        trials = Trials(worker, StartPolicy(independent=independent))
        self.cover = Cover(trials, table, Resources(()), candidates)

    def measured(self) -> tuple[Candidate, ...]:
        for number in range(len(self.cover.candidates)):
            self.cover.measure(number)
        return self.cover.candidates


def test_targets_that_nobody_is_there_for_do_not_count() -> None:
    (make,) = Setup(candidate("make", [5])).measured()
    assert make.covers == targets(5)


def test_what_runs_once_after_a_start_gets_one_though_the_sut_forgets() -> None:
    make, first = Setup(candidate("make", [5]), candidate("first", [1]), forgets=True).measured()
    assert first.needs_start and first.covers == targets(1) and not make.needs_start


def test_calls_that_had_nothing_to_do_with_it_go_first() -> None:
    (make,) = Setup(with_core(calls("first", "read", "make"), calls("make"), [5])).measured()
    assert make.test_case is make.core and make.covers == targets(5)


def test_a_call_that_prepared_something_stays() -> None:
    (read,) = Setup(with_core(calls("make", "read"), calls("read"), [3])).measured()
    assert read.test_case is read.original and read.covers == targets(3)


def with_core(test_case: TestCase, core: TestCase, wanted: Iterable[int]) -> Candidate:
    return Candidate(test_case=test_case, fault_key=None, targets=targets(*wanted), original=test_case, core=core)


def test_what_needs_makers_gets_them_in_a_candidate_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        cover_module,
        "with_state_setters",
        lambda _, one: [candidate_of(calls("make", "read"))] if "read" in names([one]) else [],
    )
    setup = Setup(candidate("read", [3]), candidate("make", [5]), candidate("first", [6]))
    setup.measured()
    cover, (read, make, other) = setup.cover, range(3)
    assert cover.is_short_of(read) and not cover.is_short_of(make) and cover.is_short_of(other)
    cover.add_state_setters(read)
    cover.add_state_setters(other)
    assert not cover.is_short_of(read) and cover.is_short_of(other)
    assert [len(one.original.calls) for one in cover.reduced()] == [2], "it covers what its maker does, too"


def test_what_shows_only_the_second_time_is_its_own_state_setter() -> None:
    again = replace(candidate("first", [2]), provenance=Provenance(ProvenanceLog(), 0))
    setup = Setup(again)
    setup.measured()
    assert setup.cover.is_short_of(0)
    setup.cover.add_state_setters(0)
    assert not setup.cover.is_short_of(0)
    assert [len(one.original.calls) for one in setup.cover.reduced()] == [2]


def test_what_is_used_up_is_used_as_often_as_it_has_to_be() -> None:
    setup = Setup(replace(candidate("seat", [7]), provenance=Provenance(ProvenanceLog(), 0)))
    setup.measured()
    setup.cover.add_state_setters(0)
    assert [len(one.original.calls) for one in setup.cover.reduced()] == [SEATS + 1]


def test_no_longer_test_case_is_tried_once_a_call_was_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def hangs(trials: Trials, _candidate: Candidate, test_case: TestCase) -> frozenset[TargetId]:
        tried.append(len(test_case.calls))
        trials.n_hung += 1
        return frozenset()

    monkeypatch.setattr(Trials, "covered_fresh", hangs)
    setup = Setup(replace(candidate("first", [2]), provenance=Provenance(ProvenanceLog(), 0)))
    setup.cover.add_state_setters(0)
    assert tried == [TWICE]


def candidate_of(test_case: TestCase) -> Candidate:
    return Candidate(test_case=test_case, fault_key=None, targets=targets(3), original=test_case)


def test_where_there_was_no_time_to_look_the_search_is_believed() -> None:
    cover = Setup(candidate("make", [5]), candidate("read", [3])).cover
    assert names(cover.reduced()) == ["make", "read"]


def test_of_commands_that_differ_in_their_columns_one_of_each_outcome_is_worth_a_test() -> None:
    table: Any = [
        Target("query", "a.js", 9, 0, f"{outcome} by {operation}: SELECT {column} FROM books", operation, outcome)
        for column in "xy"
        for outcome in ("found", "not found")
        for operation in ("GET /books", "GET /books/{id}")
    ]
    assert worth_a_test([targets(*range(8))], table) == targets(0, 1, 2, 3)
