"""Selections of GraphQL without some of their fields.

A path has the names of the fields, or their aliases, from below the field of Query or Mutation; lists and fragments are
no steps of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from wimble.genes import Gene, ObjectGene
from wimble.genes.subset import SubsetGene
from wimble.spec.graphql.call_gene import SELECTION, FieldGene

FieldPath: TypeAlias = tuple[str, ...]
_FRAGMENT = "..."


def is_selected(selection: Gene, path: FieldPath) -> bool:
    """Whether the selection has the field."""
    first, rest = path[0], path[1:]
    for _, member in _members(selection):
        if isinstance(member, SubsetGene):
            if not rest and first in member.chosen:
                return True
        elif isinstance(member, FieldGene) and member.is_present:
            inner = _inner(member)
            if member.name.startswith(_FRAGMENT):
                if inner is not None and is_selected(inner, path):
                    return True
            elif first == (member.alias or member.name):
                return not rest or (inner is not None and is_selected(inner, rest))
    return False


def without_field(selection: ObjectGene, path: FieldPath) -> ObjectGene:
    """Returns the selection without the field; the same one if it does not have the field, or always has it."""
    for index, (_, member) in enumerate(_members(selection)):
        changed = _without(member, path)
        if changed is not member:
            selection = selection.with_child(index, changed)
    return selection


def _without(member: Gene, path: FieldPath) -> Gene:
    first, rest = path[0], path[1:]
    if isinstance(member, SubsetGene):
        if rest or first not in member.chosen or first in member.always:
            return member
        return msgspec.structs.replace(member, chosen=tuple(name for name in member.chosen if name != first))
    if not isinstance(member, FieldGene) or not member.is_present:
        return member
    is_fragment = member.name.startswith(_FRAGMENT)
    if not is_fragment and first != (member.alias or member.name):
        return member
    if not is_fragment and not rest:
        return msgspec.structs.replace(member, is_present=False)
    inner = _inner(member)
    changed = inner if inner is None else without_field(inner, path if is_fragment else rest)
    if changed is inner or changed is None or not isinstance(member.gene, ObjectGene):
        return member
    position = next(i for i, (name, _) in enumerate(member.gene.fields) if name == SELECTION)
    return msgspec.structs.replace(member, gene=member.gene.with_child(position, changed))


def _members(selection: Gene) -> Iterator[tuple[str, Gene]]:
    return iter(selection.fields if isinstance(selection, ObjectGene) else ())


def _inner(field: FieldGene) -> ObjectGene | None:
    parts = dict(field.gene.fields) if isinstance(field.gene, ObjectGene) else {}
    inner = parts.get(SELECTION)
    return inner if isinstance(inner, ObjectGene) else None
