"""Sets or removes a value at a path of a JSON document, whatever genes the document is made of.

Genes outside of the path stay unchanged. If a gene on the path cannot hold the value, it becomes free-form from there
on, since the program needs the value there.
"""

from __future__ import annotations

from wimble.genes import AnyGene, ArrayGene, Gene, MapGene, ObjectGene, OptionalGene, TupleGene
from wimble.genes.wrappers import ChoiceGene, NullableGene, SeededGene
from wimble.types import ABSENT, Absent, Json


def with_value_at(gene: Gene, names: tuple[str, ...], value: Json | Absent) -> Gene | None:
    """Returns the gene with `value` at the end of `names`; missing members on the path are added.

    If `value` is ABSENT, what is there is removed. Returns None if there is nothing to remove.
    """
    if value is ABSENT:
        return _without(gene, names)
    if not names:
        return gene.with_value(value) or AnyGene(value)
    name, rest = names[0], names[1:]
    match gene:
        case OptionalGene() | NullableGene() | SeededGene() | ChoiceGene():
            return AnyGene(_set(gene.phenotype(), names, value)) if _is_empty(gene) else _below(gene, names, value)
        case ObjectGene():
            fields = dict(gene.fields)
            below = with_value_at(fields[name], rest, value) if name in fields else AnyGene(_set(None, rest, value))
            return ObjectGene(tuple({**fields, name: below or AnyGene(value)}.items()))
        case MapGene():
            entries = dict(gene.entries)
            below = with_value_at(entries.get(name) or gene.value_template, rest, value)
            return gene.with_entries(tuple({**entries, name: below or AnyGene(value)}.items()))
        case ArrayGene() | TupleGene() if name.isdigit() and int(name) < len(gene.items):
            below = with_value_at(gene.items[int(name)], rest, value)
            return gene.with_child(int(name), below or AnyGene(value))
        case _:
            return AnyGene(_set(gene.phenotype(), names, value))


def _is_empty(gene: Gene) -> bool:
    return gene.phenotype() is ABSENT or gene.phenotype() is None or len(gene.children()) != 1


def _below(gene: Gene, names: tuple[str, ...], value: Json | Absent) -> Gene | None:
    """Returns the wrapper with the value set in its only inner gene."""
    new = with_value_at(gene.children()[0], names, value)
    return None if new is None else gene.with_child(0, new)


def _without(gene: Gene, names: tuple[str, ...]) -> Gene | None:
    if not names or value_at(gene.phenotype(), names) is ABSENT:
        return None
    name, rest = names[0], names[1:]
    match gene:
        case ObjectGene() if not rest:
            fields = tuple((key, _left_out(own) if key == name else own) for key, own in gene.fields)
            return ObjectGene(fields)
        case ObjectGene():
            fields = tuple((key, _without(own, rest) or own if key == name else own) for key, own in gene.fields)
            return ObjectGene(fields)
        case MapGene() if not rest:
            return gene.with_entries(tuple(entry for entry in gene.entries if entry[0] != name))
        case MapGene():
            entries = tuple((key, _without(own, rest) or own if key == name else own) for key, own in gene.entries)
            return gene.with_entries(entries)
        case OptionalGene() | NullableGene() | SeededGene() | ChoiceGene() if len(gene.children()) == 1:
            return _below(gene, names, ABSENT)
        case _:
            return AnyGene(_set(gene.phenotype(), names, ABSENT))


def _left_out(gene: Gene) -> Gene:
    return OptionalGene(gene.gene if isinstance(gene, OptionalGene) else gene, False)


def value_at(document: Json | Absent, names: tuple[str, ...]) -> Json | Absent:
    """Returns the value at a path of a document; ABSENT if there is none."""
    for name in names:
        if isinstance(document, list) and name.isdigit() and int(name) < len(document):
            document = document[int(name)]
        elif isinstance(document, dict) and name in document:
            document = document[name]
        else:
            return ABSENT
    return document


def _set(document: Json, names: tuple[str, ...], value: Json | Absent) -> Json:
    """Returns a copy of the document with the value at the path.

    Values on the path that are no object or list are replaced.
    """
    if not names:
        return value
    name, rest = names[0], names[1:]
    if isinstance(document, list) and name.isdigit():
        index = min(int(name), len(document))
        below = (
            []
            if value is ABSENT and not rest
            else [_set(document[index] if index < len(document) else None, rest, value)]
        )
        return [*document[:index], *below, *document[index + 1 :]]
    if not isinstance(document, dict):
        # A path that begins with 0 leads into a list.
        return [_set(None, rest, value)] if name == "0" else {name: _set(None, rest, value)}
    if value is ABSENT and not rest:
        return {key: own for key, own in document.items() if key != name}
    return {**document, name: _set(document.get(name), rest, value)}
