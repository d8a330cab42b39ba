"""Operations that have not succeeded yet: a share of new test cases is theirs.

What lies behind a success shows in no target before the first one, so nothing else of the search knows how much there is to win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation

SHARE: Final = 0.1
"""Of all test cases, while there is such an operation."""
MAX_SAMPLES: Final = 60
"""Of one operation; what has not succeeded by then is left to its targets."""


class Successes:
    def __init__(self, operations: Sequence[Operation]) -> None:
        self._samples = {operation.id: 0 for operation in operations}
        """Of those that have not succeeded, in their order."""
        self._operations = {operation.id: operation for operation in operations}

    def observe(self, evaluation: Evaluation) -> None:
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            is_open = call.operation.id in self._samples
            if is_open and observation.response is not None and call.operation.is_success(observation.response):
                del self._samples[call.operation.id]

    def next_to_try(self) -> Operation | None:
        """The one that was answered so least often, counted as tried; None where all have succeeded, or had their chance."""
        name = min(self._samples, key=self._samples.__getitem__, default=None)
        if name is None or self._samples[name] >= MAX_SAMPLES:
            return None
        self._samples[name] += 1
        return self._operations[name]
