"""How many test cases have covered a target: answers that few have got are the ones to look around at.

For black-box searches, where rare answers are what deep code looks like from outside (fuzzers choose their seeds so: M. Böhme et al., "Coverage-based
Greybox Fuzzing as Markov Chain", CCS 2016).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from wimble.model.evaluation import Evaluation
from wimble.types import TargetId

DRAWS = 8
"""Covered targets drawn, of which the one is taken that the fewest test cases have covered."""


class Rarity:
    """Counts; an evaluation costs as much as it has reached."""

    def __init__(self) -> None:
        self._counts: Counter[TargetId] = Counter()

    def note(self, evaluation: Evaluation) -> None:
        self._counts.update(evaluation.covered())

    def choose(self, covered: Sequence[TargetId], rng: Random) -> TargetId:
        """One of them, rather one that few test cases have covered."""
        drawn = [rng.choice(covered) for _ in range(DRAWS)]
        return min(drawn, key=lambda target: self._counts[target])
