"""Puts learnt inputs into calls.

Parameters get a field in the room for undeclared inputs of their location; members of the content get a place in
whatever genes the content is made of. Nothing else of the call changes. Each new field is optional, so that
minimising, mutation and edits can leave it out.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Final

import msgspec

from wimble.genes import (
    AnyGene,
    ArrayGene,
    ChoiceGene,
    Gene,
    JsonTextGene,
    MapGene,
    ObjectGene,
    OptionalGene,
    StringGene,
    wrapped,
)
from wimble.genes.taint_markers import taint_marker
from wimble.json_texts import HeldDocument, held_document
from wimble.model.learned_input import ANY_NAME, IN_JSON_TEXT, LearnedInput
from wimble.model.operation import Input, Operation
from wimble.model.testcase import Call
from wimble.types import ABSENT, Absent, Json

MAX_ITEMS: Final = 64
"""Longest list that an index may ask for."""
JSON_FORM: Final = 0
PAGE_FORM: Final = 1
"""Forms of a content that no document declares (http/undeclared_room.py): JSON, and what a page with a form sends."""
ANY_KEY: Final = "key1"
"""Key of the first member of an object whose keys are data."""
_BODY: Final = ("body", "file")


def input_index(operation: Operation, one: LearnedInput) -> int | None:
    """Returns the index of the input that carries a learnt one; None if the operation has none for its location."""
    for index, given in enumerate(operation.inputs):
        if _carries(given, one.location):
            return index
    return None


def _place_of(call: Call, one: LearnedInput) -> tuple[int, tuple[str, ...]] | None:
    """Returns the index of the input that carries a learnt one, and the path below it; None if there is none."""
    operation = call.operation
    if one.path[1:2] == (IN_JSON_TEXT,) and one.location not in _BODY:
        name = _comparable(one.location, one.path[0])
        for declared, given in enumerate(operation.inputs):
            if given.sent_in == one.location and _comparable(one.location, given.name) == name:
                return declared, one.path[1:]
    index = input_index(operation, one)
    return None if index is None else (index, _with_sent_names(call, one.path))


def _with_sent_names(call: Call, path: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the path with the names that the call's inputs tell; ANY_NAME for those that it does not send."""
    if all(name[:1] != ANY_NAME or name == ANY_NAME for name in path):
        return path
    return tuple(_sent_as(call, name[1:]) or ANY_NAME if name[:1] == ANY_NAME else name for name in path)


def _sent_as(call: Call, name: str) -> str:
    """Returns the text, or number, that the call sends under a name; empty if there is none."""
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.name != name and not given.is_undeclared and given.role != "content":
            continue
        value = gene.phenotype()
        sent = value.get(name) if isinstance(value, dict) else value if given.name == name else None
        if isinstance(sent, str) or (isinstance(sent, int) and not isinstance(sent, bool)):
            return str(sent)
    return ""


def _carries(given: Input, location: str) -> bool:
    if location == "file":
        return given.role == "content" and any("multipart" in name for name in given.media_types)
    if location == "body":
        # A document of GraphQL has no room for members; the types of its variables say all of them.
        return given.role == "content" and not given.varying_member
    return given.is_undeclared and given.sent_in == location


def is_declared(operation: Operation, one: LearnedInput) -> bool:
    """Whether the operation has the input without having learnt it."""
    if one.location not in _BODY:
        if one.path[1:2] == (IN_JSON_TEXT,):
            return False  # documents describe the text, never what it holds
        name = _comparable(one.location, one.path[0])
        given_there = (given for given in operation.inputs if given.sent_in == one.location)
        return any(_comparable(one.location, given.name) == name for given in given_there)
    index = input_index(operation, one)
    return index is not None and _has_member(operation.inputs[index].template, one.path)


def _comparable(location: str, name: str) -> str:
    return name.lower() if location == "header" else name


def _has_member(gene: Gene, path: tuple[str, ...]) -> bool:
    """Whether a gene, or any alternative of it, has a field at the path; elements of a list are alike."""
    if not path:
        return True
    if isinstance(gene, ChoiceGene):
        return any(_has_member(option, path) for option in gene.options)
    inner = wrapped(gene)
    if inner is not None:
        return _has_member(inner, path)
    if isinstance(gene, ObjectGene):
        fields = dict(gene.fields)
        return path[0] in fields and _has_member(fields[path[0]], path[1:])
    return isinstance(gene, ArrayGene) and path[0].isdigit() and len(path) > 1 and _has_member(gene.element, path[1:])


def with_input(call: Call, one: LearnedInput, leaf: Gene, *, form: int | None = None) -> Call | None:
    """Returns the call with `leaf` as the value of a learnt input; None if no gene there can have such a member.

    form: the alternative that an undeclared content takes; None for the one that it has.
    """
    place = _place_of(call, one)
    if place is None:
        return None
    index, path = place
    gene = call.genes[index]
    if call.operation.inputs[index].is_undeclared and one.location in _BODY:
        gene = _opened(gene, call.operation.inputs[index].template, form)
        if path[0].isdigit() and not isinstance(gene.phenotype(), list):
            is_json = form in (None, JSON_FORM)
            return call.with_gene(index, _replaced_content(gene, _nested(path, leaf), JSON_FORM)) if is_json else None
    new = with_member(gene, path, leaf)
    return None if new is None else call.with_gene(index, new)


def _opened(gene: Gene, template: Gene, form: int | None) -> Gene:
    """Returns an undeclared content that is present, in the form asked for."""
    if not isinstance(gene, OptionalGene):
        # An edit has written the whole content, which is the first form from now on.
        gene = _replaced_content(template, gene, 0)
    assert isinstance(gene, OptionalGene), "the template of an undeclared content is optional"
    choice = gene.gene
    if form is not None and isinstance(choice, ChoiceGene) and form < len(choice.options):
        choice = msgspec.structs.replace(choice, index=form)
    return msgspec.structs.replace(gene, gene=choice, is_present=True)


def with_member(gene: Gene, path: tuple[str, ...], leaf: Gene) -> Gene | None:
    """Returns the gene with a member at the path; values on the path that cannot have members are replaced."""
    if not path:
        return leaf
    if isinstance(gene, OptionalGene):
        below = with_member(gene.gene, path, leaf)
        return None if below is None else msgspec.structs.replace(gene, gene=below, is_present=True)
    if path[0] == IN_JSON_TEXT:
        return _with_member_of_text(gene, path[1:], leaf)
    if isinstance(gene, JsonTextGene):
        return _with_member_of_text(gene, path, leaf)
    if len(gene.children()) == 1 and not isinstance(gene, ObjectGene | ArrayGene | MapGene):
        below = with_member(gene.children()[0], path, leaf)
        return None if below is None else gene.with_child(0, below)
    return _with_own_member(gene, path, leaf)


def _with_member_of_text(gene: Gene, path: tuple[str, ...], leaf: Gene) -> Gene | None:
    """Returns a text with a JSON document that has a member at the path, and what the text's document had before."""
    text = gene.phenotype()
    held = held_document(text) if isinstance(text, str) else None
    new = _nested(path, leaf) if held is None else with_member(AnyGene(held.document), path, leaf)
    if new is None:
        return None
    document = AnyGene(new.phenotype())
    if held is None and isinstance(gene, JsonTextGene):
        return gene.holding(document)
    own = gene if isinstance(gene, StringGene) else gene.own if isinstance(gene, JsonTextGene) else StringGene()
    return JsonTextGene.of((held or HeldDocument({}))._replace(document=document.value), own)


def _with_own_member(gene: Gene, path: tuple[str, ...], leaf: Gene) -> Gene | None:
    match gene:
        case ArrayGene():
            return _with_item(gene, "0" if path[0] == ANY_NAME else path[0], path[1:], leaf)
        case ObjectGene():
            fields = _with_field(dict(gene.fields), path, leaf)
            return None if fields is None else type(gene)(tuple(fields.items()))
        case MapGene():
            entries = _with_field(dict(gene.entries), path, leaf)
            return None if entries is None else gene.with_entries(tuple(entries.items()))
        case AnyGene() if isinstance(gene.value, dict):
            return with_member(ObjectGene(tuple((key, AnyGene(own)) for key, own in gene.value.items())), path, leaf)
        case AnyGene() if isinstance(gene.value, list):
            return with_member(ArrayGene(AnyGene(), tuple(AnyGene(own) for own in gene.value)), path, leaf)
        case _:
            return _nested(path, leaf)


def _with_field(fields: dict[str, Gene], path: tuple[str, ...], leaf: Gene) -> dict[str, Gene] | None:
    name, rest = path[0], path[1:]
    if name == ANY_NAME:
        name = next(iter(fields), ANY_KEY)
    known = fields.get(name)
    below = OptionalGene(_nested(rest, leaf)) if known is None else with_member(known, rest, leaf)
    if below is None:
        return None
    # What is optional stays so.
    if isinstance(known, OptionalGene) and not isinstance(below, OptionalGene):
        below = OptionalGene(below)
    return {**fields, name: below}


def _with_item(gene: ArrayGene, name: str, rest: tuple[str, ...], leaf: Gene) -> Gene | None:
    if not name.isdigit() or int(name) >= MAX_ITEMS:
        return None
    items = list(gene.items)
    while len(items) <= int(name):
        # Programs mostly require the same of each element.
        items.append(items[-1] if items else _nested(rest, leaf))
    below = with_member(items[int(name)], rest, leaf)
    if below is None:
        return None
    items[int(name)] = below
    element = below
    if gene.items:
        items = [_with_lacking(item, rest, leaf) for item in items]
        element = _with_lacking(gene.element, rest, leaf) if isinstance(gene.element, ObjectGene) else gene.element
    return ArrayGene(element, tuple(items), gene.min_items, gene.max_items, gene.unique)


def _with_lacking(item: Gene, path: tuple[str, ...], leaf: Gene) -> Gene:
    """Returns an element of a list with the member that another one got, unless it has it.

    A loop that needs the member of each element fails at the next one otherwise, which may say nothing of it.
    """
    if not path or _value_below(item.phenotype(), path) is not ABSENT:
        return item
    return with_member(item, path, leaf) or _nested(path, leaf)


def _nested(path: tuple[str, ...], leaf: Gene) -> Gene:
    """Returns a gene with a member at the path, and nothing else."""
    if not path:
        return leaf
    below = _nested(path[1:], leaf)
    if path[0] == IN_JSON_TEXT:
        return JsonTextGene(AnyGene(below.phenotype()))
    if path[0].isdigit() and int(path[0]) < MAX_ITEMS:
        return ArrayGene(below, (below,) * (int(path[0]) + 1))
    if path[0] == ANY_NAME:
        return MapGene(below, ((ANY_KEY, below),))
    return ObjectGene(((path[0], OptionalGene(below)),))


def value_of_input(call: Call, one: LearnedInput) -> Json | Absent:
    """Returns the value with which a call sends a learnt input; ABSENT if it does not."""
    place = _place_of(call, one)
    return ABSENT if place is None else _value_below(call.genes[place[0]].phenotype(), place[1])


def _value_below(value: Json | Absent, path: tuple[str, ...]) -> Json | Absent:
    """Returns the value at a path of learnt inputs; ABSENT if there is none."""
    for name in path:
        if name == IN_JSON_TEXT:
            held = held_document(value) if isinstance(value, str) else None
            value = ABSENT if held is None else held.document
        elif isinstance(value, dict):
            value = next(iter(value.values()), ABSENT) if name == ANY_NAME else value.get(name, ABSENT)
        elif isinstance(value, list) and name == ANY_NAME and value:
            value = value[0]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return ABSENT
    return value


@lru_cache(maxsize=8192)
def undeclared_content(operation: Operation) -> Input | None:
    """Returns the room for a content that no document declares; None if the operation has none."""
    return next((given for given in operation.inputs if given.is_undeclared and given.role == "content"), None)


def with_form(call: Call, form: int, rng: Random) -> Call:
    """Returns the call with its undeclared content in a form, if it has none; a text is a new one."""
    for index, given in enumerate(call.operation.inputs):
        gene = call.genes[index]
        if not given.is_undeclared or given.role != "content" or gene.phenotype() is not ABSENT:
            continue
        opened = _opened(gene, given.template, form)
        choice = opened.children()[0]
        if isinstance(choice, ChoiceGene) and isinstance(choice.options[form], StringGene):
            text = StringGene(taint_marker(rng))
            options = (*choice.options[:form], text, *choice.options[form + 1 :])
            opened = opened.with_child(0, msgspec.structs.replace(choice, options=options))
        return call.with_gene(index, opened)
    return call


def as_page_form(call: Call) -> Call:
    """Returns the call with what it sends as undeclared JSON as a page with a form sends it."""
    content = undeclared_content(call.operation)
    gene = None if content is None else call.genes[call.operation.inputs.index(content)]
    if content is None or not isinstance(gene, OptionalGene) or not isinstance(gene.gene, ChoiceGene):
        return call
    choice = gene.gene
    if not gene.is_present or choice.index != JSON_FORM or not isinstance(choice.phenotype(), dict):
        return call
    options = (*choice.options[:PAGE_FORM], choice.options[JSON_FORM], *choice.options[PAGE_FORM + 1 :])
    new = msgspec.structs.replace(choice, options=options, index=PAGE_FORM)
    return call.with_gene(call.operation.inputs.index(content), msgspec.structs.replace(gene, gene=new))


def with_body(call: Call, template: Gene, form: int | None) -> Call | None:
    """Returns the call with a content of another gene; None if it has no content.

    form: the alternative that the content has to take, if there are several.
    """
    for index, given in enumerate(call.operation.inputs):
        if given.role == "content":
            return call.with_gene(index, _replaced_content(call.genes[index], template, form))
    return None


def _replaced_content(gene: Gene, template: Gene, form: int | None) -> Gene:
    if isinstance(gene, OptionalGene):
        return msgspec.structs.replace(gene, gene=_replaced_content(gene.gene, template, form), is_present=True)
    if isinstance(gene, ChoiceGene):
        index = gene.index if form is None else form
        options = (*gene.options[:index], template, *gene.options[index + 1 :])
        return msgspec.structs.replace(gene, options=options, index=index)
    return template
