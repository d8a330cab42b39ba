"""Calls that take one of several places: the last one may be taken by two calls, although there is room for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from wimble.engine.races.quantities import with_larger_quantities
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase

MAX_REPEATS: Final = 15
"""Maximum number of repetitions of a call until it is refused: a usual test does not use up a stock of several."""


def limited(test_case: TestCase, run: Callable[[TestCase], Evaluation], is_over: Callable[[], bool]) -> TestCase | None:
    """Returns the test case, or one that takes more at once, whose last call is refused at some time if it is repeated.

    None if there is none, or if the time is over before.
    """
    for one in (test_case, *with_larger_quantities(test_case)):
        if is_over():
            return None
        of_repeated = run(repeated(one))
        last = len(one.calls) - 1
        is_tried = len(of_repeated.observations) > last
        has_succeeded = one is test_case or (is_tried and of_repeated.observations[last].outcome == "ok")
        if has_succeeded and _place_of_refusal(one, of_repeated) is not None:
            return one
    return None


def repeated(test_case: TestCase) -> TestCase:
    """Returns the test case with its last call repeated."""
    return replace(test_case, calls=test_case.calls + test_case.calls[-1:] * MAX_REPEATS)


def at_last_place(test_case: TestCase, of_repeated: Evaluation) -> TestCase | None:
    """Returns the test case with its last call repeated, up to the last time that it succeeds; None if it succeeds more
    often than was tried, or only once.

    of_repeated: the evaluation of `repeated`.
    """
    n_more = _place_of_refusal(test_case, of_repeated)
    return None if not n_more else replace(test_case, calls=test_case.calls + test_case.calls[-1:] * n_more)


def _place_of_refusal(test_case: TestCase, of_repeated: Evaluation) -> int | None:
    """Returns how often the repeated call succeeds once more until it is refused; None if it is not refused."""
    observations = of_repeated.observations[len(test_case.calls) :]
    first = next((number for number, one in enumerate(observations) if one.outcome != "ok"), None)
    return first if first is not None and observations[first].outcome == "refused" else None
