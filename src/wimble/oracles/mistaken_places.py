"""Where an answer shows a value that the program has used by mistake, such as a promise that it did not await."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.model.observation import Mistake, Observation

ANY = "*"
"""In the place of a mistaken value: an element of a list."""


def places_in_answer(mistake: Mistake, observation: Observation) -> list[str]:
    """Returns where the answer holds an object without members, or null, in the place of the mistaken value."""
    is_shown = _is_null if mistake.is_null else _is_empty_object
    return [path for path, value in _at_place(mistake, observation) if is_shown(value)]


def is_something_in_answer(mistake: Mistake, observation: Observation) -> bool:
    """Whether the answer holds anything else in the place of the mistaken value."""
    return any(not _is_empty_object(value) for _, value in _at_place(mistake, observation))


def _is_empty_object(value: object) -> bool:
    return isinstance(value, dict) and not value


def _is_null(value: object) -> bool:
    return value is None


def _at_place(mistake: Mistake, observation: Observation) -> Iterator[tuple[str, object]]:
    members = mistake.members or ()
    for path, steps, value in _values(observation.exchange.value()):
        if _ends_with(steps, members):
            yield path, value


def _ends_with(steps: Sequence[str], members: Sequence[str]) -> bool:
    """Whether the path ends with the members: the program may have put the value into a larger answer."""
    return list(steps[len(steps) - len(members) :]) == list(members) if members else True


def _values(
    value: object, path: str = "$", steps: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...], object]]:
    """Yields the values of an answer with their places, as the schema's violations name them, and as steps."""
    yield path, steps, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _values(member, f"{path}.{name}", (*steps, name))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from _values(element, f"{path}[{index}]", (*steps, ANY))
