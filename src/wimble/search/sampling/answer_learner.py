"""Learns from answers which part of them names a resource, and which values fields had."""

from __future__ import annotations

from typing import Final

from wimble.genes import ReferenceGene
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name
from wimble.model.scalar_fields import iter_scalar_fields
from wimble.model.testcase import Call
from wimble.search.resources.bindings import Bindings
from wimble.search.resources.resources import Resources
from wimble.search.sampling.value_pool import ValuePool

ANSWERS_ALWAYS_LEARNT: Final = 16
LEARN_EVERY: Final = 16
"""The first answers of each operation are all read, then each 16th, since shapes repeat."""
MAX_BODY_BYTES: Final = 100_000
IDENTITY_NAMES: Final = ("id", "uuid", "key", "slug", "code", "name")


class AnswerLearner:
    """Learns from answers; the work per answer is limited."""

    def __init__(self, resources: Resources, bindings: Bindings, pool: ValuePool) -> None:
        self._resources = resources
        self._bindings = bindings
        self._pool = pool
        self._n_successes: dict[int, int] = {}

    def has_succeeded(self, operation: Operation) -> bool:
        """Whether the operation was answered with success at least once."""
        return id(operation) in self._n_successes

    def observe(self, call: Call, observation: Observation, evaluation: Evaluation) -> None:
        """Learns from the answer to one call of an evaluation."""
        if observation.outcome == "ok":
            self._learn_bindings(call, observation, evaluation, worked=True)
            self._learn_values(call.operation, observation)
        elif observation.exchange.complaint() == "missing":
            self._learn_bindings(call, observation, evaluation, worked=False)

    def _learn_values(self, operation: Operation, observation: Observation) -> None:
        seen = self._n_successes[id(operation)] = self._n_successes.get(id(operation), 0) + 1
        if seen > ANSWERS_ALWAYS_LEARNT and seen % LEARN_EVERY:
            return
        exchange = observation.exchange
        if exchange.place():
            self._bindings.see_place(operation)
        if not 0 < exchange.n_bytes <= MAX_BODY_BYTES:
            return
        content = exchange.value()
        if not isinstance(content, (dict, list)):
            return
        fields = list(iter_scalar_fields(content))
        self._bindings.see_fields(operation, fields)
        resource = self._resources.noun(operation)
        for _, name, value in fields:
            self._pool.add(name, value)
            if plain_name(name) in IDENTITY_NAMES:
                self._pool.add(resource + name, value)

    def _learn_bindings(self, call: Call, observation: Observation, evaluation: Evaluation, *, worked: bool) -> None:
        for binding in self._resources.bindings(call.operation):
            gene = call.genes[binding.input_index]
            if not isinstance(gene, ReferenceGene):
                continue
            calls = evaluation.test_case.calls
            if not worked:
                produced = evaluation.observations[gene.call].outcome
                between = calls[gene.call + 1 : observation.call_index]
                if produced != "ok" or any(c.operation.effect == "remove" for c in between):
                    continue  # the resource was never created, or was removed, which does not refute the pointer
            self._bindings.learn(calls[gene.call].operation, binding, gene.pointer, worked=worked)
