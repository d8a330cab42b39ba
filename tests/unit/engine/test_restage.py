"""Which shape of a test for coverage is kept, by what each covers on a fresh SUT."""

from __future__ import annotations

from wimble.engine.candidates import Candidate
from wimble.engine.restage import chosen
from wimble.model.testcase import TestCase
from wimble.types import TargetId

ALONE = TestCase(())
MADE = TestCase((), ())


def candidate() -> Candidate:
    return Candidate(test_case=ALONE, fault_key=None, targets=targets(1, 2, 3), original=ALONE)


def targets(*numbers: int) -> frozenset[TargetId]:
    return frozenset(TargetId(number) for number in numbers)


def test_makers_that_only_add_take_its_place() -> None:
    own = candidate()
    staged = chosen(own, MADE, targets(1), targets(1, 2, 9))
    assert staged is own
    assert own.test_case is MADE and own.original is MADE
    assert own.targets == targets(1, 2, 9)  # 9 was another test's, which cannot show it


def test_makers_that_lead_elsewhere_come_beside_it() -> None:
    own = candidate()
    staged = chosen(own, MADE, targets(1, 4), targets(1, 2, 3))
    assert staged is not None and staged is not own
    assert staged.targets == targets(2, 3)
    assert own.test_case is ALONE and own.targets == targets(1, 2, 3)


def test_makers_that_gain_nothing_change_nothing() -> None:
    own = candidate()
    assert chosen(own, MADE, targets(1, 2), targets(1)) is None
    assert own.test_case is ALONE and own.targets == targets(1, 2, 3)
