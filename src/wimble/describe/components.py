"""Finds objects that answers share, such as a book in a list and alone, so that the document describes them once.

Shapes at different places are one object if they are about one resource and neither lacks a member that the other
always has. They are merged, so that the description is that of all places.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec

from wimble.describe.operation_names import pascal, words_of
from wimble.describe.shape_schemas import split_members
from wimble.describe.shapes import Shape, copied
from wimble.model.resource_names import singular

ERROR: Final = "Error"
RESPONSE: Final = "Response"
FEW_NAMES: Final = 3
"""Number of names above which an object is no resource but an envelope, unless one of them prevails."""
ENVELOPE_MEMBERS: Final = frozenset(
    ["items", "data", "results", "records", "rows", "content", "entries", "docs", "values", "list", "value", "result"]
)
"""Members that hold the resources themselves, in an object with the number of pages and the like."""
MIN_MEMBERS: Final = 2
"""Number of members that an object must have to be described apart if it occurs once."""
MIN_COMMON_MEMBERS: Final = 3
LOOK_ALIKE_SHARE: Final = 0.75
"""Share of the members that objects must have in common to be the same under two names."""
MAX_NESTED: Final = 2_000
"""Number of objects that are looked at."""


class Component(msgspec.Struct):
    """An object that occurs at one or more places. `shape` is that of all places."""

    hint: str
    shape: Shape
    n_places: int = 1
    hints: dict[str, int] = {}
    """Names under which it occurs, with the number of places."""
    is_resource: bool = False
    """Whether it is a whole answer, or an element of one."""
    name: str = ""
    """Its name in the document; empty if it is described where it occurs."""
    context: str = ""
    """Another name, for a hint that several components have: the operation that answers it first."""


class Components:
    """The objects of all answers. Shapes of answers are changed: those of one object become equal."""

    def __init__(self) -> None:
        self._by_hint: dict[str, list[Component]] = {}
        self._of_shape: dict[int, Component] = {}
        self._kept: list[Shape] = []
        """All shapes in `_of_shape`, so that their ids stay theirs."""
        self._waiting: deque[tuple[Shape, str]] = deque()

    def put_answer(self, shape: Shape, resource: str, context: str, *, is_many: bool) -> None:
        """Adds the answers of one operation with one status.

        resource: the name of what they show; may be empty. is_many: whether they show several of it.
        """
        if shape.elements is not None and not shape.n_objects:
            self._put(shape.elements, resource, context, is_resource=True)
            return
        holder = _envelope_member(shape, resource) if is_many else None
        self._put(shape, f"{resource}List" if holder is not None and resource else resource, context, is_resource=True)
        if holder is not None and holder.elements is not None:
            self._put(holder.elements, resource, context, is_resource=True)

    def put_nested(self) -> None:
        """Adds the objects within those that are known. Called once, after all answers were added."""
        for component in self.all:
            self._look_into(component.shape)
        for _ in range(MAX_NESTED):
            if not self._waiting:
                return
            shape, name = self._waiting.popleft()
            if id(shape) not in self._of_shape:
                self._put(shape, _resource_of(name), "")
                known = self._of_shape.get(id(shape))
                self._look_into(shape if known is None else known.shape)

    @property
    def all(self) -> list[Component]:
        return [component for same in self._by_hint.values() for component in same]

    def name_them(self) -> None:
        """Gives names to those that the document describes apart. Called once, after the others."""
        taken: set[str] = set()
        for hint, same in self._by_hint.items():
            if not hint:
                continue
            shared = [one for one in same if _is_worth_a_name(one)]
            for component in sorted(shared, key=lambda one: (-one.n_places, not one.is_resource)):
                component.name = _free_name(_names(component), taken)
                taken.add(component.name)

    def reference_of(self, shape: Shape) -> str:
        """Returns the name of the component that describes an object; empty if there is none."""
        component = self._of_shape.get(id(shape))
        return "" if component is None else component.name

    def _put(self, shape: Shape, hint: str, context: str, *, is_resource: bool = False) -> None:
        if id(shape) in self._of_shape or not shape.n_objects or not split_members(shape)[0]:
            return
        same = self._by_hint.setdefault(hint, [])
        component = next((one for one in same if hint and is_same_object(one.shape, shape)), None)
        if component is None and hint != ERROR:
            component = next((one for one in self.all if are_look_alikes(one, shape)), None)
        if component is None:
            component = Component(hint=hint, shape=shape, context=context, is_resource=is_resource, hints={hint: 1})
            same.append(component)
        else:
            component.shape.absorb(copied(shape))  # it may be a part of that one
            component.n_places += 1
            component.hints[hint] = component.hints.get(hint, 0) + 1
            component.is_resource |= is_resource
        self._of_shape[id(shape)] = component
        self._kept.append(shape)

    def _look_into(self, shape: Shape) -> None:
        """Lists the objects in the members of an object, and in lists and maps among them."""
        for name, member in shape.members.items():
            inner: Shape | None = member
            while inner is not None and not inner.n_objects:
                inner = inner.elements or inner.entries
            if inner is not None:
                self._waiting.append((inner, name))
        if shape.entries is not None and shape.entries.n_objects:
            self._waiting.append((shape.entries, "entry"))


def _envelope_member(shape: Shape, resource: str) -> Shape | None:
    """Returns the shape of the list of resources in an answer that has more than the list; None if it is not one."""
    lists = {name: member for name, member in shape.members.items() if member.n_lists and not member.n_objects}
    if len(lists) > 1:
        return None
    for name, member in lists.items():
        if (resource and _resource_of(name) == resource) or name.lower() in ENVELOPE_MEMBERS:
            return member
    return None


def are_look_alikes(component: Component, shape: Shape) -> bool:
    """Whether the objects are the same although they have other names, as a book that `PUT /books/{id}/stock` shows."""
    members, others = component.shape.members.keys(), shape.members.keys()
    n_common = len(members & others)
    if component.hint == ERROR or n_common < MIN_COMMON_MEMBERS or n_common < LOOK_ALIKE_SHARE * len(members | others):
        return False
    return is_same_object(component.shape, shape)


def _resource_of(member: str) -> str:
    """Returns the name of the objects that a member of this name holds: `OrderItem` for `orderItems`."""
    words = words_of(member)
    return pascal([*words[:-1], singular(words[-1])]) if words else ""


def is_same_object(one: Shape, other: Shape) -> bool:
    """Whether neither lacks a member that the other always has, and members of one name have values of one type."""
    common = one.members.keys() & other.members.keys()
    if not common or one.is_map != other.is_map:
        return False
    if any(_are_disjoint(one.members[name], other.members[name]) for name in common):
        return False
    lacking = [*_always(one) - other.members.keys(), *_always(other) - one.members.keys()]
    return not lacking and all(_may_be_equal(one.members[name], other.members[name]) for name in common)


def _are_disjoint(one: Shape, other: Shape) -> bool:
    """Whether both hold objects, or lists of them, without any member in common: an envelope of different things."""
    while one.elements is not None and other.elements is not None:
        one, other = one.elements, other.elements
    return bool(one.members and other.members) and one.members.keys().isdisjoint(other.members)


def _always(shape: Shape) -> set[str]:
    return {name for name, member in shape.members.items() if member.n_values == shape.n_objects}


def _may_be_equal(one: Shape, other: Shape) -> bool:
    return not one.n_known or not other.n_known or bool(_kinds(one) & _kinds(other))


def _kinds(shape: Shape) -> set[str]:
    numbers = shape.n_integers + shape.n_fractions
    counts = {
        "number": numbers, "text": shape.n_texts, "boolean": shape.n_booleans, "list": shape.n_lists,
        "object": shape.n_objects,
    }  # fmt: skip
    return {kind for kind, count in counts.items() if count}


def _is_worth_a_name(component: Component) -> bool:
    if component.n_places > 1:
        return True
    return component.is_resource and component.hint != ERROR and len(component.shape.members) >= MIN_MEMBERS


def _names(component: Component) -> Sequence[str]:
    """Returns names for it, the best first."""
    best, n_best = max(component.hints.items(), key=lambda item: item[1])
    if len(component.hints) > FEW_NAMES and n_best < component.n_places / FEW_NAMES:
        return [RESPONSE]
    names = [best]
    if len(component.shape.members) == 1 and component.hint != ERROR:
        (member,) = component.shape.members
        names.insert(0, best + pascal(words_of(member)))
    if component.context:
        names.append(f"{component.context}Result" if component.hint != ERROR else component.context)
    return names


def _free_name(names: Sequence[str], taken: set[str]) -> str:
    for name in names:
        if name not in taken:
            return name
    number = 2
    while f"{names[0]}{number}" in taken:
        number += 1
    return f"{names[0]}{number}"
