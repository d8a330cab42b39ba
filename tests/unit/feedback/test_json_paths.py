"""Values put at a path of a document, and taken away there."""

import pytest

from wimble.feedback.input_to_state.json_paths import value_at, with_value_at
from wimble.genes import AnyGene, ArrayGene, IntegerGene, MapGene, ObjectGene, OptionalGene, StringGene
from wimble.types import ABSENT

BODY = ObjectGene(
    (
        ("kind", StringGene("x")),
        ("to", OptionalGene(ObjectGene((("zip", StringGene("1")),)), True)),
        ("tags", ArrayGene(StringGene("t"), (StringGene("a"), StringGene("b")))),
        ("left", OptionalGene(ObjectGene((("zip", StringGene("1")),)), False)),
    )
)


@pytest.mark.parametrize(
    ("path", "value", "changed"),
    [
        ("kind", "y", {"kind": "y"}),
        ("to.zip", "2", {"to": {"zip": "2"}}),
        ("to.more.deep", 5, {"to": {"zip": "1", "more": {"deep": 5}}}),
        ("tags.1", "z", {"tags": ["a", "z"]}),
        ("tags.2", "z", {"tags": ["a", "b", "z"]}),
        ("left.zip", "7", {"left": {"zip": "7"}}),
        ("kind.inner", 1, {"kind": {"inner": 1}}),
        ("lines.0.sku", 1, {"lines": [{"sku": 1}]}),
    ],
)
def test_a_value_is_put_at_its_path(path, value, changed):
    new = with_value_at(BODY, tuple(path.split(".")), value)
    assert new is not None
    assert new.phenotype() == {**BODY.phenotype(), **changed}


def test_genes_beside_the_path_stay():
    new = with_value_at(BODY, ("to", "zip"), "2")
    assert isinstance(new, ObjectGene)
    assert new.fields[2:] == BODY.fields[2:]
    assert isinstance(new.fields[1][1], OptionalGene)


@pytest.mark.parametrize("path", ["kind", "to.zip", "tags.1", "to"])
def test_what_is_there_is_taken_away(path):
    names = tuple(path.split("."))
    for gene in (BODY, AnyGene(BODY.phenotype())):
        new = with_value_at(gene, names, ABSENT)
        assert new is not None
        gone = value_at(new.phenotype(), names)
        assert gone is ABSENT
        assert with_value_at(new, names, ABSENT) is None


def test_free_keys_come_and_go():
    free = MapGene(AnyGene(None), (("a", AnyGene({"b": [1]})), ("n", IntegerGene(1))))
    assert with_value_at(free, ("x", "y"), 1).phenotype() == {"a": {"b": [1]}, "n": 1, "x": {"y": 1}}
    assert with_value_at(free, ("a", "b"), ABSENT).phenotype() == {"a": {}, "n": 1}
    assert with_value_at(free, ("a",), ABSENT).phenotype() == {"n": 1}
    assert with_value_at(free, ("missing",), ABSENT) is None
