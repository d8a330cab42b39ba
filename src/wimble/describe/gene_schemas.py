"""Makes JSON Schemas of genes: what a document, a validator or a hint has declared of an input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from wimble.describe.shape_schemas import Schema, with_null
from wimble.genes import (
    ArrayGene,
    BooleanGene,
    ConstantGene,
    EnumGene,
    Gene,
    IntegerGene,
    LinkedGene,
    MapGene,
    NullableGene,
    NullGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    StringGene,
    SubsetGene,
    TupleGene,
    wrapped,
)
from wimble.genes.wrappers import ChoiceGene
from wimble.types import Json

MAX_DEPTH: Final = 12
_NAMES: Final = {bool: "boolean", int: "integer", float: "number", str: "string"}


def schema_of_gene(gene: Gene, depth: int = 0) -> Schema:
    """Returns a schema of the values that a gene may have by its constraints; {} for any value."""
    if depth > MAX_DEPTH:
        return {}
    if isinstance(gene, NullableGene):
        inner = schema_of_gene(gene.gene, depth)
        return with_null(inner) if inner.get("type") or inner.get("anyOf") else inner
    if isinstance(gene, (ReferenceGene, LinkedGene)):
        return schema_of_gene(gene.fallback, depth)
    inner_gene = wrapped(gene)
    if inner_gene is not None:
        return schema_of_gene(inner_gene, depth)
    make = _MAKERS.get(type(gene))
    return {} if make is None else make(gene, depth)


def _boolean(gene: BooleanGene, depth: int) -> Schema:
    return {"type": "boolean"}


def _null(gene: NullGene, depth: int) -> Schema:
    return {"type": "null"}


def _constant(gene: ConstantGene, depth: int) -> Schema:
    return {"const": gene.value}


def _enumeration(gene: EnumGene, depth: int) -> Schema:
    types = sorted({_NAMES[type(value)] for value in gene.options if type(value) in _NAMES})
    typed = {"type": types[0]} if len(types) == 1 and None not in gene.options else {}
    return {**typed, "enum": list(gene.options)}


def _integer(gene: IntegerGene, depth: int) -> Schema:
    for name, bits in (("int32", 32), ("int64", 64)):
        if gene.minimum == -(2 ** (bits - 1)) and gene.maximum == 2 ** (bits - 1) - 1:
            return _given(type="integer", format=name, multipleOf=gene.multiple_of)
    return _given(type="integer", minimum=gene.minimum, maximum=gene.maximum, multipleOf=gene.multiple_of)


def _number(gene: NumberGene, depth: int) -> Schema:
    return _given(
        type="number",
        minimum=gene.minimum,
        maximum=gene.maximum,
        exclusiveMinimum=gene.exclusive_minimum,
        exclusiveMaximum=gene.exclusive_maximum,
        multipleOf=gene.multiple_of,
    )


def _string(gene: StringGene, depth: int) -> Schema:
    return _given(
        type="string",
        format=gene.format,
        pattern=gene.pattern,
        minLength=gene.min_length or None,
        maxLength=gene.max_length,
    )


def _array(gene: ArrayGene, depth: int) -> Schema:
    return _given(
        type="array",
        items=schema_of_gene(gene.element, depth + 1),
        minItems=gene.min_items or None,
        maxItems=gene.max_items,
        uniqueItems=gene.unique or None,
    )


def _tuple(gene: TupleGene, depth: int) -> Schema:
    return {"type": "array", "prefixItems": [schema_of_gene(item, depth + 1) for item in gene.items]}


def _object(gene: ObjectGene, depth: int) -> Schema:
    properties = {name: schema_of_gene(field, depth + 1) for name, field in gene.fields}
    required = [name for name, field in gene.fields if not isinstance(field, OptionalGene)]
    return _given(type="object", properties=properties, required=required or None)


def _map(gene: MapGene, depth: int) -> Schema:
    return _given(
        type="object",
        additionalProperties=schema_of_gene(gene.value_template, depth + 1) or True,
        minProperties=gene.min_entries or None,
        maxProperties=gene.max_entries,
    )


def _choice(gene: ChoiceGene, depth: int) -> Schema:
    options: list[Schema] = []
    for option in gene.options:
        schema = schema_of_gene(option, depth + 1)
        if not schema:
            return {}
        if schema not in options:
            options.append(schema)
    return options[0] if len(options) == 1 else {"anyOf": options}


def _subset(gene: SubsetGene, depth: int) -> Schema:
    return {"type": "array", "items": {"type": "string", "enum": list(gene.options)}, "uniqueItems": True}


def _given(**keywords: Json) -> Schema:
    return {name: value for name, value in keywords.items() if value is not None}


_MAKERS: Final[dict[type[Gene], Callable[[Any, int], Schema]]] = {
    BooleanGene: _boolean,
    NullGene: _null,
    ConstantGene: _constant,
    EnumGene: _enumeration,
    IntegerGene: _integer,
    NumberGene: _number,
    StringGene: _string,
    ArrayGene: _array,
    TupleGene: _tuple,
    ObjectGene: _object,
    MapGene: _map,
    ChoiceGene: _choice,
    SubsetGene: _subset,
}
