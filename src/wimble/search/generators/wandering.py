"""Other values for test cases that have covered a target already.

An answer may be wrong although each line and branch behind it has run, so faults that no target tells of, such as an
answer that breaks its schema, lie beside what is covered. Values that the API description rules out come first, as far
as they were not tried: behind calls that work is the best place for them.
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
"""Of a turn, once something is covered."""
BLACK_BOX_PROBABILITY: Final = 0.3
"""The same in black-box searches, in which each shape of an answer is covered by a test case of its own: rare answers
are wandered from as often as common ones."""


class Wandering(Generator):
    """Starts from the solution of any covered target, or rather of a rare one."""

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
        """rarity: counts by which targets are chosen; None: all covered targets are alike."""
        super().__init__()
        self._archive = archive
        self._sampler = sampler
        self._mutator = mutator
        self._violations = violations
        self._rng = rng
        self._rarity = rarity
        self._covered: list[TargetId] = []
        """In order of their covering."""

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
