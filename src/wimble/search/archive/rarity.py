"""Counts how many test cases have covered a target, so that the search can explore around rare answers.

It is for black-box searches, where a rare answer is the visible sign of code that is hard to reach. Fuzzers choose
their seeds in this way [AFLFast].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from wimble.model.evaluation import Evaluation
from wimble.types import TargetId

RANDOM_CHOICES = 8
"""Number of covered targets that are drawn at random. Of these, the one that the fewest test cases have covered is
taken.
"""


class Rarity:
    """Counts of test cases by target.

    The time per evaluation is proportional to the number of targets that it reached.
    """

    def __init__(self) -> None:
        self._counts: Counter[TargetId] = Counter()

    def note(self, evaluation: Evaluation) -> None:
        """Counts the targets that the evaluation covered."""
        self._counts.update(evaluation.covered())

    def choose(self, covered: Sequence[TargetId], rng: Random) -> TargetId:
        """Returns a covered target, with a preference for targets that few test cases have covered."""
        chosen = [rng.choice(covered) for _ in range(RANDOM_CHOICES)]
        return min(chosen, key=lambda target: self._counts[target])
