"""How far calls of an operation have come that has not succeeded yet.

An operation with several conditions (a row of one's own, two dates in order, a name that is free) refuses nearly all
new calls at the first of them. Those that come further meet some of the conditions already, so their copies with a
few other values have to meet the rest only. How far one came shows in the targets that it has reached: covered ones
are not counted, so these are the ones behind which nothing is known yet.
"""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.resources.references import reordered

MAX_KEPT: Final = 6
LEAST_SHARE: Final = 0.5
"""A call that reaches fewer targets than this share of the best one is not kept."""


class Furthest(msgspec.Struct, frozen=True):
    """A test case whose last call is one of the operation."""

    test_case: TestCase
    n_reached: int
    has_failed: bool
    """Whether the last call has failed, or a field of its answer: where the program is at fault, often over an input
    that it does not need.
    """
    was_invalid: bool = False
    """Whether a schema that the program has applied to the last call was not met."""


class Frontier:
    """The latest test cases that have come far, of one operation."""

    def __init__(self) -> None:
        self._kept: list[Furthest] = []

    def note(self, evaluation: Evaluation, index: int) -> None:
        """Keeps the call at the index, if it has come far, with those before it that were not refused."""
        n_reached = sum(reached.call == index for reached in evaluation.reached.values())
        if n_reached == 0 or n_reached < LEAST_SHARE * max((one.n_reached for one in self._kept), default=0):
            return
        # What is known is covered by and by, so later calls reach fewer targets that are not.
        has_failed = evaluation.observations[index].outcome in ("failed", "partial")
        was_invalid = any(one.call == index and one.is_valid is False for one in evaluation.validations)
        copied = reordered(evaluation.test_case, [*_that_prepare(evaluation, index), index])
        self._kept.append(Furthest(copied, n_reached, has_failed, was_invalid))
        del self._kept[:-MAX_KEPT]

    def chosen(self, rng: Random) -> Furthest | None:
        """Returns one of the kept test cases; None if there is none."""
        if not self._kept:
            return None
        weights = [one.n_reached for one in self._kept]
        return rng.choices(self._kept, weights)[0]


def _that_prepare(evaluation: Evaluation, index: int) -> list[int]:
    """Returns the calls before the one at the index without those that were refused: what they had to make is made anew
    where it is needed. Calls that let a user in stay.
    """
    calls, observations = evaluation.test_case.calls, evaluation.observations
    return [i for i in range(index) if calls[i].operation.entrance or observations[i].outcome != "refused"]
