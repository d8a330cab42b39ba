"""Finds the input that an object of the program holds: by its members, or by a text whose member was read.

A program copies its input in many ways (`Object.fromEntries(url.searchParams)`, spread, `pick`, instances of classes).
A copy has members with the names and values of the call, whatever made it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

import msgspec

from wimble.genes import (
    BooleanGene,
    ChoiceGene,
    EnumGene,
    Gene,
    IntegerGene,
    NumberGene,
    ObjectGene,
    StringGene,
    innermost,
)
from wimble.genes.string_specialisation import SPECIALISATIONS
from wimble.genes.undeclared import FileGene, FileTraitGene
from wimble.json_texts import held_document
from wimble.model.hints import (
    ComparisonHint,
    FormatHint,
    Hint,
    InputHint,
    ListHint,
    PatternHint,
    SubstringHint,
    Use,
)
from wimble.model.learned_input import ANY_NAME, IN_JSON_TEXT, LearnedInput, LearnedLocation
from wimble.model.operands import to_text
from wimble.model.testcase import Call
from wimble.solve.patterns.regex import matching_string
from wimble.types import ABSENT, Json

MAX_DEPTH: Final = 8
MAX_PLACES: Final = 200
_NAMED: Final[dict[str, LearnedLocation]] = {"query": "query", "header": "header", "cookie": "cookie"}
MIN_TEXT: Final = 3
FILE_MEMBERS: Final = frozenset(
    {"size", "type", "arrayBuffer", "stream", "mimetype", "originalname", "originalFilename", "filename", "filepath"}
    | {"path", "buffer", "data", "file"}
)
"""What libraries call the properties of an uploaded file."""

_LIST_METHODS: Final = (
    "map|forEach|filter|reduce|some|every|find|findIndex|flatMap|flat|join|push|sort|entries|values|keys|reverse|pop"
)
_NO_LIST: Final = re.compile(rf"([A-Za-z_$][\w$]*)\??\.(?:{_LIST_METHODS}) is not a function|([\w$]+) is not iterable")
"""What errors say of a value that is no list, with the last name of the path that leads to it."""


FORMATTED: Final = {name: StringGene(specialisation=name) for name in SPECIALISATIONS}
_TYPED: Final[dict[str, Gene]] = {"number": NumberGene(), "boolean": BooleanGene()}
"""What members of the content may have to be that are texts at first."""
_UNTYPED: Final = frozenset({"json", "boolean", "bigint", "numeric"})
"""Formats whose texts stand for values of other types, which a program may ask for at its next step."""
_NUMBERS: Final[dict[str, Gene]] = {"number": NumberGene(), "float": NumberGene(), "integer": IntegerGene()}
"""What stands for such a text outside of the content, where all values are texts."""
_CONVERTED: Final[dict[str, Gene]] = {"number": IntegerGene(), "float": NumberGene(), "integer": IntegerGene()}
"""What members of the content may be that are converted (`Number(patient)`), besides texts."""


ANY_MEDIA_TYPE: Final = "*/*"
"""What calls accept unless they have a header Accept of their own."""


def located(call: Call, hint: InputHint) -> LearnedInput | None:
    """Returns the input that was read; None if what the object holds is no input of the call, nor called one."""
    if hint.location == "answer" or hint.location == "element":
        return None
    found = _holder(call, hint.held, hint.location) if hint.held else None
    if found is not None:
        return _read(hint, found[0], found[1])
    if not hint.location and _is_of_path(call, hint.held):
        # Restify, and middleware of programs, add the query to the parameters of the path.
        return _read(hint, "query", ()) if hint.path else None
    return _read(hint, hint.location, ()) if hint.location and (hint.path or "list" in hint.uses) else None


def _read(hint: InputHint, location: LearnedLocation, above: tuple[str, ...]) -> LearnedInput | None:
    if not above and not hint.path:
        # The content itself has to be a list: it gets an element, and whoever reads that tells what it has to hold.
        return LearnedInput(location="body", path=("0",)) if location == "body" else None
    is_list = (location == "body" or IN_JSON_TEXT in above) and _is_only(hint, "list", "iterable")
    return LearnedInput(
        location=location,
        path=(*above, *hint.path),
        is_list=is_list,
        may_be_text=is_list and "list" not in hint.uses,
        is_number=_is_only(hint, "number"),
    )


def _is_only(hint: InputHint, *uses: Use) -> bool:
    """Whether the program takes what it read for one of these, and for nothing else."""
    return not set(uses).isdisjoint(hint.uses) and all(one in (*uses, "condition") for one in hint.uses)


def entry_of(one: LearnedInput, hint: InputHint) -> tuple[LearnedInput, ...]:
    """Returns a member of the object that was read, if the program goes through its keys."""
    if one.location != "body" or "record" not in hint.uses:
        return ()
    return (LearnedInput(location="body", path=(*one.path, ANY_NAME)),)


def uploaded(one: LearnedInput) -> tuple[LearnedInput, ...]:
    """Returns the file whose member was read, if the name of the member is usual for files: `form.avatar.size`."""
    if one.location != "body" or len(one.path) < 2 or one.path[-1] not in FILE_MEMBERS:
        return ()
    return (LearnedInput(location="file", path=one.path[:1]),)


def needed_list(call: Call, message: str) -> LearnedInput | None:
    """Returns the input of the call that an error's message says to be no list, as far as its name tells."""
    found = _NO_LIST.search(message)
    if found is None:
        return None
    name = found[1] or found[2]
    for location, path, value in places(call):
        if path and path[-1] == name and not isinstance(value, list):
            return LearnedInput(location=location, path=path, is_list=True, may_be_text=not found[1])
    return None


def of_format(call: Call, hint: FormatHint) -> LearnedInput | None:
    """Returns the input that the program read as a text of a format; None if no input of the call is that text."""
    if not hint.wanted or not isinstance(hint.value, str) or len(hint.value) < MIN_TEXT:
        return None
    text = FORMATTED.get(hint.format)
    if text is None or hint.format in _UNTYPED:
        return None
    for location, path, value in places(call):
        if path and value == hint.value:
            converted = (_CONVERTED if location == "body" else _NUMBERS).get(hint.format)
            if converted is not None and location == "body":
                converted = ChoiceGene((converted, text))
            return LearnedInput(location=location, path=path, template=converted or text)
    return None


def of_type(known: Iterable[LearnedInput], hint: ComparisonHint) -> LearnedInput | None:
    """Returns the member of the content whose type the program compared, as one of the type that it asks for.

    None if no known member has the name that was read, or the type has no template.
    """
    template = _TYPED.get(str(hint.right)) if hint.wanted and hint.typed_name else None
    names = hint.typed_name.split(".")
    for one in known if template is not None else ():
        is_read = one.path == tuple(names[-len(one.path) :]) or one.path[-1:] == tuple(names)
        if one.location == "body" and one.template is None and not one.is_list and is_read:
            return msgspec.structs.replace(one, template=template)
    return None


def of_file_type(call: Call, hint: PatternHint, rng: Random) -> LearnedInput | None:
    """Returns the uploaded file whose type was matched with an expression, as one of a type that matches.

    None if no file that the call sends has the type that was matched.
    """
    own = hint.text if hint.wanted else None
    for name, file in files_sent(call) if isinstance(own, str) else ():
        wanted = matching_string(hint.source, hint.flags, rng)
        if wanted is not None and file.content_type.value == own != wanted:
            template = msgspec.structs.replace(file, content_type=FileTraitGene(wanted))
            return LearnedInput(location="file", path=(name,), template=template)
    return None


def files_sent(call: Call) -> Iterator[tuple[str, FileGene]]:
    """Yields the files that the call uploads, with the names of their fields."""
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.role != "content" or gene.phenotype() is ABSENT:
            continue
        content = innermost(gene)
        form = innermost(content.options[content.index]) if isinstance(content, ChoiceGene) else content
        for name, field in form.fields if isinstance(form, ObjectGene) else ():
            file = innermost(field)
            if isinstance(file, FileGene):
                yield name, file


def media_type_asked_for(
    hint: PatternHint | SubstringHint | ComparisonHint, others: Iterable[Hint] = ()
) -> LearnedInput | None:
    """Returns the header Accept, if its usual value was compared: the program chooses a version or form by it.

    others: all hints of the evaluation, which show the types that it was compared with in the same call.
    """
    if ANY_MEDIA_TYPE not in hint.operands[:1] or not hint.wanted:
        return None
    types = dict.fromkeys(
        one.right
        for one in others
        if isinstance(one, ComparisonHint) and one.call == hint.call and one.wanted and one.left == ANY_MEDIA_TYPE
        if isinstance(one.right, str) and "/" in one.right
    )
    template = EnumGene(tuple(types)) if types else None
    return LearnedInput(location="header", path=("Accept",), template=template)


def list_asked_for(call: Call, hint: ListHint) -> LearnedInput | None:
    """Returns the input of which the program tested whether it is a list; None if no input of the call is that text."""
    if not isinstance(hint.value, str) or len(hint.value) < MIN_TEXT:
        return None
    for location, path, value in places(call):
        if path and value == hint.value:
            return LearnedInput(location=location, path=path, is_list=True)
    return None


def _holder(call: Call, held: Json, named: str) -> tuple[LearnedLocation, tuple[str, ...]] | None:
    """Returns location and path of the value of the call that is most like what is held."""
    best, place = 0.0, None
    for location, path, value in places(call):
        likeness = _likeness(held, value) + (0.1 if location == named else 0.0)
        if likeness > max(best, 0.5):
            best, place = likeness, (location, path)
    return place


def _is_of_path(call: Call, held: Json) -> bool:
    """Whether what is held are parameters of the path, all of them or some."""
    if not isinstance(held, dict) or not held:
        return False
    of_path = {
        given.name: gene.phenotype()
        for given, gene in zip(call.operation.inputs, call.genes, strict=True)
        if given.sent_in == "path"
    }
    return all(isinstance(own := of_path.get(name), str | int) and _is_same(value, own) for name, value in held.items())


def _likeness(held: Json, value: Json) -> float:
    """Returns the share of the held members that the value has, from 0 to 1."""
    if isinstance(held, str):
        return 1.0 if value == held and len(held) >= MIN_TEXT else 0.0
    if isinstance(held, list) and isinstance(value, list):
        return 1.0 if held and all(_is_same(*pair) for pair in zip(held, value, strict=False)) else 0.0
    if isinstance(held, dict) and isinstance(value, dict):
        # Parsers of XML add members such as `?xml` and `$`.
        own_members = {key: own for key, own in held.items() if key[:1] not in ("?", "$")}
        if not own_members:
            return 0.0
        return sum(key in value and _is_same(own, value[key]) for key, own in own_members.items()) / len(own_members)
    return 0.0


def _is_same(held: Json, sent: Json) -> bool:
    if held == "" and sent in ({}, None):
        return True  # an empty element of XML
    if isinstance(held, (dict, list)) or isinstance(sent, (dict, list)):
        return isinstance(held, dict) == isinstance(sent, dict) and isinstance(held, list) == isinstance(sent, list)
    return held == sent or _text(held) == _text(sent)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else to_text(value)


def places(call: Call) -> Iterator[tuple[LearnedLocation, tuple[str, ...], Json]]:
    """Yields the values of a call that have members, or may get some, with their places; outer ones first."""
    named: dict[LearnedLocation, dict[str, Json]] = {}
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        value = gene.phenotype()
        if value is ABSENT:
            continue
        location = _NAMED.get(given.sent_in)
        if location is not None:
            members = value if given.is_undeclared and isinstance(value, dict) else {given.name: value}
            named.setdefault(location, {}).update(members)
        elif given.role == "content":
            yield from _below("body", (), value, 0)
    for location, values in named.items():
        yield from _below(location, (), values, 0)


def _below(
    location: LearnedLocation, path: tuple[str, ...], value: Json, depth: int
) -> Iterator[tuple[LearnedLocation, tuple[str, ...], Json]]:
    yield location, path, value
    if depth >= MAX_DEPTH:
        return
    if isinstance(value, str):
        held = held_document(value)
        if held is not None:
            yield from _below(location, (*path, IN_JSON_TEXT), held.document, depth + 1)
        return
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in list(members)[:MAX_PLACES]:
        yield from _below(location, (*path, str(key)), below, depth + 1)
