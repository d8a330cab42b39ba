"""The smart start: test cases that each search begins with (`Sampler.iter_initial`)."""

from __future__ import annotations

from wimble.search.generators.generator import Generator, Proposal
from wimble.search.sampling.sampler import Sampler


class InitialTestCases(Generator):
    """Each operation alone first, then in the company that it needs."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._waiting = sampler.iter_initial()

    def propose(self, progress: float) -> Proposal | None:
        initial = next(self._waiting, None)
        return None if initial is None else Proposal(initial, self, is_sampled=True)
