"""Path parameters that have worked, by the place of their collection: `/pitches/{id}` and `/pitches/{pitchId}/reviews`.

Parameters at one place name the same resource, whatever they are called. Where no operation lists or creates such
resources (they are in a file, or a range of years), the only known values are those with which a call has succeeded, or
has been refused for another reason than that the thing does not exist, where others were refused for that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from wimble.genes import Gene, ReferenceGene
from wimble.model.observation import Complaint
from wimble.model.operands import is_number, to_number, to_text
from wimble.model.resource_names import Place
from wimble.model.testcase import Call
from wimble.search.resources.resources import Resources
from wimble.types import ABSENT, Json, OperationId

PLACE_PROBABILITY: Final = 0.4
"""Probability that a path parameter that is not bound to an earlier call takes a value that has worked."""
MAX_VALUES: Final = 12
"""Values that are kept for each place, the latest ones."""
MAX_TEXT: Final = 200


class PlaceValues:
    """Learns the values, and gives them to new calls; all randomness comes from `rng`."""

    def __init__(self, resources: Resources, rng: Random) -> None:
        self._resources = resources
        self._rng = rng
        self._values: dict[Place, deque[Json]] = {}
        self._likely: dict[Place, deque[Json]] = {}
        """Values of calls that were refused for another reason than that the thing does not exist."""
        self._can_miss: set[OperationId] = set()

    def observe(self, call: Call) -> None:
        """Learns from a call that has succeeded."""
        self._learn(call, self._values)

    def observe_refused(self, call: Call, complaint: Complaint) -> None:
        """Learns from a call that was refused: about its input, only where such calls may miss what they name."""
        if complaint == "missing":
            self._can_miss.add(call.operation.id)
        elif complaint == "input" and call.operation.id in self._can_miss:
            self._learn(call, self._likely)

    def _learn(self, call: Call, values: dict[Place, deque[Json]]) -> None:
        for place, value in iter_place_values(call, self._resources):
            known = values.setdefault(place, deque(maxlen=MAX_VALUES))
            if value not in known:
                known.append(value)

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: path parameters take values that have worked at their place."""
        genes = list(call.genes)
        for binding in self._resources.bindings(call.operation):
            known = self._values.get(binding.scope) or self._likely.get(binding.scope)
            old = genes[binding.input_index]
            if known and not isinstance(old, ReferenceGene) and self._rng.random() < PLACE_PROBABILITY:
                genes[binding.input_index] = as_read(old, self._rng.choice(known)) or old
        return Call(call.operation, tuple(genes), call.user)


def iter_place_values(call: Call, resources: Resources) -> Iterator[tuple[Place, Json]]:
    """Yields the path parameters of a call that are not bound to an earlier one, with the places of their collections.

    What an earlier call has created is gone in the next test case, so its identity is of no use there.
    """
    for binding in resources.bindings(call.operation):
        gene = call.genes[binding.input_index]
        value = ABSENT if isinstance(gene, ReferenceGene) else gene.phenotype()
        if value is ABSENT or isinstance(value, (dict, list)) or (isinstance(value, str) and len(value) > MAX_TEXT):
            continue
        yield binding.scope, value


def as_read(gene: Gene, value: Json) -> Gene | None:
    """Returns the gene with a value of a path, where `7` and the text "7" are the same; None if it cannot have it."""
    new = gene.with_value(value)
    if new is None and is_number(value):
        return gene.with_value(to_text(value))
    number = to_number(value) if new is None and isinstance(value, str) else None
    return new if number is None else gene.with_value(number)
