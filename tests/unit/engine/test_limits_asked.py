"""How near answers came to declared limits is measured for those who climb by it."""

from types import SimpleNamespace

import pytest

from wimble.engine.context import RunContext
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.testcase import TestCase
from wimble.settings import Settings
from wimble.techniques import Techniques


@pytest.mark.parametrize(
    ("phase", "without", "is_measured"),
    [("search", (), True), ("search", ("limits",), False), ("minimise", (), False), ("verify", (), False)],
)
def test_limits_are_measured_in_searches_that_go_by_them(phase, without, is_measured):
    asked = []
    judge = SimpleNamespace(limits=lambda evaluation: asked.append(evaluation) or {"#/minimum": Reached(0.5, 0)})
    settings = Settings(techniques=Techniques.without(without))
    context = SimpleNamespace(phase=phase, settings=settings, judge=judge)
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={})
    assert bool(RunContext._limits(context, evaluation)) is is_measured
    assert bool(asked) is is_measured
