"""What sampled and mutated values look like, per kind of gene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wimble.genes import (
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    EnumGene,
    Gene,
    IntegerGene,
    MapGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    StringGene,
    contains_gene,
    probabilities,
)
from wimble.genes.numbers import is_multiple
from wimble.genes.string_formats import FORMATS
from wimble.genes.taint_markers import taint_marker
from wimble.solve.patterns.regex import matches
from wimble.types import ABSENT, Json


@pytest.fixture
def no_odd_values(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(probabilities, "VIOLATION_PROBABILITY", 0.0)
    return iter(())


def walk(gene: Gene, seed: int, n_steps: int = 40) -> Iterator[Json]:
    """Phenotypes of samples, and of mutants of mutants."""
    rng = Random(seed)
    for _ in range(n_steps):
        yield gene.sampled(rng).phenotype()
    current = gene.sampled(rng)
    for step in range(n_steps):
        current = current.mutated(rng, step / n_steps)
        yield current.phenotype()


@given(st.integers(-(10**12), 10**12), st.integers(0, 10**12), st.integers(1, 50), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_integers_keep_their_limits(low: int, span: int, unit: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probabilities, "VIOLATION_PROBABILITY", 0.0)
        for value in walk(IntegerGene(low, low, low + span), seed):
            assert low <= value <= low + span
        for value in walk(IntegerGene(low, low, low + span + unit, unit), seed):
            assert low <= value <= low + span + unit and value % unit == 0
        for value in walk(IntegerGene(low, low), seed):
            assert value >= low
        for value in walk(IntegerGene(low, None, low), seed):
            assert value <= low


@given(st.floats(-1e9, 1e9), st.floats(0.01, 1e9), st.sampled_from([None, 0.01, 0.1, 0.5]), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_numbers_keep_their_limits(low: float, span: float, unit: float | None, seed: int) -> None:
    high = low + span + (unit or 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probabilities, "VIOLATION_PROBABILITY", 0.0)
        for value in walk(NumberGene(low, low, high, multiple_of=unit), seed):
            assert low <= value <= high
            assert unit is None or is_multiple(value, unit)
        for value in walk(NumberGene(low, exclusive_minimum=low), seed):
            assert value > low


@pytest.mark.usefixtures("no_odd_values")
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_formats_are_kept(name: str) -> None:
    gene = StringGene(format=name)
    rng = Random(4)
    values = [gene.sampled(rng).value for _ in range(200)]
    assert all(map(FORMATS[name].is_valid, values))
    assert len(set(values)) > 150
    mutants = [gene.sampled(rng).mutated(rng, 0.5) for _ in range(200)]
    assert sum(mutant.is_valid() for mutant in mutants) >= 170


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("date", "2024-02-30"), ("time", "25:00:00Z"), ("date-time", "2024-01-01"), ("uuid", "abc"), ("email", "a.b"),
        ("uri", "no uri"), ("hostname", "-x"), ("ipv4", "1.2.3.256"), ("ipv6", "1::2::3"), ("byte", "abc"),
    ],
)  # fmt: skip
def test_formats_tell_what_is_none(name: str, text: str) -> None:
    assert not FORMATS[name].is_valid(text)
    assert not StringGene(text, format=name).is_valid()


@pytest.mark.usefixtures("no_odd_values")
def test_patterns_and_lengths_are_kept_together() -> None:
    rng = Random(2)
    gene = StringGene(pattern="[a-z]+", min_length=12, max_length=14)
    for _ in range(100):
        value = gene.sampled(rng).value
        assert 12 <= len(value) <= 14 and matches("[a-z]+", "", value)


@pytest.mark.usefixtures("no_odd_values")
def test_a_pattern_without_solution_gives_plain_strings() -> None:
    assert StringGene(pattern="x(?!x)(?=x)").sampled(Random(1)).value != ""


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_plain_strings_keep_their_lengths(least: int, more: int, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probabilities, "VIOLATION_PROBABILITY", 0.0)
        gene = StringGene("x" * least, least, least + more)
        for value in walk(gene, seed):
            assert least <= len(value) <= least + more


def test_odd_values_come_in_the_documented_share() -> None:
    rng = Random(7)
    genes = (IntegerGene(5, 1, 9), NumberGene(5, 1, 9), StringGene("abcd", 3, 9), StringGene(format="uuid"))
    for gene in genes:
        values = [gene.sampled(rng).phenotype() for _ in range(3000)]
        n_odd = sum(not _is_valid(gene, value) for value in values)
        assert 0.5 * probabilities.VIOLATION_PROBABILITY < n_odd / 3000 < 2 * probabilities.VIOLATION_PROBABILITY


def _is_valid(gene: Gene, value: Json) -> bool:
    if isinstance(gene, StringGene):
        return gene.with_text(value).is_valid()
    return 1 <= float(value) <= 9


def test_plain_strings_and_wide_numbers_are_recognisable() -> None:
    rng = Random(5)
    words = [StringGene().sampled(rng).value.lower() for _ in range(1000)]
    assert sum(count == 1 for count in Counter(words).values()) > 750
    wide = [IntegerGene(0, 0).sampled(rng).value for _ in range(1000)]
    assert sum(count == 1 for count in Counter(wide).values()) > 500
    assert {0, 1} <= set(wide)


@given(st.integers(0, 30), st.integers(0, 2**32))
def test_marks_are_letters_and_digits_of_the_length_asked_for(length: int, seed: int) -> None:
    text = taint_marker(Random(seed), length)
    assert len(text) == length
    assert text == "" or (text.isalnum() and text.isascii() and text[0].isalpha() and text == text.lower())


def test_numbers_step_by_powers_of_two_that_shrink_with_focus() -> None:
    rng = Random(1)
    for focus, largest in ((0.0, 31), (1.0, 10)):
        steps = {abs(IntegerGene(0).mutated(rng, focus).value) for _ in range(2000)}
        assert {step for step in steps if step > 9} == {2**k for k in range(4, largest + 1)}


def test_numbers_become_others_of_the_same_size() -> None:
    """No small step leads from 27 to a number with eleven steps to 1, say, and a large one leaves what is allowed."""
    rng = Random(1)
    genes = (IntegerGene(27), IntegerGene(27, 0, 99), NumberGene(27), StringGene("27", specialisation="integer"))
    for gene in genes:
        values = {str(gene.mutated(rng, 0.5).phenotype()) for _ in range(8000)}
        assert sum(str(value) in values for value in range(100)) > 95


def test_numbers_set_beyond_their_limits_may_stay_there() -> None:
    gene = IntegerGene(5, 0, 10).with_value(5000)
    assert gene is not None and gene.phenotype() == 5000 and gene.is_mutable()
    rng = Random(1)
    values = {gene.mutated(rng, 1.0).value for _ in range(100)}
    assert any(0 <= value <= 10 for value in values) and any(4000 < value < 6000 and value != 5000 for value in values)


@pytest.mark.parametrize(
    ("gene", "value"),
    [
        (IntegerGene(), True), (IntegerGene(), 1.5), (IntegerGene(), "1"), (NumberGene(), float("inf")),
        (NumberGene(), False), (BooleanGene(), 1), (StringGene(), 5), (EnumGene(("a",)), 5), (ArrayGene(StringGene()), [1]),
        (ArrayGene(StringGene()), "x"), (ObjectGene((("a", StringGene()),)), {}), (ObjectGene(), {"b": 1}),
        (MapGene(StringGene()), {"a": 1}), (StringGene(), None), (StringGene(), ABSENT),
    ],
)  # fmt: skip
def test_a_gene_refuses_values_of_another_type(gene: Gene, value: Json) -> None:
    assert gene.with_value(value) is None


def test_an_enum_holds_an_odd_value_of_its_type_until_it_is_mutated() -> None:
    odd = EnumGene(("red", "green")).with_value("blue")
    assert odd is not None and odd.phenotype() == "blue"
    assert odd.mutated(Random(0), 0.0).phenotype() in ("red", "green")


def test_absent_fields_vanish_and_setting_an_object_sets_presence() -> None:
    gene = ObjectGene((("a", StringGene("x")), ("b", OptionalGene(IntegerGene(3), False))))
    assert gene.phenotype() == {"a": "x"}
    full = gene.with_value({"a": "y", "b": 4})
    assert full is not None and full.phenotype() == {"a": "y", "b": 4}
    bare = full.with_value({"a": "z"})
    assert bare is not None and bare.phenotype() == {"a": "z"}


def test_arrays_keep_sizes_and_uniqueness() -> None:
    gene = ArrayGene(EnumGene(("a", "b", "c")), min_items=1, max_items=3, unique=True)
    for seed in range(5):
        for value in walk(gene, seed):
            assert 1 <= len(value) <= 3 and len(set(value)) == len(value)
    assert len(gene.resized(9, Random(0)).items) == 3


def test_maps_keep_sizes_and_have_distinct_keys() -> None:
    gene = MapGene(IntegerGene(), min_entries=1, max_entries=2)
    for value in walk(gene, 3):
        assert 1 <= len(value) <= 2


def test_choices_take_a_value_with_the_shape_that_can_hold_it() -> None:
    gene = ChoiceGene((IntegerGene(1), StringGene("x")))
    new = gene.with_value("hello")
    assert new is not None and new.index == 1 and new.phenotype() == "hello"


def test_seeds_are_taken_with_the_documented_probability_and_bad_ones_never() -> None:
    rng = Random(1)
    gene = SeededGene(IntegerGene(), (77, "not an integer"))
    values = [gene.sampled(rng).phenotype() for _ in range(2000)]
    assert abs(values.count(77) / 2000 - probabilities.SEED_PROBABILITY / 2) < 0.05
    assert all(isinstance(value, int) for value in values)


def test_a_reference_asks_the_resolver_and_else_falls_back() -> None:
    gene = ReferenceGene(0, "/id", IntegerGene(9))
    assert gene.phenotype(lambda call, pointer: 42 if (call, pointer) == (0, "/id") else ABSENT) == 42
    assert gene.phenotype(lambda call, pointer: ABSENT) == gene.phenotype() == 9
    assert gene.children() == ()
    assert gene.with_value(5) == IntegerGene(5)
    nested = ObjectGene((("id", gene),))
    assert nested.phenotype(lambda call, pointer: 1) == {"id": 1}


def test_a_limit_of_billions_is_not_exceeded() -> None:
    unlimited = StringGene(max_length=2**32 - 1)
    rng = Random(1)
    assert max(len(unlimited.sampled(rng).value) for _ in range(2000)) <= probabilities.MAX_BROKEN_LENGTH
    short = StringGene(max_length=200)
    assert any(len(short.sampled(rng).value) == 201 for _ in range(2000))


def test_pieces_of_texts_come_once_more() -> None:
    rng = Random(1)
    for text, wanted in (("(a)", "((a)a)"), ("a;b;", "a;b;b;"), ("xy", "xxy")):
        assert wanted in {StringGene(text).mutated(rng, 0.5).value for _ in range(3000)}


def test_texts_become_anagrams_and_palindromes():
    rng = Random(1)
    texts = {StringGene("eilnst").mutated(rng, 1.0).value for _ in range(400)}
    assert any(text != "eilnst" and sorted(text) == sorted("eilnst") for text in texts)
    assert any(len(text) == 12 and text == text[::-1] for text in texts)


def test_a_value_contains_the_genes_of_its_parts_but_none_that_are_left_out():
    reference = ReferenceGene(0, "/id", StringGene("x"))
    inside = ObjectGene((("author", reference),))
    assert contains_gene(ReferenceGene, StringGene("y"), inside)
    assert not contains_gene(ReferenceGene, ObjectGene((("author", OptionalGene(reference, is_present=False)),)))
