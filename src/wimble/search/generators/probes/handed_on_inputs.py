"""Tries inputs that the program reads with what other operations answer under such a name.

Each input is tried with each of the few answers that it may come from, once in the order in which they became known.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from wimble.model.hints import InputHint
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.learned.handed_on import Pair
from wimble.search.learned.held_values import located
from wimble.search.sampling.sampler import Sampler

PROBABILITY: Final = 0.25
"""Probability of having a turn while a pair waits."""
MAX_WAITING: Final = 300


class HandedOnInputs(Generator):
    """Proposes the pairs that wait, the oldest first."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._waiting: deque[Pair] = deque()

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        pair = self._waiting.popleft()
        sampler = self._sampler
        test_case = sampler.handed_on.sampled(pair, sampler.sample_for(pair.operation), sampler.call)
        return None if test_case is None else Proposal(test_case, self, is_sampled=True)

    def observe(self, outcome: Outcome) -> None:
        evaluation, handed_on = outcome.evaluation, self._sampler.handed_on
        new = handed_on.given(evaluation)
        for hint in evaluation.hints:
            if isinstance(hint, InputHint) and 0 <= hint.call < len(evaluation.observations):
                call = evaluation.test_case.calls[hint.call]
                one = located(call, hint)
                if one is not None and one.location != "file":
                    new += handed_on.wanted(call.operation, one)
        self._waiting.extend(new[: MAX_WAITING - len(self._waiting)])
        if outcome.improvement or outcome.proposal.generator is self:
            handed_on.prove(evaluation)
