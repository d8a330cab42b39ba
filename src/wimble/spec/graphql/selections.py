"""Builds genes of selection sets from output types.

Depth and size are bounded, and cycles are cut. Interfaces and unions are selected by inline fragments. What a login
answers for later calls, such as a token, is always selected.
"""

from __future__ import annotations

import re

from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
    is_leaf_type,
)

from wimble.genes import Gene, ObjectGene
from wimble.genes.subset import SubsetGene
from wimble.spec.graphql.call_gene import ARGUMENTS, LEAVES, SELECTION, FieldGene
from wimble.spec.graphql.input_types import InputGenes

MAX_DEPTH = 4
"""Maximum nesting of objects."""
MAX_GENES = 120
"""Maximum number of fields of one selection set that can be chosen one by one; more would dilute mutation."""
MAX_SAME_TYPE = 2
"""Maximum number of times that a type is nested in itself, as in `author { books { author } }`."""
NESTED_SHARE, ARGUMENTS_SHARE, ALIAS_SHARE = 0.5, 0.6, 0.1
"""Shares of samples that contain: a nested object; a scalar field with arguments; a field a second time, with other
arguments."""
_CREDENTIAL = re.compile(r"(?:token|jwt|bearer|session_?id|sid|(?:api|access)_?key|ticket)$", re.IGNORECASE)
"""Names of fields that let a user in."""
IDENTIFIERS = frozenset({"id", "_id", "uuid", "key", "slug", "guid"})


class _TooLarge(Exception):
    """The tree passed MAX_GENES."""


class Selections:
    """Builds the selection sets of one schema."""

    def __init__(self, schema: GraphQLSchema, inputs: InputGenes, favoured: frozenset[str] = IDENTIFIERS) -> None:
        """favoured: names, in lower case, of the fields that nearly all selections have."""
        self._schema = schema
        self._favoured = favoured
        self._inputs = inputs
        self._max_depth = MAX_DEPTH
        self._n_left = 0

    def of(self, kind: GraphQLNamedType) -> ObjectGene | None:
        """Returns the selection set of a type; None for scalars and enums, which have no fields."""
        if is_leaf_type(kind):
            return None
        for self._max_depth in range(MAX_DEPTH, 0, -1):
            self._n_left = MAX_GENES
            try:
                return self._set(kind, 1, (kind.name,))
            except _TooLarge:
                continue
        return ObjectGene(((LEAVES, self._leaves(kind)),))

    def _set(self, kind: GraphQLNamedType, depth: int, within: tuple[str, ...]) -> ObjectGene:
        members: list[tuple[str, Gene]] = [(LEAVES, self._leaves(kind))]
        for name, field in fields_of(kind).items():
            members += self._field(name, field, depth, within)
        if isinstance(kind, (GraphQLInterfaceType, GraphQLUnionType)):
            members += self._fragments(kind, depth, within)
        return ObjectGene(tuple(members))

    def _field(self, name: str, field: GraphQLField, depth: int, within: tuple[str, ...]) -> list[tuple[str, Gene]]:
        kind = get_named_type(field.type)
        if is_leaf_type(kind) and not field.args:
            return []
        if not is_leaf_type(kind) and (depth >= self._max_depth or within.count(kind.name) >= MAX_SAME_TYPE):
            return []
        self._count()
        parts: list[tuple[str, Gene]] = []
        if field.args:
            parts.append((ARGUMENTS, self._inputs.arguments(field.args)))
        if not is_leaf_type(kind):
            parts.append((SELECTION, self._set(kind, depth + 1, (*within, kind.name))))
        share = ARGUMENTS_SHARE if is_leaf_type(kind) else NESTED_SHARE
        gives_credential = depth == 1 and not field.args and bool(self._leaves(kind).always)
        gene = FieldGene(
            gene=ObjectGene(tuple(parts)),
            name=name,
            argument_types=types_of(field),
            share=1.0 if gives_credential else share,
            is_present=gives_credential,
        )
        members: list[tuple[str, Gene]] = [(name, gene)]
        if field.args and depth == 1:
            alias = f"{name}Again"
            again = FieldGene(
                gene=gene.gene,
                name=name,
                alias=alias,
                argument_types=gene.argument_types,
                share=ALIAS_SHARE,
                is_present=False,
            )
            members.append((alias, again))
        return members

    def _fragments(
        self, kind: GraphQLInterfaceType | GraphQLUnionType, depth: int, within: tuple[str, ...]
    ) -> list[tuple[str, Gene]]:
        members: list[tuple[str, Gene]] = []
        shared = set(fields_of(kind))
        taken: dict[str, str] = {}
        for possible in sorted(self._schema.get_possible_types(kind), key=lambda one: one.name):
            if within.count(possible.name) >= MAX_SAME_TYPE:
                continue
            self._count()
            selection = self._set(possible, depth, (*within, possible.name))
            own = _without(selection, shared)
            name = f"... on {possible.name}"
            gene = FieldGene(
                gene=ObjectGene(((SELECTION, _told_apart(own, possible, taken)),)),
                name=name,
                share=NESTED_SHARE,
                is_present=False,
            )
            members.append((name, gene))
        return members

    def _leaves(self, kind: GraphQLNamedType) -> SubsetGene:
        names = tuple(
            name
            for name, field in fields_of(kind).items()
            if is_leaf_type(get_named_type(field.type)) and not field.args
        )
        favoured = frozenset(name for name in names if name.lower() in self._favoured)
        always = frozenset(name for name in names if _CREDENTIAL.search(name))
        return SubsetGene(names, tuple(name for name in names if name in favoured | always), favoured, always)

    def _count(self) -> None:
        self._n_left -= 1
        if self._n_left < 0:
            raise _TooLarge


def types_of(field: GraphQLField) -> tuple[tuple[str, str], ...]:
    """Returns (name, type as written in GraphQL) of a field's arguments."""
    return tuple((name, str(argument.type)) for name, argument in field.args.items())


def fields_of(kind: GraphQLNamedType) -> dict[str, GraphQLField]:
    """Returns the fields of an object or interface type; {} for other types."""
    return dict(kind.fields) if isinstance(kind, (GraphQLObjectType, GraphQLInterfaceType)) else {}


def _without(selection: ObjectGene, names: set[str]) -> ObjectGene:
    """Returns the selection without the names that are already selected on the interface."""
    members: list[tuple[str, Gene]] = []
    for name, gene in selection.fields:
        if isinstance(gene, SubsetGene):
            members.append((name, SubsetGene(tuple(one for one in gene.options if one not in names))))
        elif name not in names and getattr(gene, "name", name) not in names:
            members.append((name, gene))
    return ObjectGene(tuple(members))


def _told_apart(selection: ObjectGene, kind: GraphQLNamedType, taken: dict[str, str]) -> ObjectGene:
    """Returns the selection of one fragment, with aliases where its fields could conflict with other fragments.

    GraphQL requires that fields of one name in several fragments have the same type and arguments.
    """
    members: list[tuple[str, Gene]] = []
    fields = fields_of(kind)
    for name, gene in selection.fields:
        if isinstance(gene, SubsetGene):
            plain = tuple(
                one for one in gene.options if taken.setdefault(one, str(fields[one].type)) == str(fields[one].type)
            )
            members.append((name, SubsetGene(plain)))
            for one in gene.options:
                if one not in plain:
                    renamed = FieldGene(gene=ObjectGene(), name=one, alias=f"{kind.name}_{one}", is_present=False)
                    members.append((renamed.alias, renamed))
        elif isinstance(gene, FieldGene) and not gene.name.startswith("..."):
            alias = f"{kind.name}_{gene.alias or gene.name}"
            members.append(
                (
                    alias,
                    FieldGene(
                        gene=gene.gene,
                        name=gene.name,
                        alias=alias,
                        argument_types=gene.argument_types,
                        share=gene.share,
                        is_present=False,
                    ),
                )
            )
        else:
            members.append((name, gene))
    return ObjectGene(tuple(members))
