"""Genes of arguments, from what is known about them.

A value outside of the known types is sampled now and then: programs check the types of their arguments, and the branch
that refuses one is part of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    EnumGene,
    Gene,
    IntegerGene,
    MapGene,
    NeededGene,
    NullGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    SeededGene,
    StringGene,
    TupleGene,
)
from wimble.library.argument_shape import ANYTHING, Kind, Shape
from wimble.library.function_binding import Parameter
from wimble.library.made_objects import Maker, gene_of_made
from wimble.types import Json

MAX_DEPTH: Final = 3
"""Nesting of objects and arrays in one argument."""
MAX_MEMBERS: Final = 40
LIKELY: Final = 0.75
"""Probability that a sample has the likeliest of the types that a parameter may have, if nothing is declared; and that
data which a function of the library returns comes from it."""
PLAIN: Final = 0.7
"""Probability that an element or member of which nothing is known holds no others."""
SMALL_PROBABILITY: Final = 0.6
"""Probability that a number that makes an object is small in any case: it may be a number of rows or entries. Methods
of large objects take long, and few calls fill one."""
MAX_SMALL: Final = 8
KEY_SHARE: Final = 3
"""Number of samples for each that is one of a few keys, if the argument may name something in an object."""
KNOWN_SHARE: Final = 9
"""Number of samples with known types for each sample with a type that the parameter is not known to take."""
MANY_EXAMPLES: Final = 5
"""With as many examples of its own, a parameter needs no texts of others."""

_LARGE_KINDS: Final[frozenset[Kind]] = frozenset(("object", "instance", "function"))
"""Kinds of elements of which a list has few."""

Makers: TypeAlias = Mapping[str, Maker]
NO_MAKERS: Final[Makers] = MappingProxyType({})


class _Parts(NamedTuple):
    """What arguments are made of."""

    makers: Makers
    """What makes objects of the library's classes, by name."""
    numbers: tuple[Gene, ...]


_NUMBERS: Final = (IntegerGene(), NumberGene())
_SIZES: Final = (
    ChoiceGene((IntegerGene(minimum=0, maximum=MAX_SMALL), *_NUMBERS), first_probability=SMALL_PROBABILITY),
)
"""Numbers of what makes an object."""

FUNCTIONS: Final = (
    "identity", "nothing", "yes", "no", "text", "zero", "object", "pair", "compare", "callback", "failure", "promise",
    "throws", "class",
)  # fmt: skip
"""Names of the functions that the host can pass."""

_TEXT: Final = StringGene()
_ODD: Final[tuple[Json, ...]] = (
    {"$undefined": True}, None, {"$number": "NaN"}, {"$number": "Infinity"}, {"$number": "-0"},
    {"$function": "identity"}, {"$function": "nothing"}, {"$regexp": ["[a-z]+", "g"]}, {"$date": 0}, {"$date": None},
    {"$bigint": "1"}, {"$bytes": "YWJj"}, {"$bare": {}}, {"$map": []}, {"$set": []}, "", 0, 1, True, [], {},
)  # fmt: skip


def gene_of(shape: Shape, makers: Makers = NO_MAKERS, *, makes_object: bool = False) -> Gene:
    """Returns the gene of an argument, without values of other types than those of the shape.

    makers: what makes objects of the library's classes, by name. makes_object: whether the argument makes one.
    """
    return _gene(shape, _Parts(makers, _SIZES if makes_object else _NUMBERS), 0)


def _gene(shape: Shape, parts: _Parts, depth: int) -> Gene:
    may_be_written = {"instance", "object"} <= set(shape.kinds)
    kinds = sorted(shape.kinds, key=lambda kind: kind != "instance") if may_be_written else shape.kinds
    options = [gene for kind in kinds for gene in _of_kind(kind, shape, parts, depth)]
    if not options:
        return _anything(depth)
    # What the library returns is whole; of what is written, seldom all members fit each other.
    probability = LIKELY if may_be_written and parts.makers else 0.0
    gene = options[0] if len(options) == 1 else ChoiceGene(tuple(options), first_probability=probability)
    seeds = tuple(value for value in shape.values if not isinstance(value, bool) and gene.with_value(value) is not None)
    return SeededGene(gene, seeds) if seeds and not shape.is_closed else gene


def _of_kind(kind: Kind, shape: Shape, parts: _Parts, depth: int) -> tuple[Gene, ...]:
    if kind in ("array", "object") and depth >= MAX_DEPTH:
        return (EnumGene(([],) if kind == "array" else ({},)),)
    is_closed = shape.is_closed or kind == "boolean"
    closed = tuple(value for value in shape.values if _is_of(kind, value)) if is_closed else ()
    if closed:
        return (EnumGene(closed),)
    match kind:
        case "string":
            return (_TEXT,)
        case "number":
            return parts.numbers
        case "boolean":
            return (BooleanGene(),)
        case "array":
            return (_array(shape, parts, depth),)
        case "object":
            return (_object(shape, parts, depth),)
        case "instance":
            made = gene_of_made(shape.makers, parts.makers)
            return () if made is None else (made,)
        case _:
            return (_SPECIAL[kind],)


_SPECIAL: Final[dict[str, Gene]] = {
    "function": EnumGene(tuple({"$function": name} for name in FUNCTIONS)),
    "null": NullGene(),
    "undefined": EnumGene(({"$undefined": True},)),
    "Date": EnumGene(tuple({"$date": ms} for ms in (0, 951782400000, 1709210096789, -62135596800000, None))),
    "RegExp": EnumGene(tuple({"$regexp": one} for one in (["a", ""], ["[a-z]+", "g"], ["^.*$", "i"], ["x|", "gy"]))),
    "Buffer": EnumGene(tuple({"$bytes": text} for text in ("", "YQ==", "AAH/", "aGVsbG8gd29ybGQ="))),
    "bigint": EnumGene(tuple({"$bigint": text} for text in ("0", "1", "-1", "9007199254740993"))),
    "Map": EnumGene(({"$map": []}, {"$map": [["a", 1]]})),
    "Set": EnumGene(({"$set": []}, {"$set": ["a"]})),
}


def _is_of(kind: Kind, value: Json) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, str):
        return kind == "string"
    return kind == "number" and isinstance(value, (int, float))


def _array(shape: Shape, parts: _Parts, depth: int) -> Gene:
    if shape.places:
        return TupleGene(tuple(_gene(place, parts, depth + 1) for place in shape.places))
    element = _gene(shape.items or Shape(kinds=("string",)), parts, depth + 1)
    return ArrayGene(element, may_be_long=shape.items is None or _is_small(shape.items))


def _is_small(shape: Shape) -> bool:
    return bool(shape.kinds) and not _LARGE_KINDS & set(shape.kinds)


def _object(shape: Shape, parts: _Parts, depth: int) -> Gene:
    if shape.choices:
        return ChoiceGene(tuple(_object(choice, parts, depth) for choice in shape.choices))
    others = _element(depth + 1) if shape.others is None else _gene(shape.others, parts, depth + 1)
    if not shape.members:
        return MapGene(others)
    members: list[tuple[str, Gene]] = []
    for name, member in list(shape.members.items())[:MAX_MEMBERS]:
        gene = _gene(member, parts, depth + 1) if member.kinds else _member(member, depth + 1)
        gene = _by_name(name, member, gene)
        members.append((name, gene if name in shape.required else OptionalGene(gene, False)))
    known = ObjectGene(tuple(members))
    # Whose members are enumerated, may have any; those that are needed stand in the known ones.
    return known if shape.others is None or shape.required else ChoiceGene((known, MapGene(others)))


def _by_name(name: str, shape: Shape, gene: Gene) -> Gene:
    """Returns the gene of what mostly is a function that compares, by its name. With one that does not, structures that
    keep an order seldom do more than look for a place without an end."""
    may_be_function = not shape.kinds or "function" in shape.kinds
    if not (may_be_function and _COMPARES.fullmatch(name)):
        return gene
    return ChoiceGene((EnumGene(({"$function": "compare"},)), gene), first_probability=LIKELY)


def _member(member: Shape, depth: int) -> Gene:
    return ChoiceGene((BooleanGene(), _TEXT, _TEXT, IntegerGene(), _anything(depth)))


def _scalar() -> Gene:
    return ChoiceGene((_TEXT, IntegerGene(), BooleanGene(), EnumGene(_ODD)), first_probability=LIKELY)


@cache
def _element(depth: int) -> Gene:
    """Returns the gene of an element or a member of which nothing is known: often one that holds others."""
    if depth >= MAX_DEPTH:
        return _scalar()
    below = _element(depth + 1)
    return ChoiceGene((_scalar(), ArrayGene(below), MapGene(below)), first_probability=PLAIN)


@cache
def _anything(depth: int) -> Gene:
    if depth >= MAX_DEPTH:
        return _scalar()
    below = _element(depth + 1)
    options = (_TEXT, IntegerGene(), NumberGene(), BooleanGene(), ArrayGene(below), MapGene(below), EnumGene(_ODD))
    return ChoiceGene(options, first_probability=0.5)


def _is_plain(value: Json) -> bool:
    """Whether a value consists of what JSON has a notation for, so that any change of it is a value, too."""
    if isinstance(value, list):
        return all(_is_plain(item) for item in value)
    if isinstance(value, dict):
        return all(not key.startswith("$") and _is_plain(member) for key, member in value.items())
    return True


# ---- parameters -----------------------------------------------------------------------------------------------------

_COMPARES: Final = re.compile(r"cmp\w*|compar\w*|sorter|sort_?(?:fn|func|function)", re.IGNORECASE)
"""Names of functions that compare two values."""
_NAMES: Final[tuple[tuple[re.Pattern[str], Shape], ...]] = (
    (re.compile(r"^(opts?|options?|config|settings|params)\d*$", re.I), Shape(kinds=("object",))),
    (re.compile(r"^(cb|callback|fn|func|iteratee|predicate|replacer|reviver|comparator)$", re.I),
     Shape(kinds=("function",))),
    (re.compile(r"^(arr|array|list|items|args|argv|values)$", re.I), Shape(kinds=("array",))),
    (re.compile(r"^(re|regexp?|pattern)$", re.I), Shape(kinds=("RegExp", "string"))),
    (re.compile(r"^(date)$", re.I), Shape(kinds=("Date", "string", "number"))),
    (re.compile(r"^(n|num|number|count|size|length|index|idx|start|end|from|to|limit|max|min|radix|depth)$", re.I),
     Shape(kinds=("number",))),
    (re.compile(r"^(buf|buffer|bytes)$", re.I), Shape(kinds=("Buffer", "string"))),
)  # fmt: skip
"""What names of parameters say, if nothing else is known: a first guess, which samples go beyond."""
_NUMBER: Final = re.compile(r"^-?\d+(\.\d+)?$")


def guessed(name: str, initial: str, members: Sequence[str] = ()) -> Shape:
    """Returns what the name, the default value and the pattern of a parameter say about it."""
    if members:
        return Shape(kinds=("object",), members=dict.fromkeys(members, ANYTHING))
    if initial[:1] in ("'", '"', "`"):
        return Shape(kinds=("string",), values=(initial[1:-1],))
    if _NUMBER.match(initial):
        number = float(initial)
        return Shape(kinds=("number",), values=(int(number) if number.is_integer() else number,))
    known: dict[str, Shape] = {
        "{}": Shape(kinds=("object",)), "[]": Shape(kinds=("array",)), "true": Shape(kinds=("boolean",)),
        "false": Shape(kinds=("boolean",)), "!0": Shape(kinds=("boolean",)), "!1": Shape(kinds=("boolean",)),
    }  # fmt: skip
    if initial in known:
        return known[initial]
    return next((shape for pattern, shape in _NAMES if pattern.match(name)), ANYTHING)


def parameter_of(
    name: str,
    shape: Shape,
    *,
    is_guess: bool,
    is_rest: bool = False,
    is_needed: bool = False,
    examples: Sequence[Json] = (),
    texts: Sequence[Json] = (),
    usual: Sequence[Json] = (),
    keys: Sequence[Json] = (),
    makers: Makers = NO_MAKERS,
    classes: Sequence[str] = (),
    is_object: bool = False,
    is_declared: bool = False,
    is_no_text: bool = False,
    makes_object: bool = False,
) -> Parameter:
    """Returns the parameter of a shape.

    is_guess: whether samples take other types nearly as often. is_needed: whether nearly all samples have the argument.
    examples: values that are known to be good.
    texts: good ones of other parameters, for a parameter that may be a text and has few or no examples.
    usual: texts of what the library is about, for any parameter that may be a text.
    keys: texts for what several calls on one object name, for any parameter that may be a text.
    makers: what makes objects of the library's classes, by name.
    is_no_text: whether none of the values that others pass is a text.
    makes_object: whether the argument is one of what makes an object for other calls.
    classes: names of makers whose objects the argument may be, though nothing says so. is_object: it likely is one.
    """
    gene = _by_name(name, shape, gene_of(shape, makers, makes_object=makes_object))
    made = gene_of_made(classes, makers)
    known = (*(texts if len(examples) < MANY_EXAMPLES else ()), *usual)
    may_be_text = not shape.is_closed and (not shape.kinds or "string" in shape.kinds)
    if known and may_be_text:
        gene = SeededGene(gene, tuple(dict.fromkeys(known)))
    n_known = int(bool(known)) if not shape.kinds else 2 if is_guess else KNOWN_SHARE
    plain = tuple(value for value in examples if _is_plain(value))
    seeded = (SeededGene(AnyGene(plain[0]), plain),) if plain else ()
    if n_known or seeded or made:
        objects = () if made is None else (made,)
        if is_object:
            gene = ChoiceGene((*objects, gene, _anything(1), *seeded), first_probability=LIKELY)
        else:
            gene = ChoiceGene((*(gene,) * max(n_known, len(objects)), _anything(1), *objects, *seeded))
    if keys and may_be_text and not is_object:
        gene = ChoiceGene((EnumGene(tuple(keys)), *(gene,) * (KEY_SHARE - 1)))
    if is_rest:
        gene = ArrayGene(gene, may_be_long=_is_small(shape))
    return Parameter(
        name=name,
        template=NeededGene(gene, True) if is_needed else OptionalGene(gene, True),
        shape=replace(ANYTHING, is_optional=shape.is_optional) if is_guess else shape,
        is_rest=is_rest,
        is_declared=is_declared,
        is_no_text=is_guess and is_no_text,
    )
