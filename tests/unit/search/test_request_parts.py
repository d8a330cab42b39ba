"""Which parts of a declared request a call sends, and which it opens."""

from fake_sut import operation

from wimble.genes import (
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    EnumGene,
    IntegerGene,
    NullableGene,
    ObjectGene,
    OptionalGene,
    StringGene,
)
from wimble.model.parts import MAX_PARTS
from wimble.model.testcase import Call
from wimble.search.targets.request_parts import MAX_DEPTH, RequestParts


def parts(body, **parameters):
    posted = operation("POST", "/books", body=body, **parameters)
    found = RequestParts().of(Call(posted, tuple(given.template for given in posted.inputs)))
    return {name for name, is_sent in found.items() if is_sent}, {
        name for name, is_sent in found.items() if not is_sent
    }


def test_optional_inputs_are_sent_and_left_out():
    assert parts(None, limit=OptionalGene(IntegerGene(), False)) == ({"query.limit left out"}, {"query.limit sent"})
    body = ObjectGene((("note", OptionalGene(StringGene(), True)),))
    assert parts(body) == ({"body.note sent"}, {"body.note left out"})


def test_values_null_and_alternatives():
    body = ObjectGene((
        ("kind", EnumGene(("a", "b"), 1)),
        ("gift", BooleanGene(True)),
        ("until", NullableGene(IntegerGene(), True)),
        ("payment", ChoiceGene((StringGene(), ObjectGene((("iban", StringGene()),))), 1)),
    ))  # fmt: skip
    assert parts(body) == (
        {"body.kind 'b'", "body.gift true", "body.until null", "body.payment alternative 1"},
        {"body.kind 'a'", "body.gift false", "body.until not null", "body.payment alternative 0"},
    )


def test_an_odd_value_is_none_of_those_declared():
    assert parts(None, kind=EnumGene(("a", "b"), 1, "c")) == (set(), {"query.kind 'a'", "query.kind 'b'"})


def test_lists_and_what_is_in_them():
    lines = ArrayGene(BooleanGene(), (BooleanGene(False), BooleanGene(True)))
    assert parts(lines) == ({"body filled", "body[] true", "body[] false"}, {"body empty"})
    assert parts(ArrayGene(BooleanGene(), (), min_items=1)) == (set(), {"body filled"})


def test_bodies_in_bodies_and_wide_ones_come_to_an_end():
    deep = BooleanGene()
    for _ in range(2 * MAX_DEPTH):
        deep = ObjectGene((("below", deep), ("gift", BooleanGene())))
    assert len(set().union(*parts(deep))) == 2 * MAX_DEPTH
    wide = ObjectGene(tuple((f"p{number}", BooleanGene()) for number in range(MAX_PARTS)))
    assert len(set().union(*parts(wide))) == MAX_PARTS
