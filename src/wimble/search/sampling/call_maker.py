"""Makes single calls: with new values, bound to earlier calls, changed by the sampling steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from wimble.genes import Gene
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
        self.references = references
        self._steps = tuple(steps)
        self._rng = rng

    def call(
        self, operation: Operation, earlier: Sequence[Call], *, bind_probability: float = REUSE_PROBABILITY
    ) -> Call:
        """Returns a call with new values, its path and foreign keys bound to fitting earlier calls."""
        templates, drawn = _templates(operation)
        genes = list(templates)
        for index, template in drawn:
            genes[index] = template.sampled(self._rng)
        call = thinned(Call(operation, tuple(genes), self._users.choose(operation, earlier)), self._rng)
        call = self.references.with_bound_path(call, earlier, bind_probability)
        for step in self._steps:
            call = step(call, earlier)
        return call


@lru_cache(maxsize=8192)
def _templates(operation: Operation) -> tuple[tuple[Gene, ...], tuple[tuple[int, Gene], ...]]:
    """Returns the templates of all inputs, and (index, template) of those that are drawn for each call.

    A sample of an undeclared input is its template, which is left out.
    """
    templates = tuple(given.template for given in operation.inputs)
    drawn = [(i, given.template) for i, given in enumerate(operation.inputs) if not given.is_undeclared]
    return templates, tuple(drawn)
