"""Calls of methods on objects that could be made: with the arguments of an earlier constructor that did not fail.

A constructor that checks its options (`max`, `ttl`, and that one of them is there) refuses most random ones. Each
method would have to find such options for itself. So what has made an object once makes those of other calls, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from wimble.genes import Gene
from wimble.library.function_binding import FunctionBinding
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, GeneAddress
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

MAX_KEPT: Final = 8
"""Objects of a class that are kept, the newest ones."""
LEAST_FAILED: Final = 0.4
"""Share of the calls of a class without a result from which on its objects are hard to make."""

Owner: TypeAlias = tuple[tuple[str, ...], bool]
"""What makes an object: the path to a class or function, and whether it is a function."""


class KnownObjects(Generator):
    """Proposes calls of the methods that were called on a known object least often."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, rng: Random) -> None:
        super().__init__()
        self._sampler = sampler
        self._rng = rng
        self._methods: dict[Owner, list[Operation]] = {}
        self._known: dict[Owner, list[tuple[Gene, ...]]] = {}
        self._counts: dict[Owner, list[int]] = {}
        """Calls of a class, and those without a result."""
        self._tried: dict[OperationId, int] = {}
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            owner, binding = _owner(operation), operation.binding
            is_method = isinstance(binding, FunctionBinding) and binding.kind == "method"
            if owner is not None and is_method and _n_given(operation) > 0:
                self._methods.setdefault(owner, []).append(operation)
                self._tried[operation.id] = 0

    def is_ready(self) -> bool:
        return bool(self._known)

    def propose(self, progress: float) -> Proposal | None:
        hard = [owner for owner in self._known if self._is_hard(owner)]
        methods = [(one, owner) for owner in hard for one in self._methods.get(owner, ())]
        if not methods:
            return None
        operation, owner = min(methods, key=lambda pair: self._tried[pair[0].id])
        self._tried[operation.id] += 1
        test_case = self._sampler.sample_for(operation)
        last = len(test_case.calls) - 1
        # A constructor that reads `arguments` takes more than the methods of its class know of.
        for index, gene in enumerate(self._rng.choice(self._known[owner])[: _n_given(operation)]):
            test_case = test_case.with_gene(GeneAddress(last, index), gene)
        return Proposal(test_case, self, is_sampled=True)

    def _is_hard(self, owner: Owner) -> bool:
        n_calls, n_failed = self._counts[owner]
        return n_failed >= LEAST_FAILED * n_calls

    def observe(self, outcome: Outcome) -> None:
        if self._methods:
            evaluation = outcome.evaluation
            for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
                self._learn(call, observation)
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement.newly_covered))

    def _learn(self, call: Call, observation: Observation) -> None:
        owner = _owner(call.operation)
        if owner not in self._methods or owner is None:
            return
        is_made = observation.outcome == "ok"
        counts = self._counts.setdefault(owner, [0, 0])
        counts[0] += 1
        counts[1] += not is_made
        given = call.genes[: _n_given(call.operation)]
        if is_made and given:
            known = self._known.setdefault(owner, [])
            if given not in known:
                known.append(given)
                del known[:-MAX_KEPT]


def _owner(operation: Operation) -> Owner | None:
    """Returns what makes the object of a method, or what a constructor makes; None for other operations."""
    binding = operation.binding
    if not isinstance(binding, FunctionBinding) or binding.is_made:
        return None
    return (binding.path, binding.is_of_result) if binding.kind in ("method", "constructor") else None


def _n_given(operation: Operation) -> int:
    """Returns how many inputs of an operation, the first ones, make the object."""
    binding = operation.binding
    if not isinstance(binding, FunctionBinding):
        return 0
    return len(binding.parameters if binding.kind == "constructor" else binding.receiver)
