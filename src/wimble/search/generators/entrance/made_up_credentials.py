"""Sends credentials that were not given to operations that ask for some: made up, empty and malformed.

The code that checks them may fail on them, and hints about what it compares them with lead to credentials that it
accepts. They are also sent where the document declares a scheme, whatever the operation answers without them. Most
operations share their guard, so a credential that shows nothing new in several of them is not sent to the others.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from itertools import chain, count
from typing import Final

import msgspec

from wimble.model.carried_credentials import can_carry
from wimble.model.operation import Operation
from wimble.search.access.access import Access
from wimble.search.access.made_up import made_up_credentials
from wimble.search.access.openings import Attempt
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.1
"""Probability of having a turn, while some have not been sent."""
MAX_VAIN: Final = 8
"""Number of operations in a row in which a credential of one kind has shown nothing new, after which it is not sent any
more."""


class _WaitingAttempt(msgspec.Struct, frozen=True):
    attempt: Attempt
    kind: str
    """The place that a document or the code names, or the number of a usual credential."""


class _AttemptProposal(Proposal, kw_only=True):
    kind: str


class MadeUpCredentials(Generator):
    """Takes one credential of each operation in turn."""

    def __init__(self, operations: Sequence[Operation], access: Access, sampler: Sampler) -> None:
        super().__init__()
        self._access = access
        self._sampler = sampler
        self._known: set[OperationId] = set()
        self._n_denied = 0
        self._waiting: deque[deque[_WaitingAttempt]] = deque()
        self._n_vain: Counter[str] = Counter()
        """By kind of credential: operations in a row in which it has shown nothing new."""
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            if operation.credential_places and operation.access and can_carry(operation):
                self._put(operation)

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        while self._waiting:
            attempts = self._waiting.popleft()
            one = attempts.popleft()
            if attempts:
                self._waiting.append(attempts)
            if self._n_vain[one.kind] < MAX_VAIN:
                sampled = self._sampler.sample_attempt(one.attempt)
                return _AttemptProposal(sampled, self, is_sampled=True, kind=one.kind)
        return None

    def observe(self, outcome: Outcome) -> None:
        if isinstance(outcome.proposal, _AttemptProposal):
            kind = outcome.proposal.kind
            has_shown_new = bool(outcome.improvement.newly_covered or outcome.evaluation.findings)
            self._n_vain[kind] = 0 if has_shown_new else self._n_vain[kind] + 1
        if len(self._access.denied) > self._n_denied:
            self._n_denied = len(self._access.denied)
            for operation in self._access.denied.values():
                self._put(operation)

    def _put(self, operation: Operation) -> None:
        if operation.id in self._known:
            return
        self._known.add(operation.id)
        places = self._access.places_of(operation)
        kinds = chain(places, map(str, count()))
        made = zip(made_up_credentials(places, self._sampler.rng), kinds, strict=False)
        self._waiting.append(deque(_WaitingAttempt(Attempt(operation, made_up=one), kind) for one, kind in made))
