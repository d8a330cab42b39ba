"""What stays in a SUT's memory behind a test, and takes along those behind it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import Answer, ScriptedSut, new_worker
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.polluters import MAX_LOOKS, PolluterSearch, restart_between
from wimble.engine.stability.repeated_runs import Run
from wimble.http.binding import binding_of, http_operation
from wimble.model.evaluation import Reached
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId, TargetId


class Setup:
    """`lock` makes all that write come to nothing until the next start; `never` does by itself, `worn` from the fourth
    call on."""

    def __init__(self, *calls: str) -> None:
        self.candidates = [candidate(number, call) for number, call in enumerate(calls)]
        self.sut = ScriptedSut(answer)
        self.worker = new_worker(self.sut)
        self.polluters: list[int] = []

    def run(self, one: Candidate) -> Run:
        evaluation = self.worker.evaluate(one.test_case)
        is_ok = evaluation.observations[0].outcome == "ok"
        reached = {target: Reached(1.0, 0) for target in one.targets} if is_ok else {}
        return Run(one, one.test_case, replace(evaluation, reached=reached))

    def verify(self) -> list[str]:
        """What showed nothing in the end."""
        search = PolluterSearch(self.worker, self.candidates, self.run, may_look=lambda: True)
        shown: dict[int, Run] = {}
        number = 0
        while number < len(self.candidates):
            shown[number] = self.run(self.candidates[number])
            number = search.next_after(number, shown[number])
        self.polluters = sorted(search.polluters)
        return [
            binding_of(one.candidate.test_case.calls[0].operation).path[1:]
            for one in shown.values()
            if not one.evaluation.reached
        ]


def answer(memory: dict[str, Any], operation: str) -> Answer:
    memory["n"] = memory.get("n", 0) + 1
    fails = (
        operation == "never"
        or (operation == "worn" and memory["n"] > 3)
        or ("is_locked" in memory and operation != "read")
    )
    if operation == "lock":
        memory["is_locked"] = True
    return (500 if fails else 200), None


def candidate(number: int, does: str) -> Candidate:
    method = "GET" if does == "read" else "POST"
    case = TestCase((Call(http_operation(id=OperationId(does), method=method, path=f"/{does}"), ()),))
    return Candidate(test_case=case, fault_key=None, targets=frozenset({TargetId(number)}), original=case)


def test_what_locks_the_others_out_is_found_and_they_run_again():
    setup = Setup("write", "lock", "read", "write", "read", "write", "write", "write")
    assert setup.verify() == []
    assert setup.polluters == [1]


def test_each_of_several_is_found():
    setup = Setup("write", "lock", "write", "lock", "write", "write", "write")
    assert setup.verify() == []
    assert setup.polluters == [1, 3]


@pytest.mark.parametrize("calls", [("write", "never", "never", "never", "write"), ("never",) * 4, ("read",) * 5])
def test_tests_that_show_nothing_by_themselves_blame_nobody(calls: Any):
    setup = Setup(*calls)
    assert setup.verify() == [one for one in calls if one == "never"]
    assert setup.polluters == []


def test_two_that_miss_are_no_sign():
    setup = Setup("write", "never", "never", *["write"] * 10, "never", "write")
    setup.verify()
    assert setup.sut.n_starts == 0


def test_looking_comes_to_an_end_where_no_single_test_is_to_blame():
    setup = Setup(*["worn"] * 100)
    setup.verify()
    assert setup.polluters == []
    assert setup.sut.n_starts <= MAX_LOOKS * 7


def test_what_disturbs_has_a_start_of_its_own():
    setup = Setup("write", "lock", "write", "write")
    candidates = [replace(one, is_polluter=number == 1) for number, one in enumerate(setup.candidates)]
    starts = []
    for before, after in pairwise(candidates):
        restart_between(setup.worker, before, after)
        starts.append(setup.sut.n_starts)
    assert starts == [1, 2, 2]
