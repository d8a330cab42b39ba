"""Declared links between operations: which values a later call takes from an earlier one.

The links do not change during a search; only whether a link is followed depends on chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import Gene, ReferenceGene
from wimble.model.json_pointer import at_pointer
from wimble.model.operation import Link, Operation
from wimble.model.testcase import Call
from wimble.types import ABSENT, Json

LINK_PROBABILITY: Final = 0.9
"""Probability that an input takes the value that a link of an earlier call names. It is below 1, since documents have
errors.
"""


class DeclaredLinks:
    """The links of one API, by the operation that they lead to."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._into: dict[int, list[tuple[Operation, Link, int]]] = {}
        self._targets: dict[int, list[Operation]] = {}
        by_id = {operation.id: operation for operation in operations}
        for producer in operations:
            for link in producer.links:
                for name, index in link.feeds:
                    target = by_id.get(name)
                    if target is not None:
                        self._into.setdefault(id(target), []).append((producer, link, index))
                        followers = self._targets.setdefault(id(producer), [])
                        if target not in followers:
                            followers.append(target)

    def producers(self, operation: Operation, input_index: int) -> tuple[Operation, ...]:
        """Returns operations whose answers hold the value that the input takes."""
        found = self._into.get(id(operation), ())
        return tuple(
            dict.fromkeys(producer for producer, link, index in found if index == input_index and not link.is_sent)
        )

    def sources(self, operation: Operation) -> tuple[Operation, ...]:
        """Returns operations that have a link to this one, each once."""
        return tuple(dict.fromkeys(producer for producer, _, _ in self._into.get(id(operation), ())))

    def followers(self, operation: Operation) -> tuple[Operation, ...]:
        """Returns operations to which links of this one lead."""
        return tuple(self._targets.get(id(operation), ()))

    def followed(self, call: Call, earlier: Sequence[Call], rng: Random) -> Call:
        """Returns the call with the values to which links of the latest fitting earlier calls point."""
        found = self._into.get(id(call.operation))
        if not found:
            return call
        genes = list(call.genes)
        for producer, link, index in found:
            at = next((i for i in range(len(earlier) - 1, -1, -1) if earlier[i].operation is producer), None)
            if at is None or rng.random() >= LINK_PROBABILITY:
                continue
            own = genes[index]
            fallback = own.fallback if isinstance(own, ReferenceGene) else own
            if not link.is_sent:
                genes[index] = ReferenceGene(at, link.pointer, fallback)
            elif (new := fallback.with_value(_sent(link, earlier[at]))) is not None:
                genes[index] = new
        return Call(call.operation, tuple(genes), call.user)


def _sent(link: Link, call: Call) -> Json:
    """Returns the value that the call sends where the link points; ABSENT if there is none, or it is not known yet."""
    value = ABSENT if link.sent_input is None else _known(call.genes[link.sent_input])
    return value if value is ABSENT else at_pointer(value, link.pointer)


def _known(gene: Gene) -> Json:
    return ABSENT if isinstance(gene, ReferenceGene) else gene.phenotype()
