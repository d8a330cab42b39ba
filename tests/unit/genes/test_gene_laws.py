"""Laws that every gene keeps, over arbitrary genes."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    ConstantGene,
    EnumGene,
    Gene,
    IntegerGene,
    MapGene,
    NullableGene,
    NullGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    StringGene,
    gene_at,
    iter_genes,
    replaced_at,
)
from wimble.genes.jsonhash import is_same_json
from wimble.genes.string_formats import FORMATS
from wimble.types import ABSENT, Json

JSON_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.text(max_size=5))
JSON: SearchStrategy[Json] = st.recursive(
    JSON_SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def integers(draw: st.DrawFn) -> Gene:
    low = draw(st.none() | st.integers(-(10**6), 10**6))
    span = draw(st.none() | st.integers(10, 10**6))
    high = None if span is None else (low or 0) + span
    return IntegerGene(low or 0, low, high, draw(st.none() | st.integers(1, 10)))


@st.composite
def numbers(draw: st.DrawFn) -> Gene:
    low = draw(st.none() | st.integers(-(10**6), 10**6))
    high = draw(st.none() | st.integers(2, 10**6).map(lambda span: (low or 0) + span))
    exclusive = draw(st.booleans())
    unit = draw(st.sampled_from([None, None, 0.5, 0.01, 1]))
    if exclusive:
        return NumberGene((low or 0) + 1, exclusive_minimum=low, exclusive_maximum=high, multiple_of=unit)
    return NumberGene(low or 0, low, high, multiple_of=unit)


@st.composite
def strings(draw: st.DrawFn) -> Gene:
    kind = draw(st.sampled_from(["plain", "length", "pattern", "format"]))
    if kind == "length":
        least = draw(st.integers(0, 30))
        return StringGene("x" * least, least, draw(st.none() | st.integers(1, 20).map(lambda more: least + more)))
    if kind == "pattern":
        return StringGene(
            "AB-12", pattern=draw(st.sampled_from([r"^[A-Z]{2}-\d+$", r"\d{3}", r"^(?=.*\d)[a-z\d]{4,9}$"]))
        )
    return StringGene(format=draw(st.sampled_from(sorted(FORMATS)))) if kind == "format" else StringGene("plain")


LEAVES: SearchStrategy[Gene] = st.one_of(
    st.booleans().map(BooleanGene),
    integers(),
    numbers(),
    strings(),
    st.lists(JSON, min_size=1, max_size=4, unique_by=repr).map(lambda options: EnumGene(tuple(options))),
    JSON.map(ConstantGene),
    st.just(NullGene()),
    JSON.map(AnyGene),
    st.just(ReferenceGene(0, "/id", IntegerGene(1))),
)


def composites(inner: SearchStrategy[Gene]) -> SearchStrategy[Gene]:
    names = st.lists(st.text("abc", min_size=1, max_size=3), max_size=4, unique=True)
    return st.one_of(
        inner.map(OptionalGene),
        inner.map(NullableGene),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: ChoiceGene(tuple(options))),
        st.builds(lambda gene, seeds: SeededGene(gene, tuple(seeds)), inner, st.lists(JSON, max_size=3)),
        st.builds(lambda gene, least: ArrayGene(gene, (gene,) * least, least), inner, st.integers(0, 3)),
        st.builds(lambda gene, unique: ArrayGene(gene, unique=unique), inner, st.booleans()),
        inner.map(MapGene),
        names.flatmap(lambda keys: st.tuples(*[st.tuples(st.just(key), inner) for key in keys]).map(ObjectGene)),
    )


GENES: SearchStrategy[Gene] = st.recursive(LEAVES, composites, max_leaves=6)
SEEDS = st.integers(0, 2**32)


@given(GENES, SEEDS)
@settings(max_examples=300, deadline=None)
def test_same_seed_same_gene(gene: Gene, seed: int) -> None:
    first, second = gene.sampled(Random(seed)), gene.sampled(Random(seed))
    assert first == second and hash(first) == hash(second)
    assert first.mutated(Random(seed), 0.5) == second.mutated(Random(seed), 0.5)


@given(GENES, SEEDS)
@settings(max_examples=300, deadline=None)
def test_phenotypes_are_json_and_any_gene_of_a_sample_can_be_replaced(gene: Gene, seed: int) -> None:
    rng = Random(seed)
    sampled = gene.sampled(rng)
    value = sampled.phenotype()
    assert value is ABSENT or is_same_json(msgspec.json.decode(msgspec.json.encode(value)), value)
    for path, part in iter_genes(sampled):
        assert gene_at(sampled, path) is part
        assert replaced_at(sampled, path, part) == sampled


@given(GENES, SEEDS, st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=300, deadline=None)
def test_a_mutable_gene_changes_and_others_do_not(gene: Gene, seed: int, focus: float) -> None:
    rng = Random(seed)
    for _, part in iter_genes(gene.sampled(rng)):
        mutant = part.mutated(rng, focus)
        assert type(mutant) is type(part)
        if not part.is_mutable():
            assert mutant == part


@given(GENES, SEEDS)
@settings(max_examples=300, deadline=None)
def test_a_changed_child_leaves_the_others_shared(gene: Gene, seed: int) -> None:
    rng = Random(seed)
    sampled = gene.sampled(rng)
    children = sampled.children()
    for index, child in enumerate(children):
        changed = sampled.with_child(index, child.mutated(rng, 0.0))
        assert all(
            new is old for at, (new, old) in enumerate(zip(changed.children(), children, strict=True)) if at != index
        )
    with pytest.raises(IndexError):
        sampled.with_child(len(children), NullGene())


@given(GENES, JSON)
@settings(max_examples=300, deadline=None)
def test_a_value_that_was_set_is_the_phenotype(gene: Gene, value: Json) -> None:
    new = gene.with_value(value)
    if new is not None:
        assert is_same_json(new.phenotype(), value)


@given(GENES, SEEDS)
@settings(max_examples=300, deadline=None)
def test_a_gene_takes_the_phenotypes_of_its_own_samples(gene: Gene, seed: int) -> None:
    value = gene.sampled(Random(seed)).phenotype()
    new = gene.with_value(value)
    if value is not ABSENT:
        assert new is not None and is_same_json(new.phenotype(), value)


@pytest.mark.parametrize(
    ("gene", "others"),
    [
        (BooleanGene(), 1),
        (IntegerGene(3, 3, 4), 1),
        (IntegerGene(5, 0, 12, 5), 2),
        (NumberGene(0.5, 0, 1), 5),
        (StringGene("a"), 5),
        (StringGene("a", 1, 1), 5),
        (EnumGene(("a", "b", "c"), 1), 2),
        (OptionalGene(NullGene()), 1),
        (NullableGene(StringGene()), 1),
        (ChoiceGene((NullGene(), StringGene())), 1),
        (ArrayGene(NullGene(), (NullGene(),), 1, 2), 1),
        (MapGene(NullGene()), 1),
        (SeededGene(StringGene("x"), ("a", "b", 5)), 2),
        (AnyGene(None), 5),
    ],
)
def test_a_mutation_is_always_another_value(gene: Gene, others: int) -> None:
    assert gene.is_mutable()
    rng = Random(1)
    mutants = [gene.mutated(rng, 1.0) for _ in range(100)]
    assert gene not in mutants
    assert len(set(mutants)) >= others


@pytest.mark.parametrize(
    "gene",
    [
        ConstantGene([1]),
        NullGene(),
        ObjectGene(),
        EnumGene((1,)),
        IntegerGene(4, 4, 4),
        IntegerGene(5, 1, 9, 5),
        NumberGene(2.0, 2.0, 2.0),
        StringGene("", max_length=0),
        ArrayGene(NullGene(), (NullGene(),), 1, 1),
        ChoiceGene((StringGene(),)),
        SeededGene(StringGene("x"), ("x", 5)),
        ReferenceGene(0, "/id", StringGene()),
    ],
)
def test_what_has_one_value_is_not_mutable(gene: Gene) -> None:
    assert not gene.is_mutable()
    assert gene.mutated(Random(0), 0.0) == gene


def test_true_is_not_one() -> None:
    assert AnyGene(True) != AnyGene(1) and AnyGene([1]) == AnyGene([1.0]) and AnyGene(None) != NullGene()


class _Long(str):
    """A text that takes too long to be hashed."""

    def __hash__(self) -> int:
        raise AssertionError


def test_to_hash_a_gene_does_not_go_through_its_examples_and_options() -> None:
    """The search compares thousands of edits of genes that have hundreds of examples in common."""
    examples = (_Long("a"), _Long("b"))
    assert hash(SeededGene(StringGene(), examples)) == hash(SeededGene(StringGene(), examples))
    assert hash(EnumGene(examples)) != hash(EnumGene(examples, 1))
    assert len({EnumGene(examples), EnumGene(examples), EnumGene((_Long("a"), _Long("c")))}) == 2


def test_genes_with_lists_and_objects_inside_can_be_hashed() -> None:
    options: tuple[Any, ...] = ([1, {"a": [2]}], {"b": None})
    assert hash(EnumGene(options)) == hash(EnumGene(([1.0, {"a": [2]}], {"b": None})))
    assert len({ConstantGene([1]), ConstantGene([1]), AnyGene([1]), SeededGene(NullGene(), ([1],))}) == 3
