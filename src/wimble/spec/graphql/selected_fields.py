"""Answers to a GraphQL request, in the shape that its query asks for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    parse,
)

from wimble.types import Json

MAX_DEPTH: Final = 12
"""Levels of an answer; fragments may refer to themselves."""
MAX_QUERY: Final = 20_000
"""Characters of a query that is read."""
_SEVERAL: Final = re.compile(r"(?:[^sui]s|ies|edges|nodes|list|all)$", re.IGNORECASE)
"""Names of fields that mostly hold lists."""


def answer_shapes(query: str, operation_name: str, leaf: Callable[[], Json]) -> list[dict[str, Json]]:
    """Returns values of `data`: fields with names of several things as lists, then all as objects, then nothing found.

    leaf: makes the value of a field without fields. Empty if the query cannot be read.
    """
    if len(query) > MAX_QUERY:
        return []
    try:
        document = parse(query, no_location=True)
    except (GraphQLError, RecursionError):
        return []
    operation = _operation(document, operation_name)
    if operation is None:
        return []
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    shapes = [
        _Shape(fragments, leaf, has_lists=has_lists).of(operation.selection_set, MAX_DEPTH)
        for has_lists in (True, False)
    ]
    return [*shapes, dict.fromkeys(shapes[0])]


def _operation(document: DocumentNode, name: str) -> OperationDefinitionNode | None:
    found = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    named = [one for one in found if one.name is not None and one.name.value == name]
    return next(iter(named or found), None)


class _Shape:
    def __init__(
        self, fragments: dict[str, FragmentDefinitionNode], leaf: Callable[[], Json], *, has_lists: bool
    ) -> None:
        self._fragments = fragments
        self._leaf = leaf
        self._has_lists = has_lists

    def of(self, selections: SelectionSetNode, depth: int) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for selection in selections.selections if depth else ():
            match selection:
                case FieldNode():
                    name = selection.alias.value if selection.alias else selection.name.value
                    found[name] = self._value(selection, depth)
                case FragmentSpreadNode():
                    fragment = self._fragments.get(selection.name.value)
                    found |= {} if fragment is None else self.of(fragment.selection_set, depth - 1)
                case InlineFragmentNode():
                    found |= self.of(selection.selection_set, depth - 1)
        return found

    def _value(self, field: FieldNode, depth: int) -> Json:
        if field.selection_set is None:
            return self._leaf()
        members: Json = self.of(field.selection_set, depth - 1)
        return [members] if self._has_lists and _SEVERAL.search(field.name.value) else members
