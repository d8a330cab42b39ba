"""The smart start: test cases with which each search begins (`Sampler.iter_initial`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from wimble.model.operation import Operation
from wimble.search.generators.generator import Generator, Proposal
from wimble.search.sampling.sampler import Sampler


class InitialTestCases(Generator):
    """Proposes each operation alone first, then together with the operations that it needs."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._waiting = sampler.iter_initial()

    def join(self, operations: Sequence[Operation]) -> None:
        self._waiting = chain(self._waiting, self._sampler.iter_initial(operations))

    def propose(self, progress: float) -> Proposal | None:
        initial = next(self._waiting, None)
        return None if initial is None else Proposal(initial, self, is_sampled=True)
