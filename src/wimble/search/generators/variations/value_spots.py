"""Places of scalars and names within the values of a library's call, and values with another one there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from wimble.library.function_binding import STEPS
from wimble.library.made_objects import USED, is_used
from wimble.model.testcase import Call
from wimble.types import ABSENT, Json

Path: TypeAlias = tuple[int | str, ...]


class Spot(NamedTuple):
    """A scalar, an empty list or object, or a name of a member, in the values of a call."""

    argument: Path
    """Which argument it is in: words of one argument agree with each other anyway."""
    path: Path
    value: Json
    is_key: bool = False
    """Whether it is the name of a member; `path` leads to its object."""

    @property
    def input(self) -> int:
        """The number of the input that it is in."""
        first = self.path[0]
        assert isinstance(first, int)
        return first


def iter_spots(call: Call, values: Sequence[Json]) -> Iterator[Spot]:
    """Yields all places. values: those of the call's genes."""
    for index, (declared, value) in enumerate(zip(call.operation.inputs, values, strict=True)):
        if value is ABSENT:
            continue
        if declared.name == STEPS and isinstance(value, list):
            yield from _iter_calls((index,), value)
        else:
            yield from _iter_within((index,), (index,), value)


def _iter_calls(path: Path, calls: Sequence[Json]) -> Iterator[Spot]:
    """Yields what the arguments of calls on one object hold: others name what these have put into it."""
    for number, call in enumerate(calls):
        # The first element of each is the name of a method.
        for place, held in enumerate(call[1:] if isinstance(call, list) else (), start=1):
            yield from _iter_within((*path, number, place), (*path, number, place), held)


def _iter_within(argument: Path, path: Path, value: Json) -> Iterator[Spot]:
    if isinstance(value, list):
        if not value:
            yield Spot(argument, path, value)
        for index, item in enumerate(value):
            yield from _iter_within(argument, (*path, index), item)
    elif isinstance(value, dict):
        if is_used(value):
            yield from _iter_calls((*path, USED, 1), value[USED][1])
            return
        if any(key.startswith("$") for key in value):
            return  # another notation
        if not value:
            yield Spot(argument, path, value)
        for key, member in value.items():
            yield Spot(argument, path, key, is_key=True)
            yield from _iter_within(argument, (*path, key), member)
    elif value is not ABSENT and value is not None:
        yield Spot(argument, path, value)


def with_value_at(whole: Json, path: Path, value: Json) -> Json:
    """Returns the value with another one at a path within it."""
    if not path:
        return value
    step, *rest = path
    if isinstance(whole, list):
        return [with_value_at(item, tuple(rest), value) if at == step else item for at, item in enumerate(whole)]
    assert isinstance(whole, dict)
    return {key: with_value_at(item, tuple(rest), value) if key == step else item for key, item in whole.items()}


def value_at(whole: Json, path: Path) -> Json:
    """Returns what is at a path within a value."""
    for step in path:
        whole = whole[step]
    return whole
