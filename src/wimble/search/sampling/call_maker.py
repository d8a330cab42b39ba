"""Makes single calls: with new values, bound to earlier calls, changed by the sampling steps."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from wimble.model.operation import Operation
from wimble.model.testcase import Call
from wimble.search.sampling.answer_references import REUSE_PROBABILITY, NoReferences
from wimble.search.sampling.optional_inputs import thinned
from wimble.search.sampling.sampling_steps import SamplingStep
from wimble.search.sampling.user_choice import UserChooser


class CallMaker:
    """Applies the steps in their order; all randomness comes from `rng`."""

    def __init__(
        self,
        users: UserChooser,
        references: NoReferences,
        steps: Sequence[SamplingStep],
        rng: Random,
    ) -> None:
        self._users = users
        self._references = references
        self._steps = tuple(steps)
        self._rng = rng

    def call(
        self, operation: Operation, earlier: Sequence[Call], *, bind_probability: float = REUSE_PROBABILITY
    ) -> Call:
        """Returns a call with new values, its path and foreign keys bound to fitting earlier calls."""
        genes = tuple(given.template.sampled(self._rng) for given in operation.inputs)
        call = thinned(Call(operation, genes, self._users.choose(operation, earlier)), self._rng)
        call = self._references.with_bound_path(call, earlier, bind_probability)
        for step in self._steps:
            call = step(call, earlier)
        return call
