"""Arguments that a function of the library makes: objects of its classes, which no literal can be.

In values of calls, such an object is `{"$made": [name, argument, ...]}`: the name is that of an operation, such as
`DateTime.fromISO` or `new Range`; or, with `value` before it, that of an object that the library exports. What a
method returns is `{"$made": ["#method", object, argument, ...]}`. An object on which methods were called before it is
passed is `{"$used": [object, [[method, argument, ...], ...]]}`: a graph that has nodes, a queue that is not empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from wimble.genes import AnyGene, ArrayGene, ChoiceGene, ConstantGene, Gene, ObjectGene, StringGene, TupleGene
from wimble.library.function_binding import MethodParameters, Parameter, gene_of_calls
from wimble.types import ABSENT, Json

MADE: Final = "$made"
USED: Final = "$used"
NEW: Final = "new "
VALUE: Final = "value "
"""How the name of an exported object begins, which takes the place of what makes one: `value Types.Text`."""
METHOD: Final = "#"
"""How the name of a method begins that makes an argument; then the object stands before its arguments."""
MAX_VALUES: Final = 4
"""Maximum number of exported objects among these makers, if there are others."""
MAX_MAKERS: Final = 8
"""Maximum number of makers that are tried for one class."""
CONSTRUCTOR_PROBABILITY: Final = 0.5
"""Probability that an object comes from its only constructor in any case, rather than from one of several functions,
which may need more than a sample gives."""
MAX_CALLS: Final = 8
"""Maximum number of calls on an object before it is passed."""
_NAME: Final = re.compile(r"(?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*")


class Maker(NamedTuple):
    """A function or constructor whose result is an argument of others."""

    name: str
    templates: tuple[Gene, ...]
    """Genes of its arguments."""
    parameters: tuple[Parameter, ...] = ()
    methods: tuple[MethodParameters, ...] = ()
    """What may be called on the object before it is passed."""

    @property
    def is_constructor(self) -> bool:
        return self.name.startswith(NEW)

    def gene(self) -> Gene:
        """Returns the gene of an object that it makes."""
        made = ObjectGene(((MADE, TupleGene((ConstantGene(self.name), *self.templates))),))
        if not self.methods:
            return made
        calls = ArrayGene(gene_of_calls(self.methods), min_items=0, max_items=MAX_CALLS)
        return ObjectGene(((USED, TupleGene((made, calls))),))


def gene_of_made(names: Sequence[str], makers: Mapping[str, Maker]) -> Gene | None:
    """Returns the gene of an object that one of these operations makes; None if none of them is known.

    Constructors come first, then exported objects and functions in turn, those first that stand first in `makers`.
    """
    wanted = frozenset(names)
    known = [one for name, one in makers.items() if name in wanted]
    constructors = [one for one in known if one.is_constructor]
    values = [one for one in known if one.name.startswith(VALUE)]
    others = [one for one in known if not (one.is_constructor or one.name.startswith(VALUE))]
    n_values = MAX_VALUES if constructors or others else MAX_MAKERS
    known = [*constructors[: MAX_MAKERS - min(len(values), n_values)], *values[:n_values], *others]
    options = tuple(one.gene() for one in known[:MAX_MAKERS])
    if len(options) < 2:
        return options[0] if options else None
    n_constructors = sum(one.is_constructor for one in known)
    return ChoiceGene(options, first_probability=CONSTRUCTOR_PROBABILITY if n_constructors == 1 else 0.0)


def gene_of_argument(value: Json) -> Gene:
    """Returns a gene with this value, which keeps the names of what makes objects in it."""
    if isinstance(value, str):
        return StringGene(value)
    if isinstance(value, dict) and is_made(value):
        name, *given = held_of(value)
        return ObjectGene(((MADE, TupleGene((ConstantGene(name), *map(gene_of_argument, given)))),))
    if isinstance(value, dict) and is_used(value):
        made, calls = value[USED]
        kept = (TupleGene((ConstantGene(method), *map(gene_of_argument, given))) for method, *given in calls)
        return ObjectGene(((USED, TupleGene((gene_of_argument(made), TupleGene(tuple(kept))))),))
    return AnyGene(value)


def is_made(value: Json) -> bool:
    """Whether a value of a call is an object that the library makes."""
    return isinstance(value, dict) and len(value) == 1 and MADE in value and bool(held_of(value))


def is_used(value: Json) -> bool:
    """Whether a value of a call is an object that the library makes, and on which methods are called."""
    if not (isinstance(value, dict) and len(value) == 1 and isinstance(held := value.get(USED), list)):
        return False
    return len(held) == 2 and is_made(held[0]) and isinstance(held[1], list) and all(map(_is_call, held[1]))


def _is_call(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


def made_of(value: dict[str, Json]) -> dict[str, Json]:
    """Returns the object that the library makes, without the calls on it."""
    held = value.get(USED)
    return held[0] if isinstance(held, list) and held and isinstance(held[0], dict) else value


def held_of(value: dict[str, Json]) -> list[Json]:
    """Returns the name of what makes an object, and its arguments; empty if the value has another form."""
    held = value[MADE]
    return held if isinstance(held, list) and held and isinstance(held[0], str) else []


def without_absent(held: Sequence[Json]) -> list[Json]:
    """Returns the name and the arguments as they are passed."""
    values = [_UNDEFINED if value is ABSENT else value for value in held]
    while values and values[-1] == _UNDEFINED:
        values.pop()
    return values


_UNDEFINED: Final[Json] = {"$undefined": True}


def path_of(name: str, package: str) -> tuple[str, ...] | None:
    """Returns the names that lead from what the package exports to a maker; None if a program could not write them."""
    plain = name.removeprefix(NEW).removeprefix(VALUE)
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


def iter_calls(values: Iterable[Json]) -> Iterator[tuple[str, list[Json]]]:
    """Yields the calls on objects in values, at any depth: the name of what makes the object, and the name of the
    method with its arguments."""
    for value in values:
        if isinstance(value, list):
            yield from iter_calls(value)
        elif isinstance(value, dict):
            if is_used(value):
                name = held_of(made_of(value))[0]
                yield from ((name, call) for call in value[USED][1])
            yield from iter_calls(value.values())
