"""Texts that are wanted to be JSON: an object without members first, since what is read of it is added next."""

from random import Random

from wimble.feedback.comparison.format_hints import FormatQuestion
from wimble.runtimes.node.javascript_values import JAVASCRIPT


def test_an_object_is_tried_before_other_documents():
    wanted = FormatQuestion(mine="k3x9q", other="json", wanted=True, is_left=True)
    assert all(wanted.candidates(JAVASCRIPT, Random(seed))[0] == "{}" for seed in range(5))
    missed = FormatQuestion(mine="{}", other="json", wanted=False, is_left=True)
    assert "{}" not in missed.candidates(JAVASCRIPT, Random(1))
