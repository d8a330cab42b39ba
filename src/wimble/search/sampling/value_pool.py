"""Values seen in answers, by the name of their field: good guesses for inputs of the same name.

The number of names and of values per name is limited; deterministic. It follows the "data pool" of [Nominal-Errors].
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import ReferenceGene
from wimble.model.resource_names import plain_name
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.resources import Resources
from wimble.types import ABSENT, Absent, Json

POOL_PROBABILITY: Final = 0.2
"""Probability that inputs of a new call take values seen in answers (the value of [EvoMaster] for white-box runs)."""

MAX_NAMES = 2_000
MAX_VALUES_PER_NAME = 100
MAX_STRING_LENGTH = 200
"""Longer strings are prose, not keys."""


class ValuePool:
    """The latest distinct scalar values of each field name."""

    def __init__(self) -> None:
        self._values: dict[str, list[Json]] = {}
        self._known: dict[str, set[tuple[type, Json]]] = {}
        self._next_slot: dict[str, int] = {}

    def add(self, name: str, value: Json) -> None:
        """Adds a scalar. If the name has too many values, its oldest one is replaced."""
        if value is None or (isinstance(value, str) and len(value) > MAX_STRING_LENGTH):
            return
        key = plain_name(name)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MAX_NAMES:
                return
            known = self._known[key] = set()
            self._values[key] = []
        typed = (type(value), value)
        if typed in known:
            return
        known.add(typed)
        values = self._values[key]
        if len(values) < MAX_VALUES_PER_NAME:
            values.append(value)
            return
        slot = self._next_slot.get(key, 0)
        known.discard((type(values[slot]), values[slot]))
        values[slot] = value
        self._next_slot[key] = (slot + 1) % MAX_VALUES_PER_NAME

    def values(self, name: str) -> tuple[Json, ...]:
        return tuple(self._values.get(plain_name(name), ()))

    def choose(self, rng: Random, *names: str) -> Json | Absent:
        """Returns a value seen under the first of the names that has any; ABSENT if none has."""
        for name in names:
            values = self._values.get(plain_name(name))
            if values:
                return values[int(rng.random() * len(values))]
        return ABSENT


class PoolValues:
    """Gives inputs of new calls values of the pool."""

    def __init__(self, pool: ValuePool, resources: Resources, rng: Random) -> None:
        self._pool = pool
        self._resources = resources
        self._rng = rng

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: inputs take values of the same name.

        For an id in a path, the name of the resource counts, too.
        """
        rng = self._rng
        if rng.random() >= POOL_PROBABILITY:
            return call
        genes = list(call.genes)
        for binding in self._resources.bindings(call.operation):
            if isinstance(genes[binding.input_index], ReferenceGene):
                continue
            value = self._pool.choose(rng, f"{binding.resource}{binding.name}", binding.name, f"{binding.resource}id")
            new = genes[binding.input_index].with_value(value) if value is not ABSENT else None
            if new is not None:
                genes[binding.input_index] = new
        changed = TestCase((Call(call.operation, tuple(genes), call.user),))
        for named in iter_named_genes(call, 0):
            if rng.random() < 0.5:
                value = self._pool.choose(rng, named.name)
                new = named.gene.with_value(value) if value is not ABSENT else None
                if new is not None:
                    changed = changed.with_gene(named.address, new)
        return changed.calls[0]
