"""Declared links between operations: what a later call takes of an earlier one. Static, but for the choice of whether to follow."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import Gene, ReferenceGene
from wimble.model.operation import Input, Link, Operation
from wimble.model.request import at_pointer
from wimble.model.testcase import Call
from wimble.types import ABSENT, Json

LINK_SHARE: Final = 0.9
"""Of inputs that a link of an earlier call feeds; documents err, too."""


class DeclaredLinks:
    """The links of one API, by the operation that they lead to."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._into: dict[int, list[tuple[Operation, Link, int]]] = {}
        self._targets: dict[int, list[Operation]] = {}
        for producer in operations:
            for link in producer.links:
                for target in _targets(link, operations):
                    if target is not producer and (index := _input_index(link, target)) is not None:
                        self._into.setdefault(id(target), []).append((producer, link, index))
                        followers = self._targets.setdefault(id(producer), [])
                        if target not in followers:
                            followers.append(target)

    def producers(self, operation: Operation, input_index: int) -> tuple[Operation, ...]:
        """Operations whose answers hold what the input takes."""
        found = self._into.get(id(operation), ())
        return tuple(
            dict.fromkeys(producer for producer, link, index in found if index == input_index and not link.sent_in)
        )

    def sources(self, operation: Operation) -> tuple[Operation, ...]:
        """Operations that have a link to this one, each once."""
        return tuple(dict.fromkeys(producer for producer, _, _ in self._into.get(id(operation), ())))

    def followers(self, operation: Operation) -> tuple[Operation, ...]:
        """Operations that links of this one lead to."""
        return tuple(self._targets.get(id(operation), ()))

    def followed(self, call: Call, earlier: Sequence[Call], rng: Random) -> Call:
        """The call with what the links of the latest fitting earlier calls say."""
        found = self._into.get(id(call.operation))
        if not found:
            return call
        genes = list(call.genes)
        for producer, link, index in found:
            at = next((i for i in range(len(earlier) - 1, -1, -1) if earlier[i].operation is producer), None)
            if at is None or rng.random() >= LINK_SHARE:
                continue
            own = genes[index]
            fallback = own.fallback if isinstance(own, ReferenceGene) else own
            if not link.sent_in:
                genes[index] = ReferenceGene(at, link.pointer, fallback)
            elif (adopted := fallback.adopted(_sent(link, earlier[at]))) is not None:
                genes[index] = adopted
        return Call(call.operation, tuple(genes), call.user)


def _targets(link: Link, operations: Sequence[Operation]) -> list[Operation]:
    """The operation that a link names; of one that names none, all whose path has the parameter."""
    if not link.target:
        return [one for one in operations if link.location in ("", "path") and f"{{{link.name}}}" in one.path]
    named = [one for one in operations if one.operation_id == link.target]
    if named:
        return named
    verb, _, path = link.target.partition(" ")
    # The server's base path stands before the document's.
    ending = [one for one in operations if path and one.method == verb and one.path.endswith(path)]
    return [min(ending, key=lambda one: len(one.path))] if ending else []


def _input_index(link: Link, target: Operation) -> int | None:
    for index, given in enumerate(target.inputs):
        if _is_meant(link, given):
            return index
    return None


def _is_meant(link: Link, given: Input) -> bool:
    if link.location == "body":
        # Of several media types, the gene chooses: it has to stay.
        return given.location == "body" and len(given.forms) < 2
    return given.location != "body" and given.name == link.name and link.location in ("", given.location)


def _sent(link: Link, call: Call) -> Json:
    """What the call sends where the link points; ABSENT where that is nothing, or not known before it is sent."""
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.location == link.sent_in and (link.sent_in == "body" or given.name == link.pointer):
            value = _known(gene)
            return value if link.sent_in != "body" or value is ABSENT else at_pointer(value, link.pointer)
    return ABSENT


def _known(gene: Gene) -> Json:
    return ABSENT if isinstance(gene, ReferenceGene) else gene.phenotype()
