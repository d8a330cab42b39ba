"""Headers, cookies and query parameters without which an operation has never succeeded: a tenant, a version, a key.

Several of them are often needed at once, beside credentials, so a call that carries each with a small probability
seldom gets through. An operation whose successes all carried one gets it nearly always, with a value that was accepted.
So does an operation that has not succeeded yet, if others need it: what all of them read, by one function, is known for
the first of them only. Calls of one test case share the value: a user of one tenant is none of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import ObjectGene, ReferenceGene, StringGene, contains_gene
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.testcase import Call
from wimble.search.learned.members import input_index, is_declared, value_of_input, with_input
from wimble.search.learned.single_use import is_for_one_use
from wimble.types import ABSENT, OperationId

CARRIED_PROBABILITY: Final = 0.9
"""Probability that a call carries an input that it seems to need; the others show whether it does."""
SHARED_PROBABILITY: Final = 0.6
"""The same for an operation that was not seen to read it."""
LEAST_NEEDING: Final = 2
"""Number of operations that need an input before it is tried on others that were not seen to read it."""
SAME_PROBABILITY: Final = 0.9
"""Probability that it has the value that an earlier call of its test case has."""
MAX_VALUES: Final = 4
"""Accepted values of one input that are kept, the latest ones."""
_LOCATIONS: Final = ("header", "cookie", "query")

_Key = tuple[str, tuple[str, ...]]


class _Use(msgspec.Struct):
    """How many successful calls of one operation have carried an input, and how many have not."""

    n_with: int = 0
    n_without: int = 0

    @property
    def is_needed(self) -> bool:
        return self.n_with > 0 and self.n_without == 0


class NeededInputs:
    """What is known of such inputs."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._uses: dict[_Key, dict[OperationId, _Use]] = {}
        self._values: dict[_Key, list[str]] = {}
        self._inputs: dict[_Key, LearnedInput] = {}
        self._succeeded: set[OperationId] = set()

    def observe(self, call: Call, observation: Observation, inputs: Iterable[LearnedInput]) -> None:
        """Counts a call that has succeeded. inputs: those that its operation is known to read."""
        if observation.outcome != "ok":
            return
        self._succeeded.add(call.operation.id)
        read = {one.key: one for one in inputs}
        for key, one in {**self._inputs, **read}.items():
            if one.location not in _LOCATIONS or len(one.path) != 1 or is_for_one_use(one):
                continue
            value = value_of_input(call, one)
            if value is ABSENT and key not in read:
                continue
            self._inputs.setdefault(one.key, one)
            use = self._uses.setdefault(one.key, {}).setdefault(call.operation.id, _Use())
            if value is ABSENT:
                use.n_without += 1
                continue
            use.n_with += 1
            known = self._values.setdefault(one.key, [])
            if isinstance(value, str) and value not in known and not _is_referred(call, one):
                self._values[one.key] = [*known, value][-MAX_VALUES:]

    def applied(self, call: Call, earlier: Sequence[Call], inputs: Iterable[LearnedInput]) -> Call:
        """Returns the call with the inputs that it seems to need, of those that its operation is known to read."""
        if not self._values:
            return call
        read = {one.key: one for one in inputs}
        for key, one in {**self._inputs, **read}.items():
            values = self._values.get(key)
            if not values or not self._is_needed(call.operation, one, is_read=key in read) or _is_referred(call, one):
                continue
            if self._rng.random() < (CARRIED_PROBABILITY if key in read else SHARED_PROBABILITY):
                same = next((text for each in reversed(earlier) if (text := _text_of(each, one))), "")
                is_same = bool(same) and self._rng.random() < SAME_PROBABILITY
                value = same if is_same else self._rng.choice(values)
                call = with_input(call, one, StringGene(value)) or call
        return call

    def _is_needed(self, operation: Operation, one: LearnedInput, *, is_read: bool) -> bool:
        uses = self._uses.get(one.key, {})
        own = uses.get(operation.id)
        if own is not None:
            return own.is_needed
        if operation.id in self._succeeded or is_declared(operation, one):
            return False
        n_needing = sum(use.is_needed for use in uses.values())
        return 2 * n_needing > len(uses) and (is_read or n_needing >= LEAST_NEEDING)


def _is_referred(call: Call, one: LearnedInput) -> bool:
    """Whether the input takes its value from an earlier answer."""
    index = input_index(call.operation, one)
    room = None if index is None else call.genes[index]
    gene = dict(room.fields).get(one.path[0]) if isinstance(room, ObjectGene) else None
    return gene is not None and contains_gene(ReferenceGene, gene)


def _text_of(call: Call, one: LearnedInput) -> str:
    value = value_of_input(call, one)
    return value if isinstance(value, str) and not _is_referred(call, one) else ""
