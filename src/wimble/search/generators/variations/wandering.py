"""Other values for test cases that have covered a target already.

An answer may be wrong although each line and branch that makes it has run. So faults without a target, such as an
answer that violates its schema, occur near what is covered. Values that the API description rules out are tried first:
they are most useful in calls that succeed.
"""

from __future__ import annotations

from random import Random
from typing import Final

from wimble.databases.setup_repair import repaired_setup
from wimble.search.archive.archive import Archive
from wimble.search.archive.rarity import Rarity
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.mutation.mutator import Mutator
from wimble.search.sampling.sampler import Sampler
from wimble.search.sampling.violations import NoViolations
from wimble.types import TargetId

PROBABILITY: Final = 0.05
"""Probability of having a turn, once something is covered."""
BLACK_BOX_PROBABILITY: Final = 0.3
"""The same in black-box searches. There a test case of its own covers each shape of an answer, so rare answers are
starting points as often as common ones.
"""


class Wandering(Generator):
    """Starts from the solution of a covered target, with a preference for rare targets if `rarity` is given."""

    def __init__(
        self,
        archive: Archive,
        sampler: Sampler,
        mutator: Mutator,
        *,
        violations: NoViolations,
        rng: Random,
        rarity: Rarity | None = None,
    ) -> None:
        """rarity: counts by which targets are chosen; None: all covered targets are equally likely."""
        super().__init__()
        self._archive = archive
        self._sampler = sampler
        self._mutator = mutator
        self._violations = violations
        self._rng = rng
        self._rarity = rarity
        self._covered: list[TargetId] = []
        """In the order in which they were covered."""

    def is_ready(self) -> bool:
        return bool(self._covered)

    def propose(self, progress: float) -> Proposal:
        parent = self._archive.solution(self._chosen_target())
        if parent is None:
            return Proposal(self._sampler.sample(), self, is_sampled=True)
        changed = self._violations.broken(parent)
        if changed is parent:
            changed = self._mutator.resampled(parent)
        return Proposal(repaired_setup(changed, parent), self)

    def observe(self, outcome: Outcome) -> None:
        if self._rarity is not None:
            self._rarity.note(outcome.evaluation)
        self._covered += outcome.improvement.newly_covered

    def _chosen_target(self) -> TargetId:
        if self._rarity is None:
            return self._rng.choice(self._covered)
        return self._rarity.choose(self._covered, self._rng)
