"""Schemas -> genes, and -> the JSON schemas that responses are compared with."""

from random import Random

import jsonschema_rs
import pytest

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    ConstantGene,
    EnumGene,
    IntegerGene,
    MapGene,
    NullableGene,
    NullGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    SeededGene,
    StringGene,
)  # fmt: skip
from wimble.http.binding import binding_of
from wimble.spec.loading.document import Document, Warnings
from wimble.spec.schemas.normalise import SchemaNormaliser
from wimble.spec.schemas.schema_genes import GeneBuilder


def gene_of(schema, version="3.1", **root):
    normaliser = SchemaNormaliser(Document(root, version, Warnings()), "request")
    return GeneBuilder(normaliser).build(normaliser.normalise(schema, "#"))


def response_schema(schema, version="3.0", **root):
    warnings = Warnings()
    normaliser = SchemaNormaliser(Document(root, version, warnings), "response")
    return normaliser.self_contained(normaliser.normalise(schema, "#"))


@pytest.mark.parametrize(
    ("schema", "gene"),
    [
        (True, AnyGene()),
        ({}, AnyGene()),
        ({"type": "boolean"}, BooleanGene()),
        ({"type": "null"}, NullGene()),
        ({"const": {"a": 1}}, ConstantGene({"a": 1})),
        ({"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^a", "format": "uuid"}, StringGene("", 2, 5, "^a", "uuid")),
        ({"type": "string", "pattern": "/^a$/"}, StringGene(pattern="^a$")),
        ({"enum": ["a", 1, None]}, EnumGene(("a", 1, None))),
        ({"type": "string", "enum": ["a", 1]}, EnumGene(("a",))),
        ({"type": "string", "enum": [1, 2.5, True]}, EnumGene(("1", "2.5", "true"))),
        ({"type": "integer", "enum": ["1", "x", "2.0"]}, EnumGene((1, 2))),
        ({"type": "boolean", "enum": ["True", "false"]}, EnumGene((True, False))),
        ({"type": "integer", "enum": ["x"]}, EnumGene(("x",))),
        ({"type": "integer", "enum": [1.5]}, EnumGene((1.5,))),
        ({"type": "integer", "minimum": 3, "maximum": 9}, IntegerGene(3, 3, 9)),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True, "multipleOf": 5}, IntegerGene(5, 1, None, 5)),
        ({"type": "integer", "exclusiveMinimum": 2.5, "exclusiveMaximum": 8}, IntegerGene(3, 3, 7)),
        ({"type": "integer", "format": "int32"}, IntegerGene(0, -(2**31), 2**31 - 1)),
        ({"type": "integer", "maximum": -4}, IntegerGene(-4, None, -4)),
        ({"type": "number", "minimum": 1, "exclusiveMaximum": 2}, NumberGene(1, 1, None, None, 2)),
        ({"type": ["integer", "null"]}, NullableGene(IntegerGene())),
        ({"type": ["integer", "string"]}, ChoiceGene((IntegerGene(), StringGene()))),
        ({"type": "string", "nullable": True}, NullableGene(StringGene())),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, NullableGene(StringGene())),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ChoiceGene((StringGene(), IntegerGene()))),
        ({"type": "string", "oneOf": [{"minLength": 1}, {"type": "integer"}]}, StringGene(min_length=1)),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
         ArrayGene(IntegerGene(), (), 1, 2, True)),
        ({"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1}, MapGene(IntegerGene(), (), 1, None)),
        ({"type": "object", "additionalProperties": False}, ObjectGene()),
        ({"type": "string", "default": "x", "example": "y", "examples": ["x", "z"]}, SeededGene(StringGene(), ("x", "y", "z"))),
        ({"type": "string", "description": "such as 12:30"}, SeededGene(StringGene(), ("12:30",))),
        ({"type": "int"}, IntegerGene()),
        ({"type": "String"}, StringGene()),
        # types that follow from other keywords
        ({"minLength": 2}, StringGene(min_length=2)),
        ({"format": "date"}, StringGene(format="date")),
        ({"maximum": 2}, NumberGene(0.0, None, 2)),
        ({"items": {"type": "boolean"}}, ArrayGene(BooleanGene())),
        ({"properties": {"a": {"type": "boolean"}}}, ObjectGene((("a", OptionalGene(BooleanGene())),))),
        ({"required": ["a"]}, ObjectGene((("a", AnyGene()),))),
    ],
)  # fmt: skip
def test_a_schema_becomes_a_gene(schema, gene):
    assert gene_of(schema) == gene


def test_all_of_is_merged():
    schema = {
        "required": ["b"],
        "properties": {"a": {"type": "integer", "minimum": 1}},
        "allOf": [
            {"type": "object", "properties": {"a": {"minimum": 3, "maximum": 9}, "b": {"enum": ["x", "y", "z"]}}},
            {"required": ["a"], "properties": {"a": {"maximum": 7}, "b": {"enum": ["z", "y"]}}},
        ],
    }
    assert dict(gene_of(schema).fields) == {"a": IntegerGene(3, 3, 7), "b": EnumGene(("y", "z"))}


def test_choices_share_what_stands_beside_them():
    schema = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "integer"}},
        "oneOf": [{"required": ["x"], "properties": {"x": {"type": "string"}}}, {"required": ["y"]}],
    }
    left, right = gene_of(schema).options
    assert dict(left.fields) == {"id": IntegerGene(), "x": StringGene()}
    assert dict(right.fields) == {"id": IntegerGene(), "y": AnyGene()}


def test_discriminators_get_the_value_of_their_choice(specification):
    cat, dog = specification("polymorphism-3.0.yaml").operations[0].inputs[0].template.options
    assert dict(cat.fields)["kind"] == ConstantGene("feline")
    assert dict(dog.fields)["kind"] == ConstantGene("Dog")
    assert dict(cat.fields)["name"] == StringGene(min_length=3, max_length=20)


def test_siblings_of_references_count_in_3_1_only():
    schemas = {"schemas": {"A": {"type": "string", "maxLength": 9}}}
    schema = {"$ref": "#/components/schemas/A", "minLength": 2}
    assert gene_of(schema, "3.1", components=schemas) == StringGene(min_length=2, max_length=9)
    assert gene_of(schema, "3.0", components=schemas) == StringGene(max_length=9)
    assert gene_of(schema | {"nullable": True}, "3.0", components=schemas) == NullableGene(StringGene(max_length=9))


def test_anchors_and_dynamic_references():
    schemas = {"schemas": {"A": {"$anchor": "a", "type": "boolean"}, "B": {"$id": "https://x/b", "type": "integer"}}}
    assert gene_of({"$ref": "#a"}, components=schemas) == BooleanGene()
    assert gene_of({"$ref": "https://x/b"}, components=schemas) == IntegerGene()
    assert gene_of({"$dynamicRef": "#a"}, components=schemas) == BooleanGene()


def validates(schema, value):
    return jsonschema_rs.Draft202012Validator(schema, offline=True).is_valid(value)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "string", "nullable": True}, [None, "a"], [1]),
        ({"type": "string", "nullable": True, "enum": ["a"]}, [None, "a"], ["b"]),
        ({"nullable": True, "allOf": [{"type": "integer"}]}, [None, 1], ["b"]),
        ({"type": "number", "minimum": 1, "exclusiveMinimum": True}, [1.1], [1]),
        ({"type": "number", "exclusiveMinimum": 1}, [1.1], [1]),
        ({"type": "file"}, [1, "a", None], []),
        ({"type": "object", "required": ["a", "b"], "properties": {"a": {"writeOnly": True}, "b": {}}}, [{"b": 1}], [{"a": 1}]),
        ({"type": "object", "required": ["a"], "properties": {"a": {"readOnly": True}}}, [{"a": 1}], [{}]),
        ({"type": "string", "format": "date-time"}, ["not a date"], [1]),
        ({"items": [{"type": "integer"}], "additionalItems": False}, [[1]], [["a"], [1, 2]]),
        ({"type": "array", "items": {"type": "integer"}, "x-odd": 1, "discriminator": {"propertyName": "a"}, "xml": {}}, [[1]], [["a"]]),
        ({"type": "frob"}, [1, "a"], []),
        ({"minLength": "2"}, ["ab"], ["a"]),
    ],
)  # fmt: skip
def test_response_schemas_mean_what_the_document_means(schema, good, bad):
    converted = response_schema(schema)
    assert all(validates(converted, value) for value in good)
    assert not any(validates(converted, value) for value in bad)


def test_response_schemas_carry_only_the_definitions_they_need():
    schemas = {
        "A": {"properties": {"b": {"$ref": "#/components/schemas/B"}, "default": {"$ref": "#/components/schemas/C"}}},
        "B": {"properties": {"a": {"$ref": "#/components/schemas/A"}, "v": {"type": "integer"}}},
        "C": {"type": "boolean"},
        "D": {"type": "string"},
    }
    converted = response_schema({"$ref": "#/components/schemas/A"}, components={"schemas": schemas})
    assert sorted(converted["$defs"]) == ["A", "B", "C"]
    assert validates(converted, {"b": {"a": {"default": True}, "v": 1}})
    assert not validates(converted, {"b": {"a": {"b": {"v": "1"}}}})
    assert not validates(converted, {"default": 3})


def test_definitions_of_one_name_stay_apart():
    root = {"components": {"schemas": {"A b": {"type": "integer"}, "A_b": {"type": "string"}}}}
    schema = {"properties": {"x": {"$ref": "#/components/schemas/A b"}, "y": {"$ref": "#/components/schemas/A_b"}}}
    converted = response_schema(schema, **root)
    assert validates(converted, {"x": 1, "y": "a"})
    assert not validates(converted, {"x": "a"})
    assert not validates(converted, {"y": 1})


def test_responses_of_a_document(specification):
    get = specification("shop-3.0.yaml").operations[0]
    ok, wrong = binding_of(get).responses
    assert (ok.status, wrong.status) == ("200", "4XX")
    assert [name for name, _ in ok.content] == ["application/json", "text/csv"]
    article = ok.content[0][1]
    assert ok.content[1][1] is None
    assert wrong.content[0][0] == "application/problem+json"
    assert validates(article, {"id": 1, "name": "n", "price": 0.5, "color": None, "maker": None})
    assert not validates(article, {"name": "n", "price": 0.5})
    assert not validates(article, {"id": 1, "name": "n", "price": 0})


def n_genes(value):
    """All genes below, those of choices not taken included."""
    if isinstance(value, tuple):
        return sum(n_genes(child) for child in value)
    fields = getattr(value, "__struct_fields__", None)
    return 0 if fields is None else 1 + sum(n_genes(getattr(value, name)) for name in fields)


def test_recursive_schemas_make_bounded_trees(specification):
    for op in specification("cycles-3.0.yaml").operations:
        for one in op.inputs:
            assert 1 <= n_genes(one.template) <= 800, op.id


def test_required_fans_without_end_are_bounded():
    names = [f"S{n}" for n in range(10)]
    schemas = {
        name: {"type": "object", "required": names, "properties": {other: {"$ref": f"#/components/schemas/{other}"} for other in names}}
        for name in names
    }  # fmt: skip
    assert n_genes(gene_of({"$ref": "#/components/schemas/S0"}, components={"schemas": schemas})) < 3_000


def test_shallow_recursion_is_kept():
    schemas = {
        "N": {"type": "object", "properties": {"v": {"type": "integer"}, "n": {"$ref": "#/components/schemas/N"}}}
    }
    gene = gene_of({"$ref": "#/components/schemas/N"}, components={"schemas": schemas})
    inner = dict(gene.fields)["n"].gene
    assert dict(inner.fields)["v"] == OptionalGene(IntegerGene())


def test_examples_that_do_not_fit_as_a_whole_seed_what_they_name():
    schema = {
        "type": "object",
        "required": ["a", "b"],
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "integer"},
            "c": {"type": "string"},
            "id": {"readOnly": True},
        },
    }
    complete = gene_of(schema | {"example": {"id": 1, "a": "x", "b": 2}})
    assert complete.seeds == ({"a": "x", "b": 2},)
    partial = dict(gene_of(schema | {"example": {"a": "x", "c": "y"}}).fields)
    assert partial == {
        "a": SeededGene(StringGene(), ("x",)),
        "b": IntegerGene(),
        "c": OptionalGene(SeededGene(StringGene(), ("y",))),
    }


def test_a_text_that_may_also_be_empty_is_seldom_empty():
    """As Joi (`allow('')`) and zod (`.or(z.literal(''))`) say it, with a default that means the same."""
    gene = gene_of({"anyOf": [{"type": "string", "minLength": 1}, {"enum": [""]}], "default": ""})
    values = [gene.sampled(Random(number)).phenotype() for number in range(200)]
    assert 5 <= values.count("") <= 40
    kept = gene_of({"anyOf": [{"type": "string"}, {"type": "integer"}], "default": "x"})
    assert kept == SeededGene(ChoiceGene((StringGene(), IntegerGene())), ("x",))
