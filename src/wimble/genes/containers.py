"""Genes of arrays, objects and maps. Members whose phenotype is ABSENT are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import TypeVar

from wimble.genes import probabilities
from wimble.genes.gene import Gene, Resolver
from wimble.genes.jsonhash import is_same_json
from wimble.genes.new_elements import furthest
from wimble.genes.taint_markers import made_up_name, taint_marker
from wimble.solve.patterns.regex import matching_string
from wimble.types import ABSENT, Json

T = TypeVar("T")

ALIKE_PROBABILITY = 0.9
"""Probability that a new element of a list of any values has the shape of the one that got furthest."""
ALIKE_OBJECT_PROBABILITY = 0.5
"""The same for a list of objects, which have the same optional members then."""
UNIQUE_ATTEMPTS = 5
"""Attempts to sample an element that a `unique` array does not contain; a small enumeration may have none left."""
IN_ORDER_PROBABILITY = 0.12
"""Probability that a mutation of an array sorts its elements, or replaces them by consecutive values."""
LONG_PROBABILITY = 0.04
"""Probability that a sample of a list that may well be long has one of LONG_SIZES: trees split their nodes, and sorting
and searching take other ways, only with many elements. No mutant does: test cases with many genes slow the search."""
LONG_SIZES = (12, 40)
PLAIN_KEYS = ("key", "name", "id", "value", "type")
PLAIN_KEY_PROBABILITY = 0.3
"""Probability that a key of a map is one of PLAIN_KEYS; otherwise it is a taint marker."""


class ArrayGene(Gene, frozen=True):
    """An array. `items` are genes sampled from the template `element`."""

    element: Gene
    items: tuple[Gene, ...] = ()
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    may_be_long: bool = False
    """Whether some samples have many elements."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return [value for item in self.items if (value := item.phenotype(resolve)) is not ABSENT]

    def sampled(self, rng: Random) -> ArrayGene:
        if self.may_be_long and rng.random() < LONG_PROBABILITY:
            return self._grown((), rng.choice(LONG_SIZES), rng)
        return self._grown((), _drawn_size(rng, self.min_items, self.max_items), rng)

    def alike(self, rng: Random) -> ArrayGene:
        return self.with_items(tuple(item.alike(rng) for item in self.items))

    def mutated(self, rng: Random, focus: float) -> ArrayGene:
        """Adds or removes an element at any place; with IN_ORDER_PROBABILITY, sorts or counts up the elements."""
        if len(self.items) > 1 and rng.random() < IN_ORDER_PROBABILITY:
            ordered = self._sorted(rng) if rng.random() < 0.5 else self._counted_up(rng)
            if ordered is not None and ordered != self:
                return ordered
        can_grow = self.max_items is None or len(self.items) < self.max_items
        can_shrink = len(self.items) > self.min_items
        if can_grow and (not can_shrink or rng.random() < 0.5):
            grown = self._grown(self.items, len(self.items) + 1, rng)
            if len(grown.items) > len(self.items) or not can_shrink:
                return grown
        if can_shrink:
            at = rng.randrange(len(self.items))
            return self.with_items((*self.items[:at], *self.items[at + 1 :]))
        return self

    def _sorted(self, rng: Random) -> ArrayGene | None:
        """Returns the sorted array; None if the elements cannot be compared."""
        values = [item.phenotype() for item in self.items]
        if not all(isinstance(value, str) for value in values) and not all(map(_is_number, values)):
            return None
        order = sorted(range(len(values)), key=lambda at: values[at], reverse=rng.random() < 0.5)
        return self.with_items(tuple(self.items[at] for at in order))

    def _counted_up(self, rng: Random) -> ArrayGene | None:
        """Replaces all elements by consecutive values: numbers, or texts that end with consecutive numbers.

        Programs often require the same of each element, and these are all of one kind. None if the elements are
        neither.
        """
        first = self.items[rng.randrange(len(self.items))]
        value = first.phenotype()
        if not isinstance(value, str) and not _is_number(value):
            return None
        counted = [first]
        for _ in range(len(self.items) - 1):
            value = _next_text(value) if isinstance(value, str) else value + 1
            following = first.with_value(value)
            if following is None:
                return None
            counted.append(following)
        return self.with_items(tuple(counted))

    def with_value(self, value: Json) -> ArrayGene | None:
        if not isinstance(value, list):
            return None
        items = _all_or_none(self.element.with_value(item) for item in value)
        return None if items is None else self.with_items(items)

    def is_mutable(self) -> bool:
        return self.max_items is None or self.max_items > self.min_items or len(self.items) > self.max_items

    def children(self) -> tuple[Gene, ...]:
        return self.items

    def with_child(self, index: int, child: Gene) -> ArrayGene:
        return self.with_items(_replaced(self.items, index, child))

    def with_items(self, items: tuple[Gene, ...]) -> ArrayGene:
        return ArrayGene(self.element, items, self.min_items, self.max_items, self.unique, self.may_be_long)

    def resized(self, length: int, rng: Random) -> ArrayGene:
        """Returns the array cut or extended to `length`; shorter if no more `unique` elements are found.

        Where nothing is known of the elements they are texts, which are recognised wherever the program reads them.
        """
        items = self.items[:length]
        if length > 0 and not items and self.element.is_shapeless:
            items = (self.element.with_value(taint_marker(rng)) or self.element.sampled(rng),)
        return self._grown(items, length, rng)

    def _grown(self, items: tuple[Gene, ...], size: int, rng: Random) -> ArrayGene:
        out = list(items)
        while len(out) < size:
            new = self._fresh_element(out, rng)
            if new is None:
                break
            out.append(new)
        return self.with_items(tuple(out))

    def _fresh_element(self, others: list[Gene], rng: Random) -> Gene | None:
        if not self.unique:
            return self._new_element(others, rng)
        known = [other.phenotype() for other in others]
        for _ in range(UNIQUE_ATTEMPTS):
            new = self._new_element(others, rng)
            value = new.phenotype()
            if not any(is_same_json(value, other) for other in known):
                return new
        return None

    def _new_element(self, others: list[Gene], rng: Random) -> Gene:
        is_object = isinstance(self.element, ObjectGene)
        probability = ALIKE_OBJECT_PROBABILITY if is_object else ALIKE_PROBABILITY if self.element.is_shapeless else 0
        if others and probability and rng.random() < probability:
            return others[furthest(other.phenotype() for other in others)].alike(rng)
        return self.element.sampled(rng)


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _next_text(text: str) -> str:
    """Returns the next text: `item10` for `item9`, `a1` for `a`."""
    digits = re.search(r"[0-9]{0,15}$", text)
    assert digits is not None
    number = digits.group()
    return text[: digits.start()] + (str(int(number) + 1).zfill(len(number)) if number else "1")


class TupleGene(Gene, frozen=True):
    """An array in which each position has its own gene."""

    items: tuple[Gene, ...] = ()

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return [value for item in self.items if (value := item.phenotype(resolve)) is not ABSENT]

    def sampled(self, rng: Random) -> TupleGene:
        return TupleGene(tuple(item.sampled(rng) for item in self.items))

    def mutated(self, rng: Random, focus: float) -> TupleGene:
        return self

    def with_value(self, value: Json) -> TupleGene | None:
        if not isinstance(value, list) or len(value) != len(self.items):
            return None
        items = _all_or_none(gene.with_value(item) for gene, item in zip(self.items, value, strict=True))
        return None if items is None else TupleGene(items)

    def is_mutable(self) -> bool:
        return False

    def children(self) -> tuple[Gene, ...]:
        return self.items

    def with_child(self, index: int, child: Gene) -> TupleGene:
        return TupleGene(_replaced(self.items, index, child))


class ObjectGene(Gene, frozen=True):
    """A fixed set of named fields. The gene of a field that may be missing is an OptionalGene."""

    fields: tuple[tuple[str, Gene], ...] = ()

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return {name: value for name, gene in self.fields if (value := gene.phenotype(resolve)) is not ABSENT}

    def sampled(self, rng: Random) -> ObjectGene:
        return ObjectGene(tuple((name, gene.sampled(rng)) for name, gene in self.fields))

    def alike(self, rng: Random) -> ObjectGene:
        return self._with_genes(tuple(gene.alike(rng) for _, gene in self.fields))

    def mutated(self, rng: Random, focus: float) -> ObjectGene:
        return self

    def with_value(self, value: Json) -> ObjectGene | None:
        if not isinstance(value, dict) or not value.keys() <= {name for name, _ in self.fields}:
            return None
        genes = _all_or_none(gene.with_value(value.get(name, ABSENT)) for name, gene in self.fields)
        return None if genes is None else self._with_genes(genes)

    def is_mutable(self) -> bool:
        return False

    def children(self) -> tuple[Gene, ...]:
        return tuple(gene for _, gene in self.fields)

    def with_child(self, index: int, child: Gene) -> ObjectGene:
        return ObjectGene(_replaced(self.fields, index, (self.fields[index][0], child)))

    def _with_genes(self, genes: tuple[Gene, ...]) -> ObjectGene:
        return ObjectGene(tuple((name, gene) for (name, _), gene in zip(self.fields, genes, strict=True)))


class MapGene(Gene, frozen=True):
    """Arbitrary keys with values of one template (`additionalProperties`)."""

    value_template: Gene
    entries: tuple[tuple[str, Gene], ...] = ()
    min_entries: int = 0
    max_entries: int | None = None
    key_pattern: str = ""
    """Pattern of the keys (ECMAScript source); empty for any key."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return {key: value for key, gene in self.entries if (value := gene.phenotype(resolve)) is not ABSENT}

    def sampled(self, rng: Random) -> MapGene:
        out = self.with_entries(())
        for _ in range(_drawn_size(rng, self.min_entries, self.max_entries)):
            out = out._with_fresh_entry(rng)
        return out

    def alike(self, rng: Random) -> MapGene:
        return self.with_entries(tuple((key, gene.alike(rng)) for key, gene in self.entries))

    def mutated(self, rng: Random, focus: float) -> MapGene:
        """Adds an entry, removes one, or moves one to another key."""
        can_grow = self.max_entries is None or len(self.entries) < self.max_entries
        can_shrink = len(self.entries) > self.min_entries
        changes = ["add"] * can_grow + ["remove"] * can_shrink + ["move"] * bool(self.entries)
        change = rng.choice(changes) if changes else ""
        if change == "add":
            return self._with_fresh_entry(rng)
        if not change:
            return self
        at = rng.randrange(len(self.entries))
        if change == "remove":
            return self.with_entries((*self.entries[:at], *self.entries[at + 1 :]))
        return self.with_entries(_replaced(self.entries, at, (self._fresh_key(rng), self.entries[at][1])))

    def with_value(self, value: Json) -> MapGene | None:
        if not isinstance(value, dict):
            return None
        genes = _all_or_none(self.value_template.with_value(item) for item in value.values())
        return None if genes is None else self.with_entries(tuple(zip(value, genes, strict=True)))

    def is_mutable(self) -> bool:
        return self.max_entries != 0 or bool(self.entries)

    def children(self) -> tuple[Gene, ...]:
        return tuple(gene for _, gene in self.entries)

    def with_child(self, index: int, child: Gene) -> MapGene:
        return self.with_entries(_replaced(self.entries, index, (self.entries[index][0], child)))

    def with_entries(self, entries: tuple[tuple[str, Gene], ...]) -> MapGene:
        return MapGene(self.value_template, entries, self.min_entries, self.max_entries, self.key_pattern)

    def _with_fresh_entry(self, rng: Random) -> MapGene:
        return self.with_entries((*self.entries, (self._fresh_key(rng), self.value_template.sampled(rng))))

    def _fresh_key(self, rng: Random) -> str:
        taken = {key for key, _ in self.entries}
        for _ in range(UNIQUE_ATTEMPTS if self.key_pattern else 0):
            conforming = matching_string(self.key_pattern, "", rng)
            if conforming is not None and conforming not in taken:
                return conforming
        if rng.random() < PLAIN_KEY_PROBABILITY:
            plain = rng.choice(PLAIN_KEYS)
            if plain not in taken:
                return plain
        while (key := made_up_name(rng)) in taken:
            pass
        return key


def _drawn_size(rng: Random, least: int, most: int | None) -> int:
    size = least + rng.randrange(probabilities.EXTRA_ITEMS + 1)
    return size if most is None else max(least, min(size, most))


def _replaced(items: tuple[T, ...], index: int, new: T) -> tuple[T, ...]:
    if not 0 <= index < len(items):
        raise IndexError(index)
    return (*items[:index], new, *items[index + 1 :])


def _all_or_none(genes: Iterable[Gene | None]) -> tuple[Gene, ...] | None:
    out = []
    for gene in genes:
        if gene is None:
            return None
        out.append(gene)
    return tuple(out)
