"""Declared links say where a later call's parameter comes from."""

from random import Random

from wimble.http.binding import binding_of
from wimble.http.declarations import DeclaredLink
from wimble.search.resources.bindings import Bindings
from wimble.spec.openapi.openapi_operations import load_openapi


def test_a_link_names_the_pointer_that_is_bound():
    links = {
        "get": {"operationId": "getThing", "parameters": {"path.code": "$response.body#/deep/handle"}},
        "odd": {"parameters": {"x": "$url", "y": "constant"}},
    }
    responses = {"201": {"description": "made", "links": links}}
    document = {"openapi": "3.0.3", "paths": {"/things": {"post": {"responses": responses}}}}
    specification = load_openapi(document, "x")
    producer = specification.operations[0]
    assert binding_of(producer).links == (
        DeclaredLink(name="code", location="path", pointer="/deep/handle", target="getThing"),
    )
    assert "$url" in specification.warnings[0]
    rng, bindings = Random(1), Bindings()
    chosen = [bindings.choose(producer, "code", "thing", rng) for _ in range(100)]
    assert chosen.count("/deep/handle") > 80
    assert "/deep/handle" not in [bindings.choose(producer, "other", "thing", rng) for _ in range(100)]


def test_every_source_place_and_way_to_name_the_operation():
    links = {
        "a": {"operationId": "see", "parameters": {"query.q": "$response.header.X-Next", "plain": "{$response.body#/a}"}},
        "b": {"operationRef": "#/paths/~1void~1{id}/post", "requestBody": "$response.body"},
        "c": {"operationRef": "other.yaml#/paths/~1echo/get", "parameters": {"n": "$request.path.n", "m": "$request.body#/m"}},
    }  # fmt: skip
    document = {
        "openapi": "3.1.0",
        "paths": {"/x": {"post": {"responses": {"200": {"description": "ok", "links": links}}}}},
    }
    specification = load_openapi(document, "x")
    assert binding_of(specification.operations[0]).links == (
        DeclaredLink(name="q", location="query", pointer="header:x-next", target="see"),
        DeclaredLink(name="plain", pointer="/a", target="see"),
        DeclaredLink(location="body", pointer="", target="POST /void/{id}"),
        DeclaredLink(name="n", pointer="n", sent_in="path", target="GET /echo"),
        DeclaredLink(name="m", pointer="/m", sent_in="body", target="GET /echo"),
    )
