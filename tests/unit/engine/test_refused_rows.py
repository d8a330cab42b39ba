"""A test whose rows the database refuses would fail in the suite, whatever its calls answer."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from wimble.engine.verified import ROWS_REFUSED, Run, agreed
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase


@pytest.mark.parametrize("numbers", [(1, 1), (0, 1)])
def test_it_is_left_out_and_its_fault_says_why(numbers):
    evaluations = [Evaluation(test_case=TestCase(()), observations=(), reached={}, n_refused_rows=n) for n in numbers]
    candidate = SimpleNamespace(fault_key="fault")
    runs = [Run(candidate, one.test_case, one, []) for one in evaluations]
    context = SimpleNamespace(fault_notes={})

    assert agreed(context, runs, evaluations) is None
    assert context.fault_notes == {"fault": ROWS_REFUSED}
