"""What functions of one library say of each other's parameters: they handle the same kinds of values.

A method that was seen on an empty object reads little of its argument, and one that only hands it on reads nothing. But
another one takes the same thing apart: `search(box)` reads one coordinate of an empty tree, and `insert(box)` all four.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from wimble.agent.protocol.library_messages import FunctionMessage
from wimble.library.argument_shape import Shape

SURE_MEMBERS = 2
"""With so many members in common, the first shape that has more of them is taken; with fewer, the only one."""
LEAST_NAME = 3


def with_more_members(observed: Mapping[str, Sequence[Shape]]) -> dict[str, list[Shape]]:
    """Returns the shapes with the members that others have beside the same ones, as members that may be missing."""
    known = [one for shapes in observed.values() for shape in shapes for one in _iter_objects(shape)]
    distinct = {frozenset(one.members): one for one in known}
    return {name: [_fuller(shape, distinct) for shape in shapes] for name, shapes in observed.items()}


def _iter_objects(shape: Shape) -> Iterator[Shape]:
    if shape.members:
        yield shape
    if shape.items is not None:
        yield from _iter_objects(shape.items)


def _fuller(shape: Shape, distinct: Mapping[frozenset[str], Shape]) -> Shape:
    if shape.items is not None:
        shape = replace(shape, items=_fuller(shape.items, distinct))
    if not shape.members or not set(shape.kinds) <= {"object"}:
        return shape
    own = frozenset(shape.members)
    larger = sorted((names for names in distinct if own < names), key=lambda names: (len(names), sorted(names)))
    if not larger or (len(own) < SURE_MEMBERS and len(larger) > 1):
        return shape
    return replace(shape, members={**distinct[larger[0]].members, **shape.members})


def shapes_by_name(functions: Sequence[FunctionMessage], observed: Mapping[str, Sequence[Shape]]) -> dict[str, Shape]:
    """Returns the shape that most is known of, for each name that parameters have."""
    found: dict[str, Shape] = {}
    for function in functions:
        for parameter, shape in zip(function.parameters, observed.get(function.name, ()), strict=False):
            if shape.kinds and _n_known(shape) > _n_known(found.get(parameter.name)):
                found[parameter.name] = shape
    return found


def kinds_by_name(
    functions: Sequence[FunctionMessage], *signatures: Mapping[str, Sequence[Shape]]
) -> dict[str, frozenset[str]]:
    """Returns the types that parameters of each name take, in all functions that say something of it.

    signatures: shapes of parameters by the name of the function; the first ones that know a type count. Names of one or
    two letters are left out: they are those of minified programs, and mean something else in each function.
    """
    found: dict[str, frozenset[str]] = {}
    for function in functions:
        for index, parameter in enumerate(function.parameters):
            known = (shapes[index] for one in signatures if len(shapes := one.get(function.name, ())) > index)
            kinds = next((shape.kinds for shape in known if shape.kinds), ())
            if len(parameter.name) >= LEAST_NAME and kinds:
                found[parameter.name] = found.get(parameter.name, frozenset()) | frozenset(kinds)
    return found


def _n_known(shape: Shape | None) -> int:
    return 0 if shape is None else 1 + len(shape.members) + _n_known(shape.items)
