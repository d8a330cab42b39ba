"""The credit that an operator (a way of making or changing test cases) has earned lately.

This is the credit assignment of adaptive operator selection [AOS]: each evaluation counts as a success or not, and old
evaluations count less and less. The expected reward follows Laplace's rule of succession, so an operator without
successes becomes rarer but never disappears. Two operators share their turns in proportion to their expected rewards
(probability matching [Probability-Matching]).
"""

from __future__ import annotations

from typing import Final

MEMORY: Final = 200
"""Number of evaluations of one operator after which its earlier successes and tries count half."""
PRIOR_TRIES: Final = 4
"""An operator that was never used is expected to succeed in one of so many tries."""


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
        """The expected share of its next evaluations that succeed."""
        return (self._successes + 1.0) / (self._tries + PRIOR_TRIES)

    def probability_against(self, other: Credit) -> float:
        """Returns the share of this operator in the turns that both may have; 0.5 if both have earned the same."""
        return self._probability(other.expected_reward)

    def probability_against_failures(self, n_failures: int) -> float:
        """Returns the same for another operator of which only `n_failures` successive failures are known."""
        return self._probability(1.0 / (n_failures + PRIOR_TRIES))

    def _probability(self, reward_of_other: float) -> float:
        own = self.expected_reward
        return own / (own + reward_of_other)
