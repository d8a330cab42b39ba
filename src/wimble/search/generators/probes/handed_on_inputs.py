"""Tries inputs that the program reads with what other operations answer under such a name.

Each input is tried with each of the few answers that it may come from, in the order in which they became known: once,
or again if the call that gives the answer has failed.
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
MAX_TRIES: Final = 3
"""Tries of one pair whose answer was not given."""


class _Try(Proposal):
    """A test case in which an input may come from an answer."""

    pair: Pair | None = None
    n_tries: int = 0


class HandedOnInputs(Generator):
    """Proposes the pairs that wait, the oldest first."""

    def __init__(self, sampler: Sampler) -> None:
        super().__init__()
        self._sampler = sampler
        self._waiting: deque[tuple[Pair, int]] = deque()
        """With the number of tries."""

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        pair, n_tries = self._waiting.popleft()
        sampler = self._sampler
        if sampler.handed_on.is_known(pair):
            return None
        test_case = sampler.handed_on.sampled(pair, sampler.sample_for(pair.operation), sampler.producer)
        if test_case is None:
            return None
        return _Try(test_case, self, is_sampled=True, pair=pair, n_tries=n_tries + 1)

    def observe(self, outcome: Outcome) -> None:
        evaluation, handed_on = outcome.evaluation, self._sampler.handed_on
        new = handed_on.given(evaluation)
        for hint in evaluation.hints:
            if isinstance(hint, InputHint) and 0 <= hint.call < len(evaluation.observations):
                call = evaluation.test_case.calls[hint.call]
                one = located(call, hint)
                if one is not None and one.location != "file":
                    new += handed_on.wanted(call.operation, one)
        waiting = [*_again(outcome), *((pair, 0) for pair in new)]
        self._waiting.extend(waiting[: MAX_WAITING - len(self._waiting)])
        if outcome.improvement or outcome.proposal.generator is self:
            handed_on.prove(evaluation)


def _again(outcome: Outcome) -> list[tuple[Pair, int]]:
    """Returns the pair that was tried, if its answer was not given."""
    tried = outcome.proposal
    if not isinstance(tried, _Try) or tried.pair is None or tried.n_tries >= MAX_TRIES:
        return []
    calls = zip(outcome.evaluation.test_case.calls, outcome.evaluation.observations, strict=False)
    giver = tried.pair.source.giver
    is_given = any(call.operation is giver and observation.outcome == "ok" for call, observation in calls)
    return [] if is_given else [(tried.pair, tried.n_tries)]
