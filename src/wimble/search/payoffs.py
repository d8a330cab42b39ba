"""What ways of making test cases have paid lately, so that the one that pays more is gone more often.

Each way is credited with its evaluations that got somewhere; old experience fades. A way that has brought nothing for long gets rarer,
and never dies out: by Laplace's rule a success may always be next.
"""

from __future__ import annotations

from typing import Final

MEMORY: Final = 200
"""Evaluations of one way after which what it has paid counts half."""
PRIOR_TRIES: Final = 4
"""A way that was never gone is expected to pay each fourth time."""


class Payoffs:
    """Ways by name; those that were not gone yet need not be told of."""

    def __init__(self) -> None:
        self._paid: dict[str, tuple[float, float]] = {}

    def credit(self, way: str, *, is_success: bool) -> None:
        """Tells what came of one evaluation."""
        tries, successes = self._paid.get(way, (0.0, 0.0))
        if tries > MEMORY:
            tries, successes = tries / 2, successes / 2
        self._paid[way] = (tries + 1.0, successes + is_success)

    def share(self, way: str, other: str) -> float:
        """Of the turns that both may have, those for the first; half where they pay alike."""
        return self._share(way, self._pay(other))

    def share_beside_failures(self, way: str, n_failures: int) -> float:
        """The same, where the other is known to have failed so many times in a row."""
        return self._share(way, 1.0 / (n_failures + PRIOR_TRIES))

    def _share(self, way: str, pay_of_other: float) -> float:
        own = self._pay(way)
        return own / (own + pay_of_other)

    def _pay(self, way: str) -> float:
        tries, successes = self._paid.get(way, (0.0, 0.0))
        return (successes + 1.0) / (tries + PRIOR_TRIES)
