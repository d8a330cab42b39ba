"""Paths, verbs, servers, parameters, bodies -> operations and inputs."""

import pytest

from wimble.errors import SchemaError
from wimble.genes import (
    ArrayGene,
    ConstantGene,
    EnumGene,
    IntegerGene,
    ObjectGene,
    OptionalGene,
    SeededGene,
    StringGene,
)
from wimble.http.binding import binding_of
from wimble.http.request_building import build_request
from wimble.model.testcase import Call
from wimble.spec.openapi.openapi_operations import load_openapi


def operation(spec, wanted):
    return next(one for one in spec.operations if one.id == wanted)


def names(op, location):
    return [one.name for one in binding_of(op).inputs if one.location == location]


def input_named(op, name):
    return next(one for one in binding_of(op).inputs if one.name == name)


def minimal(**more):
    return {"openapi": "3.0.0", "paths": {"/x": {"get": {"responses": {}}}}} | more


def test_a_document_of_swagger_2_is_read_like_others(specification):
    spec = specification("tasks-2.0.json")
    assert (spec.title, spec.version, spec.warnings) == ("Tasks", "2.0", ())
    assert [op.id for op in spec.operations] == [
        "GET /api/v2/tasks", "POST /api/v2/tasks", "POST /api/v2/tasks/{id}/file", "POST /api/v2/login",
    ]  # fmt: skip
    listing = spec.operations[0]
    assert (binding_of(listing).summary, binding_of(listing).tags) == ("Lists tasks", ("tasks",))


def test_operation_parameters_override_those_of_the_path(specification):
    listing, creating, *_ = specification("tasks-2.0.json").operations
    assert input_named(listing, "sort").template == EnumGene(("up", "down"))
    assert input_named(listing, "sort").required
    assert isinstance(input_named(creating, "sort").template, OptionalGene)
    assert input_named(creating, "tenant").required


def test_swagger2_collection_formats_become_styles(specification):
    listing = specification("tasks-2.0.json").operations[0]
    shapes = {
        name: (input_named(listing, name).style, input_named(listing, name).explode)
        for name in ("labels", "ids", "states")
    }
    assert shapes == {"labels": ("form", True), "ids": ("pipeDelimited", False), "states": ("", False)}


def test_swagger2_bodies_and_forms(specification):
    _, creating, uploading, login = specification("tasks-2.0.json").operations
    assert input_named(creating, "body").media_type == "application/json"
    assert input_named(uploading, "body").media_type == "multipart/form-data"
    form = input_named(login, "body")
    assert form.media_type == "application/x-www-form-urlencoded"
    assert [name for name, _ in form.template.fields] == ["user", "scopes"]
    assert isinstance(form.template.fields[1][1], OptionalGene)


def test_inputs_are_ordered_and_standard_headers_left_to_the_client(specification):
    get = operation(specification("shop-3.0.yaml"), "GET /live/shop/articles/{sku}")
    assert [one.location for one in binding_of(get).inputs] == ["path", "query", "query", "query", "header", "cookie"]
    assert names(get, "header") == ["X-Trace"]
    listing = specification("tasks-2.0.json").operations[0]
    assert names(listing, "header") == ["tenant", "Authorization"], "an ordinary parameter in 2.0"


def test_parameter_styles_and_content(specification):
    get = operation(specification("shop-3.0.yaml"), "GET /live/shop/articles/{sku}")
    assert (input_named(get, "fields").style, input_named(get, "fields").explode) == ("form", False)
    assert input_named(get, "filter").style == "deepObject"
    assert input_named(get, "where").media_type == "application/json"


def test_examples_of_parameters_and_media_types_are_seeds(specification):
    get, put = specification("shop-3.0.yaml").operations
    assert input_named(get, "sku").template.seeds == ("PEN-0001",)
    body = input_named(put, "body").template.options[0]
    assert isinstance(body, SeededGene)
    assert body.seeds == ({"name": "Pen", "price": 1.5, "secret": "s", "tags": ["blue"]},)


def test_read_only_properties_are_not_sent(specification):
    put = specification("shop-3.0.yaml").operations[1]
    fields = dict(input_named(put, "body").template.options[0].gene.fields)
    assert "id" not in fields
    assert "secret" in fields


def test_paths_of_servers_precede_those_of_operations(specification):
    spec = specification("servers-3.0.yaml")
    assert [op.id for op in spec.operations] == [
        "GET /root/document", "GET /path-level/path", "POST /operation/level/path", "GET /bare-host/bare", "GET /x/y/undefined",
    ]  # fmt: skip
    assert spec.warnings == ("#/paths/~1undefined/servers/0: server variable `what` has no default; it is left empty",)


@pytest.mark.parametrize(
    ("servers", "source", "path"),
    [
        ([], "file.json", "/mounted/x"),
        ([{"url": "/"}], "file.json", "/x"),
        ([{"url": "v2"}], "http://h/docs/openapi.json", "/docs/v2/x"),
        ([{"url": "."}], "http://h/api/openapi.json", "/api/x"),
        ([{"url": "https://h:1"}], "file.json", "/x"),
        ([{"url": 5}, {"url": "/two"}], "file.json", "/two/x"),
        ([{"url": "http://[bad"}], "file.json", "/mounted/x"),
    ],
)
def test_base_path_of_servers(servers, source, path):
    (operation,) = load_openapi(minimal(servers=servers), source, "/mounted").operations
    assert binding_of(operation).path == path


def test_bodies_of_all_kinds(specification):
    found = {binding_of(op).path: binding_of(op).inputs for op in specification("bodies-3.0.yaml").operations}
    assert {path: inputs[0].media_type for path, inputs in found.items() if inputs} == {
        "/text": "text/plain",
        "/any": "application/json",
        "/vendor": "application/vnd.api+json",
        "/form": "application/x-www-form-urlencoded",
        "/upload": "multipart/form-data",
        "/xml": "application/xml",
        "/raw": "application/octet-stream",
        "/free": "application/json",
        "/nothing": "application/json",
    }
    assert found["/text"][0].template == StringGene(max_length=10)
    assert found["/any"][0].template == OptionalGene(ObjectGene((("a", IntegerGene()),)))
    assert found["/vendor"][0].template == ArrayGene(IntegerGene(), min_items=2)


def test_paths_written_for_a_router(specification):
    spec = specification("router-paths.yaml")
    assert [binding_of(op).path for op in spec.operations] == [
        "/users/{id}",
        "/files/{name}/{rest}",
        "/plain",
        "/many/{b}/{a}",
    ]
    users, files, plain, many = spec.operations
    assert names(users, "path") == ["id"]
    assert names(files, "path") == ["name", "rest"]
    assert plain.inputs == ()
    assert [one.name for one in many.inputs] == ["b", "a", "q"]
    assert any("path parameter `rest` is not declared; any text is sent" in line for line in spec.warnings)
    assert any("`{id}` is not in the path; parameter ignored" in line for line in spec.warnings)


def test_path_parameters_are_never_empty(specification):
    many = specification("router-paths.yaml").operations[3]
    gene = input_named(many, "a").template
    assert (gene.min_length, gene.max_length) == (1, 1)


def test_references_by_pointers_of_every_spelling(specification):
    spec = specification("pointers-3.0.json")
    a, b, c, external = spec.operations
    for op in (a, b, c):
        assert op.inputs[0].template == IntegerGene(7, minimum=7)
        assert binding_of(op).responses == binding_of(a).responses
    assert [one.name for one in external.inputs] == ["q"]
    assert len(spec.warnings) == 3
    assert all("is outside of the document" in line for line in spec.warnings)


def test_version_3_2_has_query_more_verbs_and_a_whole_query(specification):
    spec = specification("next-3.2.yaml")
    assert [op.id for op in spec.operations] == ["QUERY /things", "GET /things", "PURGE /things"]
    assert spec.warnings == ()
    whole = binding_of(spec.operations[1]).inputs[0]
    request = build_request(Call(spec.operations[1], (ConstantGene({"a": [1]}),)))
    assert (whole.location, request.target) == ("query", "/things?%7B%22a%22%3A%5B1%5D%7D")


def test_broken_parts_are_told_and_the_rest_is_used(specification):
    spec = specification("broken-parts.yaml")
    assert [op.id for op in spec.operations] == [
        "GET /kept", "POST /kept", "DELETE /kept", "GET /missing-slash", "GET /query",
    ]  # fmt: skip
    assert names(spec.operations[0], "query") == list("bcdefghijklno")
    text = "\n".join(spec.warnings)
    for expected in (
        "#/paths/~1kept/get/parameters/0: an object is expected, found 5; ignored",
        "#/paths/~1kept/get/parameters/7/schema/pattern: '(' cannot be used as a regular expression; ignored",
        "#/paths/~1kept/get/parameters/8/schema: minimum 10 is above maximum 1; both are ignored",
        "#/paths/~1kept/get/responses/20O: '20O' is not a status; response ignored",
        "#/paths/~1kept/put: an object is expected, found [1]; operation ignored",
        "#/paths/missing-slash: a path starts with `/`; one is put before it",
    ):
        assert expected in text
    assert all(line.startswith("#") and ": " in line and "; " in line for line in spec.warnings)


@pytest.mark.parametrize(
    ("document", "slug", "says"),
    [
        ([], "schema-not-openapi", "an array"),
        (None, "schema-not-openapi", "null"),
        ("hello", "schema-not-openapi", "the text 'hello'"),
        ({}, "schema-not-openapi", "empty object"),
        ({"asyncapi": "2.0.0"}, "schema-not-openapi", "AsyncAPI"),
        ({"data": {"__schema": {}}}, "schema-not-openapi", "GraphQL"),
        ({"info": {}, "item": []}, "schema-not-openapi", "Postman"),
        ({"name": "x", "version": "1", "dependencies": {}}, "schema-not-openapi", "package.json"),
        ({"type": "object", "properties": {}}, "schema-not-openapi", "JSON Schema"),
        ({"a": 1, "b": 2}, "schema-not-openapi", "`a`, `b`"),
        ({"openapi": "4.0.0", "paths": {}}, "schema-unknown-version", "supported are"),
        ({"swaggerVersion": "1.2", "apis": []}, "schema-unknown-version", "supported are"),
        ({"swagger": "two", "paths": {}}, "schema-unknown-version", "supported are"),
        ({"openapi": "3.0.0"}, "schema-no-operations", "no `paths`"),
        ({"openapi": "3.0.0", "paths": {"/x": {"summary": "y"}}}, "schema-no-operations", "1 entries"),
        ({"openapi": "3.0.0", "paths": []}, "schema-no-operations", "`paths` is []"),
    ],
)
def test_documents_of_no_use(document, slug, says):
    with pytest.raises(SchemaError) as caught:
        load_openapi(document, "api.json")
    assert caught.value.slug == slug
    assert says in " ".join(caught.value.details)


@pytest.mark.parametrize(("key", "version"), [("openapi", 3.1), ("openapi", 3), ("swagger", 2), ("swagger", "2.0.0")])
def test_versions_written_as_numbers(key, version):
    spec = load_openapi({key: version, "paths": {"/x": {"get": {}}}}, "x")
    assert [op.id for op in spec.operations] == ["GET /x"]


def test_notes_of_loading_come_first_among_the_warnings():
    spec = load_openapi({"openapi": "3.3.0", "paths": {"/x": {"get": {}}}}, "x", notes=("line 3: a note",))
    assert spec.warnings[0] == "line 3: a note"
    assert len(spec.warnings) == 2


def test_what_a_generator_writes_where_no_response_is_declared_is_no_declaration():
    def declared(responses):
        document = {"openapi": "3.0.3", "paths": {"/x": {"post": {"responses": responses}}}}
        spec = load_openapi(document, "api.json")
        return [one.status for one in binding_of(spec.operations[0]).responses]

    assert declared({"200": {"description": "Default Response"}}) == []
    assert declared({"200": {"description": "The made thing"}}) == ["200"]
    assert declared({"200": {"description": "Default Response"}, "404": {"description": "Default Response"}}) == [
        "200", "404",
    ]  # fmt: skip
