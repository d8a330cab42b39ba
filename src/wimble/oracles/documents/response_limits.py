"""Measures how near the values of an answer come to the limits that its schema declares.

A fault that breaks a limit (`total` below 0) may be visible nowhere else: no line and no branch depends on it. So each
limit is a target with a gradient: h is b + (1 - b) / (1 + d) ([WB-JS] §3.3) for a value at distance d from breaking the
limit, and 1 for a value that breaks it, which is a finding of response_schema. Of several values at one place, the
nearest counts.

Only limits that apply to a value in any case are measured. Limits below `oneOf`, `not` or `if` are not, and limits
below `anyOf` only if all but one alternative is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from wimble.types import Json

BASE_H = 0.01
"""h of a value at infinite distance from its limit."""
MAX_VISITS = 2_000
"""Number of values visited in one body; the rest of a long list mostly resembles its start."""
MAX_DEPTH = 40
FARTHEST = 1e300

_LOWER, _UPPER = 1, -1
_OF_NUMBERS = {"minimum": _LOWER, "maximum": _UPPER, "exclusiveMinimum": _LOWER, "exclusiveMaximum": _UPPER}
_OF_TEXTS = {"minLength": _LOWER, "maxLength": _UPPER}
_OF_LISTS = {"minItems": _LOWER, "maxItems": _UPPER}
_REFERENCE = "#/$defs/"


class _Bound(NamedTuple):
    rule: int
    """Index into `Limits.rules`."""
    side: int
    value: float
    is_exclusive: bool

    def h(self, measure: float) -> float:
        """Returns h of a value (of a length, for texts and lists): 1 if it breaks the bound."""
        kept_by = self.side * (measure - self.value)
        if kept_by < 0 or (self.is_exclusive and kept_by == 0):
            return 1.0
        distance = kept_by if self.is_exclusive else kept_by + 1  # Korel: breaking `<=` takes one step more than `<`
        return BASE_H + (1.0 - BASE_H) / (1.0 + min(distance, FARTHEST))


class _Node:
    """One schema: the bounds of a value, and the nodes of its members.

    `same`: further schemas that apply to the value itself.
    """

    __slots__ = ("elements", "fields", "first", "lists", "numbers", "others", "same", "texts")

    def __init__(self) -> None:
        self.numbers: tuple[_Bound, ...] = ()
        self.texts: tuple[_Bound, ...] = ()
        self.lists: tuple[_Bound, ...] = ()
        self.same: tuple[_Node, ...] = ()
        self.fields: dict[str, _Node] = {}
        self.others: _Node | None = None
        self.first: tuple[_Node, ...] = ()
        self.elements: _Node | None = None

    @property
    def has_bounds(self) -> bool:
        return bool(self.numbers or self.texts or self.lists)

    def below(self) -> Iterator[_Node]:
        """Yields the nodes of the value's members, and further nodes of the value itself."""
        yield from self.same
        yield from self.fields.values()
        yield from self.first
        yield from (one for one in (self.others, self.elements) if one is not None)


class Limits:
    """The compiled limits of one schema. Measuring visits only the places of a body that lead to a limit."""

    __slots__ = ("_root", "_useful", "rules")

    def __init__(self, schema: Json) -> None:
        compiler = _Compiler(schema)
        self._root = compiler.root
        self._useful = _leading_to_bounds(compiler.nodes)
        self.rules: tuple[tuple[str, ...], ...] = tuple(compiler.rules)
        """Places of the limits in the schema, with the keyword last, as in `Violation.rule`."""

    def __bool__(self) -> bool:
        return bool(self.rules)

    def measured(self, body: Json) -> dict[int, float]:
        """Returns index into `rules` -> h, for the limits that the body has values for."""
        found: dict[int, float] = {}
        waiting = [(self._root, body, 0)]
        for _ in range(MAX_VISITS):
            if not waiting:
                break
            node, value, depth = waiting.pop()
            for bound in _bounds_for(node, value):
                measure = len(value) if isinstance(value, (str, list)) else value
                found[bound.rule] = max(found.get(bound.rule, 0.0), bound.h(measure))
            if depth < MAX_DEPTH:
                parts = (part for part in _parts(node, value) if id(part[0]) in self._useful)
                waiting += [(below, part, depth + 1) for below, part in islice(parts, MAX_VISITS)]
        return found


def _bounds_for(node: _Node, value: Json) -> tuple[_Bound, ...]:
    if isinstance(value, str):
        return node.texts
    if isinstance(value, list):
        return node.lists
    return node.numbers if isinstance(value, (int, float)) and not isinstance(value, bool) else ()


def _parts(node: _Node, value: Json) -> Iterator[tuple[_Node, Json]]:
    for same in node.same:
        yield same, value
    if isinstance(value, dict):
        for name, part in value.items():
            below = node.fields.get(name, node.others)
            if below is not None:
                yield below, part
    elif isinstance(value, list):
        yield from zip(node.first, value, strict=False)
        if node.elements is not None:
            for part in value[len(node.first) :]:
                yield node.elements, part


class _Compiler:
    """Makes the nodes of a schema. Each definition becomes one node, so recursive schemas become cycles of nodes."""

    def __init__(self, schema: Json) -> None:
        self.rules: list[tuple[str, ...]] = []
        self.nodes: list[_Node] = []
        self._definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
        self._defined: dict[str, _Node] = {}
        self._pending: list[tuple[_Node, Json, tuple[str, ...]]] = []
        self.root = self._node(schema, ())
        while self._pending:
            self._fill(*self._pending.pop())

    def _node(self, schema: Json, rule: tuple[str, ...]) -> _Node:
        node = _Node()
        self.nodes.append(node)
        if isinstance(schema, dict):
            self._pending.append((node, schema, rule))
        return node

    def _fill(self, node: _Node, schema: dict[str, Json], rule: tuple[str, ...]) -> None:
        node.numbers = self._bounds(schema, rule, _OF_NUMBERS)
        node.texts = self._bounds(schema, rule, _OF_TEXTS)
        node.lists = self._bounds(schema, rule, _OF_LISTS)
        node.same = tuple(self._same(schema, rule))
        node.fields = {
            name: self._node(below, (*rule, "properties", name)) for name, below in schema.get("properties", {}).items()
        }
        if "additionalProperties" in schema and "patternProperties" not in schema:
            node.others = self._node(schema["additionalProperties"], (*rule, "additionalProperties"))
        node.first = tuple(
            self._node(below, (*rule, "prefixItems", str(place)))
            for place, below in enumerate(schema.get("prefixItems", ()))
        )
        if "items" in schema:
            node.elements = self._node(schema["items"], (*rule, "items"))

    def _bounds(self, schema: dict[str, Json], rule: tuple[str, ...], sides: dict[str, int]) -> tuple[_Bound, ...]:
        found = []
        for keyword, side in sides.items():
            limit = schema.get(keyword)
            if limit is None or (limit == 0 and keyword in ("minLength", "minItems")):  # nothing can break it
                continue
            found.append(_Bound(len(self.rules), side, limit, keyword.startswith("exclusive")))
            self.rules.append((*rule, keyword))
        return tuple(found)

    def _same(self, schema: dict[str, Json], rule: tuple[str, ...]) -> Iterator[_Node]:
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith(_REFERENCE):
            yield self._definition(reference.removeprefix(_REFERENCE))
        for place, below in enumerate(schema.get("allOf", ())):
            yield self._node(below, (*rule, "allOf", str(place)))
        alternatives = [
            (place, below) for place, below in enumerate(schema.get("anyOf", ())) if below != {"type": "null"}
        ]
        if len(alternatives) == 1:
            place, below = alternatives[0]
            yield self._node(below, (*rule, "anyOf", str(place)))

    def _definition(self, name: str) -> _Node:
        if name not in self._defined:
            self._defined[name] = self._node(self._definitions.get(name), ("$defs", name))
        return self._defined[name]


def _leading_to_bounds(nodes: list[_Node]) -> frozenset[int]:
    """Returns the ids of the nodes that have bounds themselves or in a node below them."""
    useful = {id(node) for node in nodes if node.has_bounds}
    while True:
        grown = {id(node) for node in nodes if any(id(below) in useful for below in node.below())}
        if grown <= useful:
            return frozenset(useful)
        useful |= grown
