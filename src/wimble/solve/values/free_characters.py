"""Characters of an answer that the asked condition is not about.

A loop over the characters of a text has looked at the first of them when it ends. What comes after may be anything: it
becomes the character that the asked condition is about, since the loop is likely to take it once more.

Those that only other conditions are about become what they were in the traced run, where these conditions allow it. So
what the program has computed of them without a condition (`parseInt(char)`) is likely to be as good as before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final

from wimble.solve.path_conditions import CONSTANT, Path, Scalar

_AT: Final = frozenset(("at", "charAt", "charCodeAt", "codePointAt"))
_SAME: Final = frozenset(("normalize", "replace", "replaceAll", "replaceMatches", "toLowerCase", "toUpperCase", "trim"))
"""Operations whose result may be the text itself."""

MAX_PARTS: Final = 16
"""Groups of characters of one text that are put back at once, one group after the other."""


def with_traced_characters(
    path: Path, values: dict[str, Scalar], holds: Callable[[Mapping[str, Scalar]], bool]
) -> dict[str, Scalar]:
    """Returns the values with the traced characters where conditions other than the asked one are about them.

    holds: whether all conditions are satisfied by values.
    """
    *earlier, asked = path.entries
    of_asked = _positions(path, path.reachable([asked.node]))
    of_others = _positions(path, path.reachable([entry.node for entry in earlier]))
    traced = path.inputs()
    for place, positions in of_asked.items():
        value, before = values.get(place), traced.get(place)
        if not isinstance(value, str) or not isinstance(before, str) or len(value) != len(before):
            continue
        others = of_others.get(place, set()) - positions
        groups = [[at for at in sorted(others) if at < len(value) and value[at] != before[at]]]
        for _ in range(MAX_PARTS):
            group = groups.pop(0) if groups else []
            if not group:
                break
            made = {**values, place: _with_characters(str(values[place]), before, group)}
            if holds(made):
                values = made
            elif len(group) > 1:
                groups += [group[: len(group) // 2], group[len(group) // 2 :]]
    return values


def _with_characters(text: str, other: str, positions: Sequence[int]) -> str:
    taken = set(positions)
    return "".join(other[at] if at in taken else char for at, char in enumerate(text))


def filled(path: Path, values: Mapping[str, Scalar]) -> dict[str, Scalar] | None:
    """Returns the values with other characters where these are free; None if there are no such characters."""
    *earlier, asked = path.entries
    of_all = _positions(path, path.reachable([asked.node, *(entry.node for entry in earlier)]))
    of_asked = _positions(path, path.reachable([asked.node]))
    found = dict(values)
    for place, value in values.items():
        used = of_all.get(place)
        if not isinstance(value, str) or not used:
            continue
        present = [at for at in of_asked.get(place, used) or used if at < len(value)]
        free = [at for at in range(len(value)) if at not in used]
        if present and free:
            filler = value[max(present)]
            found[place] = "".join(filler if at in free else char for at, char in enumerate(value))
    return found if found != values else None


def _positions(path: Path, nodes: Set[int]) -> dict[str, set[int]]:
    """Returns the positions of characters of the inputs that operations name, by place."""
    found: dict[str, set[int]] = {}
    for index in nodes:
        node = path.nodes[index]
        place = _text_of(path, node.args[0]) if node.op in _AT else ""
        position = path.nodes[node.args[1]] if place and len(node.args) > 1 else None
        if position is not None and position.op == CONSTANT and isinstance(position.value, (int, float)):
            found.setdefault(place, set()).add(int(position.value))
    return found


def _text_of(path: Path, index: int) -> str:
    """Returns the place of the input that a node is, or that it has left as it was; empty if there is none."""
    node = path.nodes[index]
    while node.op in _SAME and path.nodes[node.args[0]].value == node.value:
        node = path.nodes[node.args[0]]
    return node.place
