"""What is new of a target is tried, not only what is better."""

from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint
from wimble.model.testcase import TestCase
from wimble.search.generators.fresh_operands import MAX_PER_TARGET, FreshOperands


def met(*operands, target=7):
    hints = tuple(
        ComparisonHint(target=target, call=0, operator="identical", left=left, right="slow", wanted=True)
        for left in operands
    )
    return Evaluation(test_case=TestCase(()), observations=(), reached={}, hints=hints)


def test_operands_count_once():
    fresh = FreshOperands()
    assert list(fresh.targets(met("fast"))) == [7]
    assert list(fresh.targets(met("fast"))) == []
    assert list(fresh.targets(met("fast", "xrzfc", "k92jd"))) == [7]


def test_a_number_is_not_its_text():
    fresh = FreshOperands()
    assert list(fresh.targets(met(1))) == [7]
    assert list(fresh.targets(met("1"))) == [7]
    assert list(fresh.targets(met(True))) == [7]


def test_each_target_has_its_own_bounded_share():
    fresh = FreshOperands()
    n_fresh = sum(len(list(fresh.targets(met(number)))) for number in range(10 * MAX_PER_TARGET))
    assert n_fresh == MAX_PER_TARGET
    assert list(fresh.targets(met(1, target=8))) == [8]
