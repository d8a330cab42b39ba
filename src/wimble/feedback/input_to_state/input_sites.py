"""Sites: the places of a test case that hold one scalar that an edit can set.

A site is a gene without children, with the wrappers (optional, nullable, choice, seeded) around it that have the same
phenotype. A value that the gene itself cannot hold (null, undefined, another type) may be held by a wrapper.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    NullableGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    StringGene,
    TupleGene,
)
from wimble.genes.gene import GenePath, Resolver
from wimble.genes.undeclared import UnaskedGene, UndeclaredGene
from wimble.model.operands import DateValue, is_number, to_number, to_text
from wimble.model.testcase import GeneAddress, SetupAction, TestCase, setup_index
from wimble.types import ABSENT, Absent, Json

_WRAPPERS: Final = (ChoiceGene, NullableGene, OptionalGene, SeededGene)
"""Genes that have the value of their only child, if they have one."""
_CONTAINERS: Final = frozenset((ArrayGene, MapGene, ObjectGene, TupleGene))
MAX_SITES_PER_CALL = 300
"""Further scalars of larger bodies are left to mutation: matching each operand with all scalars costs too much."""


class Site(msgspec.Struct, frozen=True, eq=False):
    """One scalar of the phenotype. `value` is the scalar; ABSENT for an optional input that is left out."""

    value: Json | Absent
    chain: tuple[tuple[GeneAddress, Gene], ...]
    """The gene, then the wrappers around it, from the inside out."""
    inner: tuple[str | int, ...] = ()
    """Keys and indexes within the value of an AnyGene."""
    is_json: bool = False
    """Whether it is in a JSON body, which can hold a value of any type, even against the schema; elsewhere all values
    are texts.
    """
    can_be_absent: bool = False
    """Whether a request without it can be sent, even against the schema: it has a name, and is no part of the path."""

    @property
    def gene(self) -> Gene:
        """The innermost gene of `chain`."""
        return self.chain[0][1]

    @property
    def address(self) -> GeneAddress:
        """The address of `gene`."""
        return self.chain[0][0]

    def is_free(self) -> bool:
        """Whether an edit can change the value (a constant cannot be changed)."""
        return self.gene.is_mutable() or isinstance(self.gene, ReferenceGene)

    def put(self, value: Json | Absent) -> tuple[GeneAddress, Gene] | None:
        """Returns the edit that gives the site `value`, as it is or as the text or number that a request can hold.

        If no gene there can hold the value, a gene that can replaces it, even against the schema. Returns None if
        nothing can. A date object of the program is no value of an input.
        """
        if isinstance(value, DateValue):
            return None
        for wanted in _readings(value):
            for address, gene in self.chain:
                new = self._with_value(gene, wanted)
                if new is not None:
                    return address, new
        # A column holds only values of its type.
        is_typed = self.address.call < 0 and not self.is_json
        return None if self.inner or is_typed else self._put_against_schema(value)

    def _put_against_schema(self, value: Json | Absent) -> tuple[GeneAddress, Gene] | None:
        if value is ABSENT:
            address, gene = self.chain[-1]
            return (address, OptionalGene(gene, False)) if self.can_be_absent else None
        if self.is_json:
            return self.address, AnyGene(value)
        if is_number(value):
            return self.address, NumberGene(value)
        return (self.address, StringGene(to_text(value))) if isinstance(value, (str, bool)) else None

    def _with_value(self, gene: Gene, value: Json | Absent) -> Gene | None:
        if self.inner and isinstance(gene, AnyGene):
            return None if value is ABSENT else AnyGene(_with_inner(gene.value, self.inner, value))
        return None if self.inner else gene.with_value(value)


def sampled_sites(sites: list[Site], most: int, rng: Random) -> list[Site]:
    """Returns at most `most` of the sites, in random order."""
    return rng.sample(sites, min(len(sites), most))


def iter_sites(test_case: TestCase, call: int, resolve: Resolver | None) -> Iterator[Site]:
    """Yields the sites of one call, or of a setup action, in a fixed order.

    call: as in `GeneAddress`. There are at most MAX_SITES_PER_CALL.
    """
    n_sites = 0
    for index, (root, is_json, can_be_absent) in enumerate(_roots(test_case, call)):
        below = _sites_below(root, GeneAddress(call, index), (), resolve, is_json=is_json, can_be_absent=can_be_absent)
        for site in below:
            yield site
            n_sites += 1
            if n_sites >= MAX_SITES_PER_CALL:
                return
    if call < 0:
        yield from _default_sites(test_case.setup[setup_index(call)], call)


def _default_sites(action: SetupAction, call: int) -> Iterator[Site]:
    """Yields inputs of a setup action that are absent, with their default values.

    An example is a column that is left to the database.
    """
    for index, gene in enumerate(action.genes):
        if isinstance(gene, OptionalGene) and not gene.is_present:
            value = action.default_value(index)
            if value is not ABSENT:
                yield Site(value, ((GeneAddress(call, index), gene),))


def _roots(test_case: TestCase, call: int) -> Iterator[tuple[Gene, bool, bool]]:
    """Yields the genes of inputs or columns.

    The second item is whether the gene is JSON, the third whether it can be absent against the schema.
    """
    if call < 0:
        action = test_case.setup[setup_index(call)]
        for index, gene in enumerate(action.genes):
            yield gene, action.is_received and action.is_json_input(index), False
        return
    one = test_case.calls[call]
    for declared, gene in zip(one.operation.inputs, one.genes, strict=True):
        yield gene, declared.is_json, declared.role != "subject"


class KeySite(msgspec.Struct, frozen=True, eq=False):
    """A key of a free-form object, or of inputs that no document declares, which can be renamed."""

    key: str
    address: GeneAddress
    gene: MapGene | AnyGene | ObjectGene
    inner: tuple[str | int, ...] = ()
    """The place of the object within the value of an AnyGene."""

    def put(self, key: str) -> tuple[GeneAddress, Gene] | None:
        """Returns the edit that renames the key; None if the object has the new key already."""
        gene = self.gene
        if isinstance(gene, MapGene):
            if any(name == key for name, _ in gene.entries):
                return None
            entries = tuple((key if name == self.key else name, value) for name, value in gene.entries)
            return self.address, gene.with_entries(entries)
        if isinstance(gene, ObjectGene):
            if any(name == key for name, _ in gene.fields):
                return None
            fields = tuple((key if name == self.key else name, value) for name, value in gene.fields)
            return self.address, msgspec.structs.replace(gene, fields=fields)
        owner = gene.value
        for step in self.inner:
            owner = owner[step]
        if key in owner:
            return None
        renamed = {key if name == self.key else name: value for name, value in owner.items()}
        return self.address, AnyGene(_with_inner(gene.value, self.inner, renamed))


def iter_keys(test_case: TestCase, call: int) -> Iterator[KeySite]:
    """Yields keys that can be renamed in one call, or in an answer of a service; at most MAX_SITES_PER_CALL.

    An answer may have any keys: elements of XML and columns of rows are told by their names.
    """
    n_keys = 0
    inputs = test_case.calls[call].operation.inputs if call >= 0 else ()
    for index, (root, is_json, _) in enumerate(_roots(test_case, call)):
        if call < 0 and not is_json:
            continue  # the status and the headers
        is_undeclared = call < 0 or inputs[index].is_undeclared
        for path, gene in _walk(root, ()):
            if isinstance(gene, ObjectGene) and not is_undeclared:
                continue
            address = GeneAddress(call, index, path)
            for inner, key in _keys_of(gene):
                assert isinstance(gene, (MapGene, AnyGene, ObjectGene))
                yield KeySite(key, address, gene, inner)
                n_keys += 1
                if n_keys >= MAX_SITES_PER_CALL:
                    return


def _keys_of(gene: Gene) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(gene, MapGene):
        for key, _ in gene.entries:
            yield (), key
    elif isinstance(gene, ObjectGene):
        for key, child in gene.fields:
            if child.phenotype() is not ABSENT:
                yield (), key
    elif isinstance(gene, AnyGene) and isinstance(gene.value, (dict, list)):
        yield from _inner_keys(gene.value, ())


def _inner_keys(value: Json, inner: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield inner, key
            yield from _inner_keys(item, (*inner, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inner_keys(item, (*inner, index))


def iter_arrays(test_case: TestCase, call: int) -> Iterator[tuple[GeneAddress, ArrayGene]]:
    """Yields arrays in the phenotype of one call, or of a setup action; a list in a value of any shape is one too."""
    for index, (root, _, _) in enumerate(_roots(test_case, call)):
        for path, gene in _walk(root, ()):
            if isinstance(gene, ArrayGene):
                yield GeneAddress(call, index, path), gene
            elif isinstance(gene, AnyGene) and isinstance(gene.value, list):
                yield GeneAddress(call, index, path), ArrayGene(AnyGene(), tuple(map(AnyGene, gene.value)))


def _walk(gene: Gene, path: GenePath) -> Iterator[tuple[GenePath, Gene]]:
    yield path, gene
    for index, child in enumerate(gene.children()):
        yield from _walk(child, (*path, index))


def _sites_below(
    gene: Gene,
    address: GeneAddress,
    wrappers: tuple[tuple[GeneAddress, Gene], ...],
    resolve: Resolver | None,
    *,
    is_json: bool,
    can_be_absent: bool,
) -> Iterator[Site]:
    """Yields the sites of a gene. wrappers: the genes around it that have the same value, from the inside out."""
    children = gene.children()
    chain = ((address, gene), *wrappers)
    if not children:
        value = gene.phenotype(resolve)
        if isinstance(gene, AnyGene):
            for inner, scalar in _iter_scalars(value, ()):
                yield Site(scalar, chain if not inner else chain[:1], inner, is_json, can_be_absent)
        elif not isinstance(value, (list, dict)) and not isinstance(gene, UndeclaredGene | UnaskedGene):
            yield Site(value, chain, is_json=is_json, can_be_absent=can_be_absent)
        return
    if isinstance(gene, JsonTextGene):
        yield Site(gene.phenotype(resolve), chain, is_json=is_json, can_be_absent=can_be_absent)
        document = GeneAddress(address.call, address.input, (*address.path, 0))
        yield from _sites_below(children[0], document, (), resolve, is_json=True, can_be_absent=False)
        return
    # The room for undeclared inputs is absent while its only one is, but it is never that input.
    is_wrapper = len(children) == 1 and not isinstance(gene, UndeclaredGene)
    has_same_value = is_wrapper and not _holds_others(gene, resolve)
    for index, child in enumerate(children):
        below = GeneAddress(address.call, address.input, (*address.path, index))
        is_named = can_be_absent if has_same_value else isinstance(gene, ObjectGene)
        around = chain if has_same_value else ()
        yield from _sites_below(child, below, around, resolve, is_json=is_json, can_be_absent=is_named)


def _holds_others(gene: Gene, resolve: Resolver | None) -> bool:
    """Whether the value of a gene is a list or an object."""
    # The values of large genes are not made only to see that: at each level, they would be made again.
    while isinstance(gene, _WRAPPERS) and (children := gene.children()):
        gene = children[0]
    return type(gene) in _CONTAINERS or isinstance(gene.phenotype(resolve), (list, dict))


def _iter_scalars(value: Json, inner: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _iter_scalars(item, (*inner, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _iter_scalars(item, (*inner, index))
    else:
        yield inner, value


def _with_inner(value: Json, inner: tuple[str | int, ...], new: Json) -> Json:
    if not inner:
        return new
    copy = value.copy()
    copy[inner[0]] = _with_inner(value[inner[0]], inner[1:], new)
    return copy


def _readings(value: Json | Absent) -> tuple[Json | Absent, ...]:
    if isinstance(value, str):
        number = to_number(value)
        boolean = {"true": True, "false": False}.get(value)
        return tuple(reading for reading in (value, number, boolean) if reading is not None)
    if is_number(value) or isinstance(value, bool):
        return value, to_text(value)
    return (value,)
