"""Test cases for operations that have not succeeded yet: new ones, and copies of those that have come furthest.

Before the first success no target shows the code behind it, so no other part of the search can estimate how much a
success would cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from random import Random
from typing import Final

from wimble.databases.setup_repair import repaired_setup
from wimble.model.external import ExternalRequest
from wimble.model.operation import Operation
from wimble.model.testcase import TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.samples.frontiers import Frontier
from wimble.search.mutation.mutator import Mutator
from wimble.search.sampling.dates_in_order import DatesInOrder
from wimble.search.sampling.optional_inputs import with_fewer
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

MOST_PROBABILITY: Final = 0.18
"""Probability of having a turn while no operation has succeeded."""
LEAST_PROBABILITY: Final = 0.05
"""The same while a single one of many has not. It is in between in proportion to their share."""
MAX_SAMPLES: Final = 120
"""Maximum number of test cases for one operation. After that, only its targets lead to it."""
COPY_PROBABILITY: Final = 0.6
"""Probability that a test case is a changed copy of one that has come far."""
CERTAIN_PROBABILITY: Final = 0.6
"""Probability that all that the call names is made before it, by calls with inputs with which they have succeeded."""
HELD_UP_COST: Final = 4
"""How many tries one of an operation counts for that a service holds up, or that needs what no call has made yet."""
FEWER_PROBABILITY: Final = 0.5
"""Probability that a copy of one whose call has failed only leaves out optional inputs of it."""
DRAWN_PROBABILITY: Final = 0.5
"""Probability that another copy has one value drawn anew, rather than mutated ones."""
NEEDS_PROBABILITY: Final = 0.7
"""Probability that in such a copy what calls need is bound to the calls before them, where it is not: a login that was
put before an old test case lets calls succeed of whose answers nothing was known."""


class UnsucceededOperations(Generator):
    """Proposes the operation that was tried least often."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, mutator: Mutator, rng: Random) -> None:
        super().__init__()
        self._sampler = sampler
        self._mutator = mutator
        self._rng = rng
        self._dates = DatesInOrder(rng)
        self._frontiers: dict[OperationId, Frontier] = {}
        self._samples: dict[OperationId, int] = {}
        """Number of tries of the operations that have not succeeded, in the order of operations."""
        self._operations: dict[OperationId, Operation] = {}
        self._held_up: set[OperationId] = set()
        """Those whose last call has failed after it had called a service: not for its inputs, most likely."""
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            self._samples[operation.id] = 0
            self._operations[operation.id] = operation

    def admission(self, generator: Generator, progress: float) -> bool:
        """Admits a turn: the more often, the more operations have not succeeded that are not held up by services."""
        share = len(self._samples.keys() - self._held_up) / max(1, len(self._operations))
        return self._rng.random() < LEAST_PROBABILITY + (MOST_PROBABILITY - LEAST_PROBABILITY) * share

    def share_succeeded(self) -> float:
        """Returns the share of operations that have succeeded."""
        return 1.0 - len(self._samples) / max(1, len(self._operations))

    def has_succeeded(self, operation: OperationId) -> bool:
        """Whether a call of the operation has succeeded."""
        return operation not in self._samples

    def propose(self, progress: float) -> Proposal | None:
        operation = self.next_to_try()
        if operation is None:
            return None
        with self._sampler.certain() if self._rng.random() < CERTAIN_PROBABILITY else nullcontext():
            copy = self._copy_of_furthest(operation, progress)
            if copy is not None:
                return Proposal(copy, self)
            return Proposal(self._sampler.sample_for(operation), self, is_sampled=True)

    def _copy_of_furthest(self, operation: Operation, progress: float) -> TestCase | None:
        frontier = self._frontiers.get(operation.id)
        furthest = frontier.chosen(self._rng) if frontier and self._rng.random() < COPY_PROBABILITY else None
        if furthest is None:
            return None
        old = self._sampler.meeting_schemas(furthest.test_case) if furthest.was_invalid else furthest.test_case
        parent = self._sampler.as_known_now(old)
        if furthest.has_failed and self._rng.random() < FEWER_PROBABILITY:
            mutant = parent.with_call(len(parent.calls) - 1, with_fewer(parent.calls[-1], self._rng))
        # Values that are drawn anew keep the conditions that a schema states.
        elif self._rng.random() < DRAWN_PROBABILITY:
            mutant = self._mutator.resampled(parent)
        else:
            mutant = self._mutator.mutate(parent, len(parent.calls) - 1, progress).test_case
        mutant = self._with_needs(mutant)
        *before, last = mutant.calls
        mutant = TestCase((*before, self._dates.applied(last, before)), mutant.setup)
        return repaired_setup(mutant, parent)

    def _with_needs(self, test_case: TestCase) -> TestCase:
        """Returns the test case, often one whose calls are bound to those before them that make what they need."""
        needs = any(call.operation.needs for call in test_case.calls[1:])
        if needs and self._rng.random() < NEEDS_PROBABILITY:
            return self._sampler.with_needs(test_case, len(test_case.calls))
        return test_case

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        if not self._samples or evaluation.is_sut_lost:
            return
        asking = {request.call for request in evaluation.interactions_of(ExternalRequest)}
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            operation = call.operation.id
            if operation not in self._samples:
                continue
            if observation.is_answered:
                is_held_up = observation.outcome == "failed" and observation.call_index in asking
                (self._held_up.add if is_held_up else self._held_up.discard)(operation)
            if observation.outcome == "ok":
                del self._samples[operation]
                self._frontiers.pop(operation, None)
                self._give_back(call.operation)
            elif observation.is_answered:
                self._frontiers.setdefault(operation, Frontier()).note(evaluation, observation.call_index)

    def _give_back(self, maker: Operation) -> None:
        """Counts half of the tries of operations that name what the maker, which has succeeded now, makes: most were
        made before there was anything to name.
        """
        for name in self._samples:
            bindings = self._sampler.resources.bindings(self._operations[name])
            if any(maker is one for binding in bindings for one in binding.creators):
                self._samples[name] //= 2

    def next_to_try(self) -> Operation | None:
        """Returns an operation and counts it as tried; None if all have succeeded, or have reached MAX_SAMPLES."""
        name = min(self._samples, key=self._samples.__getitem__, default=None)
        if name is None or self._samples[name] >= MAX_SAMPLES:
            return None
        is_held_up = name in self._held_up or self._waits_for_others(self._operations[name])
        self._samples[name] += HELD_UP_COST if is_held_up else 1
        return self._operations[name]

    def _waits_for_others(self, operation: Operation) -> bool:
        """Whether none of the operations has succeeded that make what its path names: these come first."""
        makers = [binding.creators for binding in self._sampler.resources.bindings(operation) if binding.creators]
        return any(all(maker.id in self._samples for maker in creators) for creators in makers)
