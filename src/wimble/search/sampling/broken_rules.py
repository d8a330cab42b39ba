"""The rules that the genes of a call keep to, and for each one a value that breaks it and no other.

They are those of a schema: limits, lengths, patterns and formats, values of an enumeration, required members, numbers
of elements, members that repeat others, and members that it does not name.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from wimble.genes import (
    AnyGene,
    ArrayGene,
    EnumGene,
    Gene,
    GenePath,
    IntegerGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    StringGene,
    TwinsGene,
    probabilities,
)
from wimble.genes.taint_markers import taint_marker
from wimble.types import Json

UNKNOWN_MEMBER: Final = "unexpected"
OTHER_TEXT: Final = "something else"
"""The value of a member that has to repeat another one."""


class Rule(msgspec.Struct, frozen=True):
    """One rule of an input. Elements of a list are alike, so only the first one has rules."""

    input_index: int
    path: GenePath
    kind: str
    """`shortest`, `longest`, `shape`, `lowest`, `highest`, `step`, `values`, `fewest`, `most`, `names`, or `needs` or
    `repeats` and the name of a member."""
    limit: float | None = None
    """That of lengths and numbers. Another one, as of a schema that is known later, is another rule."""


def rules_of(genes: tuple[Gene, ...]) -> list[Rule]:
    """Returns the rules of the inputs of a call, in the order of the inputs."""
    return [
        Rule(index, path, kind, limit)
        for index, root in enumerate(genes)
        for path, kind, limit in _iter_rules(root, ())
    ]


def _iter_rules(gene: Gene, path: GenePath) -> Iterator[tuple[GenePath, str, float | None]]:
    if isinstance(gene, ReferenceGene):
        return
    yield from ((path, kind, limit) for kind, limit in _kinds(gene))
    children = gene.children()
    if isinstance(gene, ArrayGene):
        children = children[:1]
    for index, child in enumerate(children):
        yield from _iter_rules(child, (*path, index))


def _kinds(gene: Gene) -> Iterator[tuple[str, float | None]]:
    match gene:
        case StringGene():
            yield from _present(shortest=gene.min_length or None, longest=gene.max_length)
            if gene.is_shaped():
                yield "shape", None
        case IntegerGene():
            yield from _present(lowest=gene.minimum, highest=gene.maximum, step=gene.multiple_of)
        case NumberGene():
            yield from _present(lowest=_first(gene.minimum, gene.exclusive_minimum), step=gene.multiple_of)
            yield from _present(highest=_first(gene.maximum, gene.exclusive_maximum))
        case EnumGene():
            yield "values", None
        case ArrayGene():
            yield from _present(fewest=gene.min_items or None, most=gene.max_items)
        case ObjectGene() if gene.fields:
            yield "names", None
            yield from ((f"needs {name}", None) for name, one in gene.fields if not isinstance(one, OptionalGene))
            yield from ((f"repeats {name}", None) for name, _ in (gene.twins if isinstance(gene, TwinsGene) else ()))


def _present(**limits: float | None) -> Iterator[tuple[str, float]]:
    return ((kind, limit) for kind, limit in limits.items() if limit is not None)


def _first(*limits: float | None) -> float | None:
    return next((limit for limit in limits if limit is not None), None)


def breaking(gene: Gene, kind: str, rng: Random) -> Gene | None:
    """Returns a gene whose value breaks a rule of the given one; None if the gene has changed and lacks the rule."""
    if isinstance(gene, ObjectGene):
        return _without_rule_of_object(gene, kind)
    value = _breaking_value(gene, kind, rng)
    return None if value is None else AnyGene(value)


def _without_rule_of_object(gene: ObjectGene, kind: str) -> Gene:
    if kind == "names":
        return ObjectGene((*gene.fields, (UNKNOWN_MEMBER, AnyGene(1))))
    what, _, name = kind.partition(" ")
    if what == "repeats":
        return ObjectGene(tuple((own, AnyGene(OTHER_TEXT) if own == name else child) for own, child in gene.fields))
    return ObjectGene(tuple(field for field in gene.fields if field[0] != name))


def _breaking_value(gene: Gene, kind: str, rng: Random) -> Json:
    match gene:
        case StringGene():
            return _breaking_text(gene, kind, rng)
        case IntegerGene():
            numbers = {"lowest": gene.minimum, "highest": gene.maximum, "step": gene.value}
            return _moved(numbers, kind)
        case NumberGene():
            low = _first(gene.exclusive_minimum, None if gene.minimum is None else gene.minimum - 1)
            high = _first(gene.exclusive_maximum, None if gene.maximum is None else gene.maximum + 1)
            step = gene.value + (gene.multiple_of or 1) / 2
            return {"lowest": low, "highest": high, "step": step}.get(kind)
        case EnumGene():
            return taint_marker(rng)
        case ArrayGene():
            return _breaking_list(gene, kind)
    return None


def _moved(numbers: dict[str, int | None], kind: str) -> Json:
    number = numbers.get(kind)
    return None if number is None else number - 1 if kind == "lowest" else number + 1


def _breaking_text(gene: StringGene, kind: str, rng: Random) -> Json:
    if kind == "shape":
        return taint_marker(rng)
    if kind == "shortest":
        return gene.value[: gene.min_length - 1]
    if gene.max_length is None or gene.max_length >= probabilities.MAX_BROKEN_LENGTH:
        return None
    missing = gene.max_length + 1 - len(gene.value)
    return gene.value + (gene.value[-1:] or "a") * missing


def _breaking_list(gene: ArrayGene, kind: str) -> Json:
    value: list[Json] = gene.phenotype()
    if kind == "fewest":
        return value[: gene.min_items - 1]
    if not value or gene.max_items is None or gene.max_items >= probabilities.MAX_BROKEN_LENGTH:
        return None
    return value + value[-1:] * (gene.max_items + 1 - len(value))
