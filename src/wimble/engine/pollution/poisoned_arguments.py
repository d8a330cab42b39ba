"""Arguments that lead a careless program to the prototype of all objects: names of members, paths, texts in the usual
languages of configuration, and objects with such members.

Whoever merges objects, or sets a member by a path, has to refuse `__proto__`, and `prototype` of a `constructor`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Final

from wimble.library.argument_shape import Kind, Shape
from wimble.library.function_binding import Parameter
from wimble.types import ABSENT, Json

MARK: Final = "polluted"
"""The member that is added to all objects."""
PROTOTYPE: Final = "__proto__"
TEXTS: Final[tuple[str, ...]] = (
    f"{PROTOTYPE}.{MARK}",
    f"constructor.prototype.{MARK}",
    f"{PROTOTYPE}[{MARK}]=1",
    f'{{"{PROTOTYPE}":{{"{MARK}":1}}}}',
    f"[{PROTOTYPE}]\n{MARK} = 1\n",
    f"{PROTOTYPE}:\n  {MARK}: 1\n",
    f"/{PROTOTYPE}/{MARK}",
    f'{{"constructor":{{"prototype":{{"{MARK}":1}}}}}}',
    f"constructor[prototype][{MARK}]=1",
    f"{PROTOTYPE}.{MARK}=1",
    f"[constructor.prototype]\n{MARK} = 1\n",
)
"""Paths, a query, JSON, INI and TOML, YAML, a JSON pointer, properties."""
OBJECTS: Final[tuple[Json, ...]] = (
    {PROTOTYPE: {MARK: 1}},
    {"constructor": {"prototype": {MARK: 1}}},
    {f"{PROTOTYPE}.{MARK}": 1},
    {f"constructor.prototype.{MARK}": 1},
)
"""Objects that are merged, and flat ones that are made deep."""
LISTS: Final[tuple[Json, ...]] = (
    [PROTOTYPE, MARK],
    ["constructor", "prototype", MARK],
    [f"--{PROTOTYPE}.{MARK}=1"],
    [f"--constructor.prototype.{MARK}=1"],
    [[PROTOTYPE], MARK],
    [{}, OBJECTS[0]],
    [{}, OBJECTS[1]],
    [f"{PROTOTYPE}.{MARK}"],
)
"""Paths in parts, also where a part is a list that only becomes a text later; arguments of a command; objects."""
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
MAX_WORDS: Final = 3
"""Words of a known text that are replaced."""
_OF_KINDS: Final[tuple[tuple[frozenset[str], tuple[Json, ...]], ...]] = (
    (frozenset({"object", "array"}), OBJECTS),
    (frozenset({"string"}), TEXTS),
    (frozenset({"array"}), LISTS),
)
"""What parameters are given that take one of these types. A list that is declared often means several arguments."""
NOTHING: Final[Json] = {"$undefined": True}
_FILLING: Final[dict[Kind, Json]] = {
    "object": {},
    "string": MARK,
    "array": [],
    "number": 1,
    "boolean": True,
    "function": {"$function": "identity"},
}
"""What is passed for a parameter of that kind of which no value is known; the first kind that it takes counts."""


def iter_poisoned(parameters: Sequence[Parameter], known: Sequence[Sequence[Json]]) -> Iterator[tuple[Json, ...]]:
    """Yields lists of arguments, those that lead to most mistakes first. known: those of calls that returned.

    Parameters take turns, so that the first ones are different from each other.
    """
    plain = _filled(parameters)
    bases = [plain, *(tuple(one) for one in known[:1])]
    series: list[Iterator[tuple[Json, ...]]] = [
        _of_parameter(one.shape, bases, index) for index, one in enumerate(parameters) if not one.is_rest
    ]
    series += [_of_rest(one, plain) for one in parameters[-1:] if one.is_rest]
    series.append(_of_two_names(parameters, plain))
    series += [_of_words(tuple(one)) for one in known[:2]]
    seen: set[str] = set()
    for turn in zip_longest(*series):
        for arguments in turn:
            if arguments is not None and (text := json.dumps(arguments)) not in seen:
                seen.add(text)
                yield arguments


def _filled(parameters: Sequence[Parameter]) -> tuple[Json, ...]:
    """Returns plain arguments for all parameters but the rest: without an object and a value, a setter does nothing."""
    given = []
    for one in parameters:
        if one.is_rest:
            break
        kinds = one.shape.kinds
        given.append(next((value for kind, value in _FILLING.items() if kind in kinds or not kinds), NOTHING))
    while given and given[-1] is NOTHING:
        given.pop()
    return tuple(given)


def _of_parameter(shape: Shape, bases: Sequence[tuple[Json, ...]], index: int) -> Iterator[tuple[Json, ...]]:
    for base in bases:
        for poison in _poisons(shape) if index < len(base) else ():
            yield (*base[:index], poison, *base[index + 1 :])


def _of_rest(parameter: Parameter, base: Sequence[Json]) -> Iterator[tuple[Json, ...]]:
    element = parameter.shape.items or parameter.shape
    for poison in _poisons(element):
        yield (*base, poison)
        yield (*base, {}, poison)


def _poisons(shape: Shape) -> Iterator[Json]:
    """Yields what a parameter may be given, of each kind that it takes in turn."""
    of_kinds = [values for kinds, values in _OF_KINDS if not shape.kinds or not kinds.isdisjoint(shape.kinds)]
    for turn in zip_longest(*of_kinds, fillvalue=ABSENT):
        yield from (one for one in turn if one is not ABSENT)


def _of_two_names(parameters: Sequence[Parameter], base: Sequence[Json]) -> Iterator[tuple[Json, ...]]:
    """Yields arguments in which two texts are names that lead to the prototype's member: `put(o, '__proto__', 'x')`."""
    named = [index for index, one in enumerate(parameters[: len(base)]) if _takes_text(one.shape)]
    for first, second in pairwise(named):
        arguments = list(base)
        arguments[first], arguments[second] = PROTOTYPE, MARK
        yield tuple(arguments)


def _takes_text(shape: Shape) -> bool:
    return not shape.kinds or "string" in shape.kinds


def _of_words(base: Sequence[Json]) -> Iterator[tuple[Json, ...]]:
    """Yields arguments in whose texts a word is the prototype's name: whatever language the text is in, it stays so."""
    for index, value in enumerate(base):
        words = list(_WORD.finditer(value))[:MAX_WORDS] if isinstance(value, str) else []
        for word in words:
            text = f"{value[: word.start()]}{PROTOTYPE}{value[word.end() :]}"
            yield (*base[:index], text, *base[index + 1 :])
        for first, second in pairwise(words):
            between = value[first.end() : second.start()]
            text = f"{value[: first.start()]}constructor{between}prototype{value[second.end() :]}"
            yield (*base[:index], text, *base[index + 1 :])
