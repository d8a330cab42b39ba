"""Which parts of a declared request were accepted.

Parts are: each optional input sent and left out, each value of an enumeration, each alternative, null, an empty list
and a filled one. Only calls that succeed count, since any part of a refused request may be the reason of the refusal.
When a call sends one variant of a part, the other variants become known.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.genes import ArrayGene, BooleanGene, ChoiceGene, EnumGene, Gene, NullableGene, ObjectGene, OptionalGene
from wimble.genes.jsonhash import is_same_json
from wimble.model.parts import MAX_OPTIONS, gather
from wimble.model.testcase import Call
from wimble.types import ABSENT

MAX_DEPTH = 6
"""Maximum depth of nested names: bodies may hold bodies of their own kind."""


class RequestParts:
    """The parts of each operation's requests that were met so far."""

    def __init__(self) -> None:
        self._known: dict[int, dict[str, None]] = {}

    def of(self, call: Call) -> dict[str, bool]:
        """Returns the parts of a call, such as `query.limit left out`, and for each whether the call sends it so."""
        known = self._known.setdefault(id(call.operation), {})
        parts: dict[str, bool] = {}
        for given, gene in zip(call.operation.inputs, call.genes, strict=True):
            if given.role == "credential":
                continue
            place = given.sent_in if given.role == "content" else f"{given.sent_in}.{given.name}"
            gather(parts, known, _walk(gene, place, 0))
        return parts


def _walk(gene: Gene, place: str, depth: int) -> Iterator[tuple[str, bool]]:
    if depth > MAX_DEPTH:
        return
    for variant, is_sent in _variants(gene):
        yield f"{place} {variant}", is_sent
    for index, child in enumerate(gene.children()):
        if isinstance(gene, ObjectGene):
            yield from _walk(child, f"{place}.{gene.fields[index][0]}", depth + 1)
        elif isinstance(gene, ChoiceGene):
            yield from _walk(child, f"{place}|{gene.index}", depth + 1)
        else:
            yield from _walk(child, f"{place}[]" if isinstance(gene, ArrayGene) else place, depth)


def _variants(gene: Gene) -> Iterator[tuple[str, bool]]:
    """Yields the variants of the gene, and for each whether the gene has it now."""
    match gene:
        case OptionalGene():
            is_sent = gene.phenotype() is not ABSENT
            yield "sent", is_sent
            yield "left out", not is_sent
        case NullableGene():
            yield "null", gene.is_null
            yield "not null", not gene.is_null
        case BooleanGene():
            yield "true", gene.value
            yield "false", not gene.value
        case EnumGene() if 1 < len(gene.options) <= MAX_OPTIONS:
            value = gene.phenotype()
            yield from ((f"{option!r}"[:60], is_same_json(option, value)) for option in gene.options)
        case ChoiceGene() if 1 < len(gene.options) <= MAX_OPTIONS:
            yield from ((f"alternative {number}", number == gene.index) for number in range(len(gene.options)))
        case ArrayGene() if gene.max_items != 0:
            if not gene.min_items:
                yield "empty", not gene.items
            yield "filled", bool(gene.items)
