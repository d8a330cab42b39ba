"""What an operator (a way of making test cases, or of changing them) has earned lately.

The credit assignment of adaptive operator selection [AOS]: each evaluation counts as a success or not, and old
experience fades. The expected reward follows Laplace's rule of succession, so an operator that has brought nothing for
long gets rarer and never dies out. Two operators share their turns in proportion to their expected rewards (probability
matching [Probability-Matching]).
"""

from __future__ import annotations

from typing import Final

MEMORY: Final = 200
"""Evaluations of one operator after which what it has earned counts half."""
PRIOR_TRIES: Final = 4
"""An operator that was never used is expected to succeed each fourth time."""


class Credit:
    """Tries and successes of one operator."""

    __slots__ = ("_successes", "_tries")

    def __init__(self) -> None:
        self._tries = self._successes = 0.0

    def add(self, *, is_success: bool) -> None:
        """Counts one evaluation."""
        if self._tries > MEMORY:
            self._tries /= 2
            self._successes /= 2
        self._tries += 1.0
        self._successes += is_success

    @property
    def expected_reward(self) -> float:
        """Share of its next evaluations that are expected to succeed."""
        return (self._successes + 1.0) / (self._tries + PRIOR_TRIES)

    def probability_against(self, other: Credit) -> float:
        """Of the turns that both may have, those for this operator; 0.5 where both have earned alike."""
        return self._probability(other.expected_reward)

    def probability_against_failures(self, n_failures: int) -> float:
        """The same, where the other operator has failed so many times in a row and nothing else is known of it."""
        return self._probability(1.0 / (n_failures + PRIOR_TRIES))

    def _probability(self, reward_of_other: float) -> float:
        own = self.expected_reward
        return own / (own + reward_of_other)
