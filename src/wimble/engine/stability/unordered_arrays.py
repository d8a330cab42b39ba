"""What several runs have in common of an array whose elements come in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from wimble.types import Json

MAX_LOOKED_FOR = 10
"""Elements of the first run that are looked for in the others."""

_Parts: TypeAlias = Mapping[str | None, bytes]
"""The members of an object, or under None what is none; as text, in which 1 is not `true`."""


def steady_parts(runs: Sequence[Sequence[Json]], may_be_asserted: Callable[[Json], bool]) -> Iterator[Json]:
    """What one element of each run has: objects with the members that are steady, all else whole. In the order of the
    first run, each once.

    Lists of several elements within them are left out, for these may come in another order, too. may_be_asserted: of
    scalars.
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
