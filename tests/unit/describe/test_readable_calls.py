"""Variants of an accepted call: readable values where the genes allow them, and each input left out once."""

import msgspec
import pytest

from described_calls import body, header, operation, path_input, query
from wimble.describe.readability import is_readable, roughness, shortened
from wimble.describe.readable_calls import left_out_variants, rough_leaves, with_readable
from wimble.describe.readable_values import n_unusual_texts, readable_text
from wimble.genes import (
    AffixedGene,
    AnyGene,
    CarriedGene,
    EnumGene,
    IntegerGene,
    MapGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SignedTokenGene,
    StringGene,
)
from wimble.http.entrances import CREDENTIALS
from wimble.model.testcase import Call, TestCase
from wimble.types import ABSENT

FIELDS = (
    ("title", StringGene("k3j9x", min_length=1)),
    ("email", OptionalGene(StringGene("lw0io"))),
    ("isbn", StringGene("978-3", pattern="^978-")),
    ("kind", EnumGene(("paper", "audio"))),
    ("code", StringGene("BLACKFRIDAY")),
    ("pages", IntegerGene(90_125)),
    ("password", StringGene("zz9plural")),
    ("shop", ReferenceGene(0, "/id", StringGene("x"))),
    ("long", StringGene("qqqqqqqqqqqq", min_length=12)),
)


INPUTS = (path_input(), query("q"), body(ObjectGene(FIELDS), required=True))


def of_genes(*genes, inputs=INPUTS):
    one = operation("POST", "/books/{id}", *inputs)
    return TestCase((Call(one, genes),))


WHOLE = of_genes(StringGene("1"), OptionalGene(StringGene("f5")), ObjectGene(FIELDS))


def values(case):
    return [gene.phenotype() for gene in case.calls[-1].genes]


def test_free_texts_and_odd_numbers_become_readable():
    changed = with_readable(WHOLE, rough_leaves(WHOLE))
    assert values(changed) == [
        "1",
        "q",
        {
            "title": "A title", "email": "ada@example.com", "isbn": "978-3", "kind": "paper", "code": "BLACKFRIDAY",
            "pages": 1, "password": "zz9plural", "shop": "x", "long": "qqqqqqqqqqqq",
        },
    ]  # fmt: skip


def test_each_input_is_left_out_once():
    variants = [values(case) for case in left_out_variants(WHOLE)]
    whole = values(WHOLE)
    assert [one for one in variants if one[1] is ABSENT] == [[whole[0], ABSENT, whole[2]]]
    assert [one for one in variants if one[2] is ABSENT] == [[whole[0], whole[1], ABSENT]]
    missing = [set(whole[2]) - set(one[2]) for one in variants if one[2] is not ABSENT and one[2] != whole[2]]
    assert missing == [{name} for name, _ in FIELDS]
    assert all(one[0] == "1" for one in variants)


def test_claims_of_tokens_stay_as_they_are():
    claims = ObjectGene((("sub", IntegerGene(90_125)), ("role", StringGene("k3j9x"))))
    carried = CarriedGene((("header Authorization", AffixedGene("Bearer ", SignedTokenGene("0" * 16, claims))),))
    entered = msgspec.structs.replace(operation("GET", "/me"), inputs=(CREDENTIALS,))
    case = TestCase((Call(entered, (carried,)),))
    assert rough_leaves(case) == []
    left_out = list(left_out_variants(case))
    assert len(left_out) == 1
    assert values(left_out[0]) == [ABSENT]


@pytest.mark.parametrize(
    "gene", [AnyGene({"a": 1, "b": {"c": 2}}), MapGene(AnyGene(), (("a", AnyGene(1)), ("b", AnyGene({"c": 2}))))]
)
def test_keys_of_free_objects_are_left_out(gene):
    case = of_genes(gene, inputs=(body(gene),))
    variants = [one for (one,) in map(values, left_out_variants(case)) if one is not ABSENT]
    assert {"b": {"c": 2}} in variants
    assert {"a": 1} in variants


def test_headers_that_hold_secrets_stay():
    case = of_genes(StringGene("k3j9x"), inputs=(header("X-API-Key"),))
    assert rough_leaves(case) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [("contactEmail", "ada@example.com"), ("first_name", "Ada"), ("shelfLabel", "shelf label"), ("", "example")],
)
def test_texts_for_names(name, text):
    assert readable_text(name) == text


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Dune", "k3j9x"),
        ("The Lighthouse Clock", "\x00\x1b"),
        (3, 3_000_000),
        (["a"], []),
        ({"title": "Dune"}, {"title": "Dune", "pages": 1}),
        ("2026-01-31", "20z6-0a1-31"),
        ("dune", "dune" * 40),
        ("dune", "дюна"),
    ],
)
def test_a_call_that_reads_better_is_less_rough(better, worse):
    assert roughness(better) < roughness(worse)


def test_examples_are_shortened_but_keep_their_members():
    value = {"items": [{"text": "x" * 400}, 2, 3], **{f"m{n}": n for n in range(60)}}
    short = shortened(value)
    assert short["items"] == [{"text": "x" * 200 + "..."}, 2]
    assert short.keys() == value.keys()
    assert is_readable(short)
    assert not is_readable({f"m{n}": n for n in range(500)})


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("user", "ada", 0), ("user", "xbyoc", 1), ("tags", ["tag", "tags", "vgrmo"], 1), ("password", "xbyoc", 0),
        ("", {"title": "A title", "pages": 7, "inner": {"note": "vgrmo"}}, 1),
    ],
)  # fmt: skip
def test_unusual_texts_are_those_that_nobody_would_write_under_the_name(name, value, number):
    assert n_unusual_texts(value, name) == number
