"""The credentials that calls carry, which are the last input of an operation that has a place for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.genes import CarriedGene
from wimble.model.operation import Operation
from wimble.model.testcase import Call
from wimble.types import ABSENT, Json


def can_carry(operation: Operation) -> bool:
    """Whether calls of the operation have a place for credentials, which is their last input."""
    return bool(operation.inputs) and operation.inputs[-1].role == "credential"


def carried_by(call: Call) -> CarriedGene:
    """Returns the credentials that a call carries; an empty gene if its operation cannot carry any."""
    gene = call.genes[-1] if call.genes else None
    return gene if isinstance(gene, CarriedGene) else _NOTHING


def replaces_input(call: Call) -> bool:
    """Whether the credentials of a call are sent in place of another header, cookie or query parameter of it."""
    places = {place.lower() for place, _ in carried_by(call).fields}
    kinds = {place.partition(" ")[0] for place in places}
    return any(place in places for kind in kinds for place, _ in iter_sent_in(call, kind))


def iter_sent_in(call: Call, kind: str) -> Iterator[tuple[str, Json]]:
    """Yields place and value of what a call sends as inputs of its own in one kind of place, such as its headers.

    Places are in lower case: `header authorization`.
    """
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.sent_in != kind or given.role == "credential" or (value := gene.phenotype()) is ABSENT:
            continue
        named = value if given.is_undeclared and isinstance(value, dict) else {given.name: value}
        yield from ((f"{kind} {name}".lower(), one) for name, one in named.items())


def with_carried(call: Call, carried: CarriedGene) -> Call:
    """Returns the call with these credentials, if its operation can carry any."""
    if not can_carry(call.operation):
        return call
    return Call(call.operation, (*call.genes[:-1], carried), call.user)


def with_credentials_of(call: Call, other: Call) -> Call:
    """Returns the call by the user of another call, with the credentials that this one carries, if it does."""
    call = Call(call.operation, call.genes, other.user)
    return with_carried(call, carried_by(other)) if carried_by(other).fields else call


_NOTHING: Final = CarriedGene()
