"""The smart start: test cases with which each search begins (`Sampler.iter_initial`).

Once each operation was called alone, they have few turns while all their calls are denied: other generators look for
what the guard asks for meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import chain
from typing import ClassVar, Final

from wimble.model.operation import Operation
from wimble.search.generators.generator import OWN_PROPOSALS, Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler

DENIED_PROBABILITY: Final = 0.2
"""Probability of a turn while the latest ones were all denied."""
N_LATEST: Final = 12


class InitialTestCases(Generator):
    """Proposes each operation alone first, then together with the operations that it needs."""

    learns_from: ClassVar[str] = OWN_PROPOSALS

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._waiting = sampler.iter_initial()
        self._n_alone = len(sampler.operations)
        self._are_denied: deque[bool] = deque(maxlen=N_LATEST)

    def join(self, operations: Sequence[Operation]) -> None:
        self._waiting = chain(self._waiting, self._sampler.iter_initial(operations))

    def admission(self, generator: Generator, progress: float) -> bool:
        """Admits this generator always, but seldom while the calls of its test cases are denied."""
        if self._n_alone > 0 or len(self._are_denied) < N_LATEST or not all(self._are_denied):
            return True
        return self._sampler.rng.random() < DENIED_PROBABILITY

    def propose(self, progress: float) -> Proposal | None:
        self._n_alone -= 1
        initial = next(self._waiting, None)
        return None if initial is None else Proposal(initial, self, is_sampled=True)

    def observe(self, outcome: Outcome) -> None:
        observations = outcome.evaluation.observations
        if outcome.proposal.generator is self and observations:
            self._are_denied.append(bool(observations[-1].exchange.denial()))
