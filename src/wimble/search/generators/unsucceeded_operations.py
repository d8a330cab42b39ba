"""New test cases for operations that have not succeeded yet.

Before the first success no target shows the code behind it, so no other part of the search can estimate how much a
success would cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.model.operation import Operation
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.1
"""Probability of having a turn, while there is such an operation."""
MAX_SAMPLES: Final = 60
"""Maximum number of test cases for one operation. After that, only its targets lead to it."""


class UnsucceededOperations(Generator):
    """Proposes the operation that was tried least often."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._samples: dict[OperationId, int] = {}
        """Number of tries of the operations that have not succeeded, in the order of operations."""
        self._operations: dict[OperationId, Operation] = {}
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            self._samples[operation.id] = 0
            self._operations[operation.id] = operation

    def propose(self, progress: float) -> Proposal | None:
        operation = self.next_to_try()
        return None if operation is None else Proposal(self._sampler.sample_for(operation), self, is_sampled=True)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if observation.outcome == "ok" and call.operation.id in self._samples:
                del self._samples[call.operation.id]

    def next_to_try(self) -> Operation | None:
        """Returns an operation and counts it as tried; None if all have succeeded, or have reached MAX_SAMPLES."""
        name = min(self._samples, key=self._samples.__getitem__, default=None)
        if name is None or self._samples[name] >= MAX_SAMPLES:
            return None
        self._samples[name] += 1
        return self._operations[name]
