"""Sends credentials that were not given to operations that ask for some: made up, empty and malformed.

The code that checks them may fail on them, and hints about what it compares them with lead to credentials that it
accepts. They are also sent where the document declares a scheme, whatever the operation answers without them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from wimble.model.operation import Operation
from wimble.search.access.access import Access
from wimble.search.access.carried_credentials import can_carry
from wimble.search.access.made_up import made_up_credentials
from wimble.search.access.openings import Attempt
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.1
"""Probability of having a turn, while some have not been sent."""


class MadeUpCredentials(Generator):
    """Takes one credential of each operation in turn."""

    def __init__(self, operations: Sequence[Operation], access: Access, sampler: Sampler) -> None:
        super().__init__()
        self._access = access
        self._sampler = sampler
        self._known: set[OperationId] = set()
        self._n_denied = 0
        self._waiting: deque[deque[Attempt]] = deque()
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            if operation.credential_places and operation.access and can_carry(operation):
                self._put(operation)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        attempts = self._waiting.popleft()
        attempt = attempts.popleft()
        if attempts:
            self._waiting.append(attempts)
        return Proposal(self._sampler.sample_attempt(attempt), self, is_sampled=True)

    def observe(self, outcome: Outcome) -> None:
        if len(self._access.denied) > self._n_denied:
            self._n_denied = len(self._access.denied)
            for operation in self._access.denied.values():
                self._put(operation)

    def _put(self, operation: Operation) -> None:
        if operation.id in self._known:
            return
        self._known.add(operation.id)
        places = self._access.places_of(operation)
        credentials = made_up_credentials(places, self._sampler.rng)
        self._waiting.append(deque(Attempt(operation, made_up=one) for one in credentials))
