"""What stays in a SUT's memory behind a test, and takes along those behind it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.disturbances import MAX_LOOKS, Disturbances, restart_between
from wimble.engine.verified import Run
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId, TargetId


class Sut:
    """`lock` makes all that write come to nothing until the next start; `never` does by itself, `worn` from the fourth call on."""

    def __init__(self, *calls: str) -> None:
        self.n_starts = 0
        self.is_locked = False
        self.n_calls = 0
        self.ran: list[str] = []
        self.candidates = [candidate(number, call) for number, call in enumerate(calls)]

    def restart(self) -> None:
        self.n_starts += 1
        self.is_locked = False
        self.n_calls = 0

    def run(self, one: Candidate) -> Run:
        does = one.test_case.calls[0].operation.path.strip("/")
        self.ran.append(does)
        self.n_calls += 1
        fails = does == "never" or (does == "worn" and self.n_calls > 3) or (self.is_locked and does != "read")
        self.is_locked = self.is_locked or does == "lock"
        reached = {} if fails else {target: Reached(1.0, 0) for target in one.targets}
        return Run(one, one.test_case, Evaluation(test_case=one.test_case, observations=(), reached=reached), [])

    def verify(self) -> list[str]:
        """What showed nothing in the end."""
        watch = Disturbances(cast(RunContext, self), self.candidates, self.run, may_look=lambda: True)
        shown: dict[int, Run] = {}
        number = 0
        while number < len(self.candidates):
            shown[number] = self.run(self.candidates[number])
            number = watch.next_after(number, shown[number])
        return [
            one.candidate.test_case.calls[0].operation.path[1:] for one in shown.values() if not one.evaluation.reached
        ]

    @property
    def disturbing(self) -> list[int]:
        return [number for number, one in enumerate(self.candidates) if one.is_disturbing]


def candidate(number: int, does: str) -> Candidate:
    method = "GET" if does == "read" else "POST"
    case = TestCase((Call(Operation(id=OperationId(does), method=method, path=f"/{does}"), ()),))
    return Candidate(test_case=case, fault_key=None, targets=frozenset({TargetId(number)}), original=case)


def test_what_locks_the_others_out_is_found_and_they_run_again():
    sut = Sut("write", "lock", "read", "write", "read", "write", "write", "write")
    assert sut.verify() == []
    assert sut.disturbing == [1]


def test_each_of_several_is_found():
    sut = Sut("write", "lock", "write", "lock", "write", "write", "write")
    assert sut.verify() == []
    assert sut.disturbing == [1, 3]


@pytest.mark.parametrize("calls", [("write", "never", "never", "never", "write"), ("never",) * 4, ("read",) * 5])
def test_tests_that_show_nothing_by_themselves_blame_nobody(calls: Any):
    sut = Sut(*calls)
    assert sut.verify() == [one for one in calls if one == "never"]
    assert sut.disturbing == []


def test_two_that_miss_are_no_sign():
    sut = Sut("write", "never", "never", *["write"] * 10, "never", "write")
    sut.verify()
    assert sut.n_starts == 0


def test_looking_comes_to_an_end_where_no_single_test_is_to_blame():
    sut = Sut(*["worn"] * 100)
    sut.verify()
    assert sut.disturbing == []
    assert sut.n_starts <= MAX_LOOKS * 7


def test_what_disturbs_has_a_start_of_its_own():
    sut = Sut("write", "lock", "write", "write")
    sut.candidates[1].is_disturbing = True
    starts = []
    for before, after in zip(sut.candidates, sut.candidates[1:], strict=False):
        restart_between(cast(RunContext, sut), before, after)
        starts.append(sut.n_starts)
    assert starts == [1, 2, 2]
