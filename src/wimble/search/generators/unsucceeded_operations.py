"""New test cases for operations that have not succeeded yet.

What lies behind a success shows in no target before the first one, so nothing else in the search knows how much there
is to win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.model.operation import Operation
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler

PROBABILITY: Final = 0.1
"""Of a turn, while there is such an operation."""
MAX_SAMPLES: Final = 60
"""Of one operation; one that has not succeeded by then is left to its targets."""


class UnsucceededOperations(Generator):
    """The operation that was tried least often is next."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._samples = {operation.id: 0 for operation in operations}
        """Of those that have not succeeded, in their order."""
        self._operations = {operation.id: operation for operation in operations}

    def propose(self, progress: float) -> Proposal | None:
        operation = self.next_to_try()
        return None if operation is None else Proposal(self._sampler.sample_for(operation), self, is_sampled=True)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if observation.outcome == "ok" and call.operation.id in self._samples:
                del self._samples[call.operation.id]

    def next_to_try(self) -> Operation | None:
        """Counts the operation as tried; None where all have succeeded, or had their chance."""
        name = min(self._samples, key=self._samples.__getitem__, default=None)
        if name is None or self._samples[name] >= MAX_SAMPLES:
            return None
        self._samples[name] += 1
        return self._operations[name]
