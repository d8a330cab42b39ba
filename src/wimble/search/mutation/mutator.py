"""Changes test cases: their calls (structure) or their values.

Mutants respect `max_test_calls`, and their references point to earlier calls.
"""

from __future__ import annotations

from random import Random
from typing import Final, Literal, TypeAlias

import msgspec

from wimble.model.source_constants import ConstantTable
from wimble.model.targets import Target
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.credit import Credit
from wimble.search.mutation.acceleration import Step
from wimble.search.mutation.gene_impact import Impacts
from wimble.search.mutation.structure_mutation import StructureMutation
from wimble.search.mutation.value_mutation import NO_TARGET, Purpose, ValueMutation
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import TargetId

MutationKind: TypeAlias = Literal["structure", "values"]

BIAS_RANGE: Final = (0.1, 1.5)
"""Limits of the factor by which the schedule's probability of structure mutation is multiplied, depending on credit."""


class Mutation(msgspec.Struct, frozen=True):
    """A mutant, and how it was made."""

    test_case: TestCase
    kind: MutationKind
    step: Step | None = None
    """The change of a single number, if there was no other change."""
    address: GeneAddress | None = None
    """The gene that changed, if it was a single one."""


class Mutator:
    """Makes mutants, and adapts how often structure changes instead of values."""

    def __init__(
        self,
        sampler: Sampler,
        settings: Settings,
        schedule: Schedule,
        rng: Random,
        constants: ConstantTable | None = None,
    ) -> None:
        self._schedule = schedule
        self._rng = rng
        self._structure = StructureMutation(sampler, settings, rng)
        self._values = ValueMutation(
            sampler, settings, schedule, rng, ConstantTable() if constants is None else constants
        )
        self._credits: dict[MutationKind, Credit] = {"structure": Credit(), "values": Credit()}

    @property
    def impacts(self) -> Impacts:
        """Which genes have moved the distance of a target."""
        return self._values.impacts

    def mutate(
        self,
        parent: TestCase,
        target_call: int,
        progress: float,
        target: Target | None = None,
        *,
        target_id: TargetId = NO_TARGET,
        is_untraced: bool = False,
    ) -> Mutation:
        """Returns a mutant of the parent, made for a target; the other parameters are those of `Purpose`."""
        if self._rng.random() < self._structure_probability(progress):
            mutant = self._structure.mutant(parent, target_call)
            if mutant is not None:
                return Mutation(mutant, "structure")
        changed = self._values.mutant(parent, Purpose(target_call, progress, target, target_id, is_untraced))
        return Mutation(changed.test_case, "values", changed.step, changed.address)

    def resampled(self, parent: TestCase) -> TestCase:
        """As `ValueMutation.resampled`."""
        return self._values.resampled(parent)

    def credit(self, kind: MutationKind, *, is_success: bool) -> None:
        """Counts whether a mutant has improved anything."""
        self._credits[kind].add(is_success=is_success)

    def _structure_probability(self, progress: float) -> float:
        """Returns the schedule's probability, changed in favour of the kind of mutation with more credit."""
        bias = self._credits["structure"].probability_against(self._credits["values"])
        least, most = BIAS_RANGE
        return self._schedule.structure_probability(progress) * min(most, max(least, 2.0 * bias))
