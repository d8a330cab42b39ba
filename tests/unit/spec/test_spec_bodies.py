"""Media types of one operation, and the bytes that they become."""

import email
import json
from random import Random
from xml.etree import ElementTree

import pytest

from wimble.genes import ChoiceGene
from wimble.http.binding import binding_of
from wimble.http.request_building import build_request
from wimble.model.testcase import Call
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.types import ABSENT

PET = {
    "type": "object",
    "required": ["id", "name", "tags", "owner"],
    "xml": {"name": "pet", "namespace": "http://example.com/pet"},
    "properties": {
        "id": {"type": "integer", "xml": {"attribute": True}},
        "name": {"type": "string", "xml": {"name": "Name"}},
        "tags": {"type": "array", "minItems": 2, "items": {"type": "string", "xml": {"name": "tag"}}, "xml": {"wrapped": True}},
        "owner": {"type": "object", "required": ["a b"], "properties": {"a b": {"type": "boolean"}}},
    },
}  # fmt: skip
VALUE = {"id": 7, "name": "<a&b>", "tags": ["x", "y"], "owner": {"a b": True}}


def loaded(content, version="3.0.3", **more):
    operation = {"requestBody": {"required": True, "content": content}, "responses": {}}
    return load_openapi({"openapi": version, "paths": {"/x": {"post": operation}}} | more, "x").operations[0]


def sent(operation, value, index=0):
    """(headers, body) of a call with `value` in the media type at `index`."""
    gene = operation.inputs[0].template
    if isinstance(gene, ChoiceGene):
        option = gene.options[index].with_value(value)
        assert option is not None
        gene = ChoiceGene((*gene.options[:index], option, *gene.options[index + 1 :]), index)
    else:
        gene = gene.with_value(value)
    request = build_request(Call(operation, (gene,)))
    return dict(request.headers), request.body


def test_xml_has_the_names_attributes_and_wrappers_of_the_schema():
    headers, body = sent(loaded({"application/xml": {"schema": PET}}), VALUE)
    assert headers["Content-Type"] == "application/xml"
    assert body.decode() == (
        '<?xml version="1.0" encoding="UTF-8"?><pet xmlns="http://example.com/pet" id="7">'
        "<Name>&lt;a&amp;b&gt;</Name><tags><tag>x</tag><tag>y</tag></tags><owner><a_b>true</a_b></owner></pet>"
    )


def test_the_root_of_xml_is_named_by_its_component():
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}
    operation = loaded(
        {"application/xml": {"schema": {"$ref": "#/components/schemas/Thing"}}},
        components={"schemas": {"Thing": schema}},
    )
    assert sent(operation, {"a": [1, 2]})[1].endswith(b"<Thing><a>1</a><a>2</a></Thing>")


def test_a_prefix_stands_before_the_property_s_own_name():
    note = {"type": "string", "xml": {"prefix": "n", "namespace": "http://n"}}
    schema = {"type": "object", "required": ["note"], "properties": {"note": note}, "xml": {"name": "r"}}
    operation = loaded({"application/xml": {"schema": schema}})
    assert sent(operation, {"note": "x"})[1].endswith(b'<r><n:note xmlns:n="http://n">x</n:note></r>')


def test_xml_is_well_formed_whatever_the_value():
    operation = loaded({"application/xml": {"schema": PET}, "text/xml": {"schema": {"type": "object"}}})
    rng = Random(3)
    for _ in range(200):
        gene = operation.inputs[0].template.sampled(rng)
        ElementTree.fromstring(build_request(Call(operation, (gene,))).body)
    odd = {"1 a:b\x00": "\x01\ud800]]>", "": None, "l": [[1], {"x": []}]}
    ElementTree.fromstring(sent(operation, odd, index=1)[1])


def multipart(headers, body):
    message = email.message_from_bytes(b"Content-Type: " + headers["Content-Type"].encode() + b"\r\n\r\n" + body)
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get("Content-Type"),
            part.get_payload(),
        )
        for part in message.get_payload()
    ]


def test_multipart_parts_are_files_json_and_text():
    schema = {
        "type": "object",
        "required": ["photo", "meta", "title", "many", "ids"],
        "properties": {
            "photo": {"type": "string", "format": "binary"},
            "meta": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
            "title": {"type": "string"},
            "many": {"type": "array", "items": {"type": "string", "format": "binary"}},
            "ids": {"type": "array", "items": {"type": "integer"}},
        },
    }
    encoding = {"photo": {"contentType": "image/png, image/jpeg"}, "ids": {"contentType": "application/json"}}
    operation = loaded({"multipart/form-data": {"schema": schema, "encoding": encoding}})
    value = {"photo": "p", "meta": {"a": 1}, "title": "t", "many": ["1", "2"], "ids": [1, 2]}
    assert multipart(*sent(operation, value)) == [
        ("photo", "photo.png", "image/png", "p"),
        ("meta", None, "application/json", '{"a":1}'),
        ("title", None, None, "t"),
        ("many", "many.bin", "application/octet-stream", "1"),
        ("many", "many.bin", "application/octet-stream", "2"),
        ("ids", None, "application/json", "[1,2]"),
    ]


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ({}, b"a=1&a=2&o%5Bk%5D=v"),
        ({"a": {"style": "form", "explode": False}}, b"a=1,2&o%5Bk%5D=v"),
        ({"a": {"style": "pipeDelimited", "explode": False}}, b"a=1%7C2&o%5Bk%5D=v"),
        ({"o": {"contentType": "application/json"}}, b"a=1&a=2&o=%7B%22k%22%3A%22v%22%7D"),
        ({"o": {"style": "form", "explode": True}}, b"a=1&a=2&k=v"),
        ({"o": {"style": "deepObject"}}, b"a=1&a=2&o%5Bk%5D=v"),
    ],
)
def test_fields_of_forms_follow_their_encoding(encoding, body):
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "array", "items": {"type": "integer"}},
            "o": {"type": "object", "properties": {"k": {"type": "string"}}},
        },
    }
    operation = loaded({"application/x-www-form-urlencoded": {"schema": schema, "encoding": encoding}})
    assert sent(operation, {"a": [1, 2], "o": {"k": "v"}})[1] == body


def test_of_several_media_types_a_gene_chooses_mostly_the_first():
    json_schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    operation = loaded(
        {
            "text/plain": {"schema": {"type": "string"}},
            "application/xml": {"schema": json_schema},
            "application/json": {"schema": json_schema},
            "text/json": {"schema": json_schema},
        }
    )
    body = operation.inputs[0]
    forms = binding_of(operation).inputs[0].forms
    assert [form.media_type for form in forms] == ["application/json", "application/xml", "text/plain"]
    rng, found = Random(1), {}
    for _ in range(300):
        request = build_request(Call(operation, (body.template.sampled(rng),)))
        kind = dict(request.headers)["Content-Type"]
        found[kind] = found.get(kind, 0) + 1
        if kind == "application/json":
            assert json.loads(request.body).keys() == {"a"}
    assert set(found) == {"application/json", "application/xml", "text/plain"}
    assert 200 < found["application/json"] < 290
    changed = body.template.mutated(rng, 0.0)
    assert dict(build_request(Call(operation, (changed,))).headers)["Content-Type"] != "application/json"


def test_json_patch_and_merge_patch_have_their_shapes_without_a_schema():
    operation = loaded({"application/json-patch+json": {}, "application/merge-patch+json": {}})
    rng = Random(1)
    patch, merge = operation.inputs[0].template.options
    for _ in range(50):
        steps = patch.sampled(rng).phenotype()
        assert steps and all({"op", "path"} <= step.keys() for step in steps)
        assert isinstance(merge.sampled(rng).phenotype(), dict)


def test_sequences_are_one_value_per_line():
    operation = loaded({"application/jsonl": {"itemSchema": {"type": "integer"}}}, version="3.2.0")
    assert sent(operation, [1, 2])[1] == b"1\n2\n"


def test_an_optional_body_may_choose_too():
    content = {"application/json": {"schema": {"type": "integer"}}, "text/plain": {"schema": {"type": "integer"}}}
    document = {"openapi": "3.0.0", "paths": {"/x": {"post": {"requestBody": {"content": content}, "responses": {}}}}}
    operation = load_openapi(document, "x").operations[0]
    rng, kinds = Random(1), set()
    for _ in range(100):
        gene = operation.inputs[0].template.sampled(rng)
        request = build_request(Call(operation, (gene,)))
        assert (gene.phenotype() is ABSENT) == (request.body is None)
        kinds.add(dict(request.headers).get("Content-Type"))
    assert kinds == {None, "application/json", "text/plain"}
