"""Arguments that a function of the library makes: objects of its classes, which no literal can be.

In values of calls, such an object is `{"$made": [name, argument, ...]}`: the name is that of an operation, such as
`DateTime.fromISO` or `new Range`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from wimble.genes import ChoiceGene, ConstantGene, Gene, ObjectGene, TupleGene
from wimble.library.function_binding import Parameter
from wimble.types import ABSENT, Json

MADE: Final = "$made"
NEW: Final = "new "
MAX_MAKERS: Final = 8
"""Maximum number of makers that are tried for one class."""
_NAME: Final = re.compile(r"(?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*")


class Maker(NamedTuple):
    """A function or constructor whose result is an argument of others."""

    name: str
    templates: tuple[Gene, ...]
    """Genes of its arguments."""
    parameters: tuple[Parameter, ...] = ()


def gene_of_made(names: Sequence[str], makers: Mapping[str, Maker]) -> Gene | None:
    """Returns the gene of an object that one of these operations makes; None if none of them is known.

    Those that stand first in `makers` are preferred.
    """
    wanted = frozenset(names)
    options = tuple(
        ObjectGene(((MADE, TupleGene((ConstantGene(name), *maker.templates))),))
        for name, maker in makers.items()
        if name in wanted
    )[:MAX_MAKERS]
    if not options:
        return None
    return options[0] if len(options) == 1 else ChoiceGene(options)


def is_made(value: Json) -> bool:
    """Whether a value of a call is an object that the library makes."""
    return isinstance(value, dict) and len(value) == 1 and MADE in value and bool(held_of(value))


def held_of(value: dict[str, Json]) -> list[Json]:
    """Returns the name of what makes an object, and its arguments; empty if the value has another form."""
    held = value[MADE]
    return held if isinstance(held, list) and held and isinstance(held[0], str) else []


def without_absent(held: Sequence[Json]) -> list[Json]:
    """Returns the name and the arguments as they are passed."""
    values = list(held)
    while values and values[-1] is ABSENT:
        values.pop()
    return [{"$undefined": True} if value is ABSENT else value for value in values]


def path_of(name: str, package: str) -> tuple[str, ...] | None:
    """Returns the names that lead from what the package exports to a maker; None if a program could not write them."""
    plain = name.removeprefix(NEW)
    if plain == package:
        return ()
    return tuple(plain.split(".")) if _NAME.fullmatch(plain) else None


def iter_made(values: Iterable[Json]) -> Iterator[list[Json]]:
    """Yields the names of what makes objects in values, at any depth, each with its arguments."""
    for value in values:
        if isinstance(value, list):
            yield from iter_made(value)
        elif isinstance(value, dict):
            if is_made(value):
                yield held_of(value)
            yield from iter_made(value.values())
