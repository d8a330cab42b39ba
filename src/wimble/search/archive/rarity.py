"""How many test cases have covered a target: answers that few have got are the ones to look around at.

For black-box searches, where rare answers are what deep code looks like from outside. Fuzzers choose their seeds so
[AFLFast].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from wimble.model.evaluation import Evaluation
from wimble.types import TargetId

RANDOM_CHOICES = 8
"""Covered targets chosen at random, of which the one that the fewest test cases have covered is taken."""


class Rarity:
    """Counts of test cases by target. An evaluation costs as much as the number of targets that it reached."""

    def __init__(self) -> None:
        self._counts: Counter[TargetId] = Counter()

    def note(self, evaluation: Evaluation) -> None:
        self._counts.update(evaluation.covered())

    def choose(self, covered: Sequence[TargetId], rng: Random) -> TargetId:
        """A covered target, rather one that few test cases have covered."""
        chosen = [rng.choice(covered) for _ in range(RANDOM_CHOICES)]
        return min(chosen, key=lambda target: self._counts[target])
