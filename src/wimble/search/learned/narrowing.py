"""Replaces the genes of a call by those that meet a learnt schema, without touching anything else of the call."""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    CheckedGene,
    ChoiceGene,
    EnumGene,
    Gene,
    IntegerGene,
    NullableGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    StringGene,
)
from wimble.genes.wrappers import is_scalar, wrapped
from wimble.model.testcase import Call
from wimble.spec.graphql.call_gene import CallGene

OPTIONAL_PROBABILITY: Final = 0.6
"""Probability that an input is present which the schema names but does not require."""
REQUIRED_PROBABILITY: Final = 0.97


def with_narrowed_member(call: Call, path: tuple[str, ...], gene: Gene, rng: Random) -> Call | None:
    """Returns the call with a narrowed member of its content; None if its operation has no content."""
    for index, given in enumerate(call.operation.inputs):
        if given.role == "content":
            new = _at_path(call.genes[index], path, gene, rng)
            return call.with_gene(index, new)
    return None


def _at_path(old: Gene, path: tuple[str, ...], gene: Gene, rng: Random) -> Gene:
    if not path:
        return narrowed(old, gene, rng, is_required=True)
    if isinstance(old, AnyGene):
        old = ObjectGene()
    if isinstance(old, ObjectGene):
        name, rest = path[0], path[1:]
        fields = list(old.fields)
        for index, (known, child) in enumerate(fields):
            if known == name:
                fields[index] = (name, _at_path(child, rest, gene, rng))
                return old.with_child(index, fields[index][1])
        inner = _at_path(ObjectGene(), rest, gene, rng) if rest else gene.sampled(rng)
        return ObjectGene((*fields, (name, inner)))
    if isinstance(old, CallGene):
        arguments = _at_path(old.arguments, path[1:], gene, rng)
        return old.with_child(0, arguments) if path[0] == "variables" and isinstance(arguments, ObjectGene) else old
    if isinstance(old, OptionalGene):
        return msgspec.structs.replace(old, gene=_at_path(old.gene, path, gene, rng), is_present=True)
    if isinstance(old, NullableGene):
        return NullableGene(_at_path(old.gene, path, gene, rng), False)
    if isinstance(old, (SeededGene, CheckedGene, ChoiceGene)):
        return old.with_child(0, _at_path(old.children()[0], path, gene, rng))
    return old


def narrowed(old: Gene, learned: Gene, rng: Random, *, is_required: bool, is_text: bool = False) -> Gene:
    """Returns a sample that meets the learnt schema as well, as far as both can be met.

    is_text: whether all values are sent as text, so that a text may become a number. References to answers stay; so do
    enumerations of the document, whose values the API may not accept as other texts.
    """
    if isinstance(old, ReferenceGene):
        return old
    if isinstance(old, OptionalGene):
        is_present = rng.random() < (REQUIRED_PROBABILITY if is_required else OPTIONAL_PROBABILITY)
        inner = narrowed(old.gene, learned, rng, is_required=True, is_text=is_text) if is_present else old.gene
        return msgspec.structs.replace(old, gene=inner, is_present=is_present)
    learned = _without_option(learned)
    if isinstance(old, NullableGene):
        inner = learned.gene if isinstance(learned, NullableGene) else learned
        return NullableGene(narrowed(old.gene, inner, rng, is_required=True, is_text=is_text), False)
    if isinstance(old, SeededGene):
        return SeededGene(narrowed(old.gene, learned, rng, is_required=True, is_text=is_text), old.seeds)
    if isinstance(old, ObjectGene):
        return _narrowed_object(old, learned, rng)
    if isinstance(old, ArrayGene):
        return _narrowed_list(old, learned, rng)
    is_free_text = is_text and isinstance(old, StringGene) and is_scalar(learned)
    if isinstance(old, AnyGene) or is_free_text or _is_alike(old, learned):
        return learned.sampled(rng)
    return old


def _narrowed_object(old: ObjectGene, learned: Gene, rng: Random) -> Gene:
    fields = _fields(learned, rng)
    if fields is None:
        return old
    if not old.fields:
        return learned.sampled(rng)
    out: Gene = old
    for index, (name, child) in enumerate(old.fields):
        if name in fields:
            is_required = not isinstance(fields[name], OptionalGene)
            out = out.with_child(index, narrowed(child, fields[name], rng, is_required=is_required))
    return out


def _fields(learned: Gene, rng: Random) -> dict[str, Gene] | None:
    while not isinstance(learned, ObjectGene):
        if isinstance(learned, ChoiceGene):
            learned = rng.choice(learned.options)
            continue
        inner = wrapped(learned)
        if inner is None:
            return None
        learned = inner
    return dict(learned.fields)


def _narrowed_list(old: ArrayGene, learned: Gene, rng: Random) -> Gene:
    while not isinstance(learned, ArrayGene):
        inner = wrapped(learned)
        if inner is None:
            return old
        learned = inner
    sample = learned.sampled(rng)
    items = tuple(narrowed(old.element.sampled(rng), item, rng, is_required=True) for item in sample.items)
    return ArrayGene(old.element, items, min_items=old.min_items, max_items=old.max_items, unique=old.unique)


def _without_option(learned: Gene) -> Gene:
    while isinstance(learned, (OptionalGene, CheckedGene)):
        learned = learned.gene
    return learned


def _is_alike(old: Gene, learned: Gene) -> bool:
    """Whether a value of the learnt gene has a type that the old one allows: a text for a text, a number for one."""
    if isinstance(old, EnumGene):
        return False
    while isinstance(learned, (SeededGene, CheckedGene, NullableGene)):
        learned = learned.gene
    if isinstance(learned, ChoiceGene):
        return all(_is_alike(old, option) for option in learned.options)
    if isinstance(old, StringGene):
        if isinstance(learned, EnumGene):
            return all(isinstance(option, str) for option in learned.options)
        return isinstance(learned, StringGene)
    if isinstance(old, IntegerGene):
        return isinstance(learned, IntegerGene)
    if isinstance(old, NumberGene):
        return isinstance(learned, (IntegerGene, NumberGene))
    return isinstance(old, BooleanGene) and isinstance(learned, BooleanGene)
