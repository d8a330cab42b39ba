"""Genes of messages of Protocol Buffers."""

from __future__ import annotations

from typing import Final

from wimble.genes import (
    ArrayGene,
    BooleanGene,
    ConstantGene,
    EnumGene,
    Gene,
    IntegerGene,
    MapGene,
    NeededGene,
    NumberGene,
    ObjectGene,
    StringGene,
)
from wimble.model.protobuf_messages import MessageField, MessageShape

MAX_DEPTH: Final = 5
"""Messages within messages of which values are drawn; those of a tree have no end."""
_LIMITS: Final = {
    "int32": (-(2**31), 2**31 - 1),
    "sint32": (-(2**31), 2**31 - 1),
    "sfixed32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "fixed32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "sint64": (-(2**63), 2**63 - 1),
    "sfixed64": (-(2**63), 2**63 - 1),
    "uint64": (0, 2**64 - 1),
    "fixed64": (0, 2**64 - 1),
}


def message_gene(shape: MessageShape) -> Gene:
    """Returns the gene of JSON documents that the shape can write."""
    return _message(shape, shape.root, 0) or ObjectGene()


def _message(shape: MessageShape, name: str, depth: int) -> Gene | None:
    fields = shape.fields_of(name)
    if fields is None or depth > MAX_DEPTH:
        return None
    members = ((one.name, _field(shape, one, depth)) for one in fields)
    return ObjectGene(tuple((name, NeededGene(gene)) for name, gene in members if gene is not None))


def _field(shape: MessageShape, field: MessageField, depth: int) -> Gene | None:
    if field.is_map:
        pair = shape.fields_of(field.kind)
        value = None if pair is None else _value(shape, pair[1].kind, depth)
        return None if value is None else MapGene(value)
    value = _value(shape, field.kind, depth)
    return ArrayGene(value) if field.is_list and value is not None else value


def _value(shape: MessageShape, kind: str, depth: int) -> Gene | None:
    if kind in _LIMITS:
        return IntegerGene(0, *_LIMITS[kind])
    if kind in ("double", "float"):
        return NumberGene()
    if kind == "bool":
        return BooleanGene()
    if kind in ("string", "bytes"):
        return StringGene() if kind == "string" else StringGene(format="byte")
    values = shape.values_of(kind)
    if values is not None:
        return EnumGene(tuple(name for name, _ in values)) if values else ConstantGene(0)
    return _message(shape, kind, depth + 1)
