"""Finds what an array whose elements come in any order has in common in several runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from wimble.types import Json

MAX_LOOKED_FOR = 10
"""Number of elements of the first run that are searched in the other runs."""

_Parts: TypeAlias = Mapping[str | None, bytes]
"""The members of an object, or under the key None a value that is not an object. Values are in encoded form, in which 1
differs from `true`.
"""


def steady_parts(runs: Sequence[Sequence[Json]], may_be_asserted: Callable[[Json], bool]) -> Iterator[Json]:
    """Yields what an element of each run has in common: objects with their steady members, other values as a whole.

    They come in the order of the first run, each once. Members that hold lists of several elements are left out, since
    these may come in another order, too. may_be_asserted: whether a scalar may be asserted.
    """
    first, *others = ([_parts(element, may_be_asserted) for element in run] for run in runs)
    told: list[_Parts] = []
    for element in first[:MAX_LOOKED_FOR]:
        steady = {key: text for key, text in element.items() if all(_holds(run, {key: text}) for run in others)}
        if steady and steady not in told and all(_holds(run, steady) for run in others):
            told.append(steady)
            known = {key: msgspec.json.decode(text) for key, text in steady.items()}
            yield known.get(None, known)


def _parts(element: Json, may_be_asserted: Callable[[Json], bool]) -> _Parts:
    members = element if isinstance(element, dict) and element else {None: element}
    return {
        key: msgspec.json.encode(value, order="deterministic")
        for key, value in members.items()
        if _is_steady(value, may_be_asserted)
    }


def _is_steady(value: Json, may_be_asserted: Callable[[Json], bool]) -> bool:
    if isinstance(value, dict):
        return all(_is_steady(item, may_be_asserted) for item in value.values())
    if isinstance(value, list):
        return len(value) <= 1 and all(_is_steady(item, may_be_asserted) for item in value)
    return may_be_asserted(value)


def _holds(run: Sequence[_Parts], part: _Parts) -> bool:
    return any(all(element.get(key) == text for key, text in part.items()) for element in run)
