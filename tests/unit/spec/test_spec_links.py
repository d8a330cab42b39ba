"""Declared links say where a later call's parameter comes from."""

from random import Random

from wimble.search.bindings import Bindings
from wimble.spec.openapi import load_openapi


def test_a_link_names_the_pointer_that_is_bound():
    links = {
        "get": {"operationId": "getThing", "parameters": {"path.code": "$response.body#/deep/handle"}},
        "odd": {"parameters": {"x": "$request.body#/x", "y": "constant"}},
    }
    responses = {"201": {"description": "made", "links": links}}
    document = {"openapi": "3.0.3", "paths": {"/things": {"post": {"responses": responses}}}}
    specification = load_openapi(document, "x")
    producer = specification.operations[0]
    assert producer.links == (("code", "/deep/handle"),)
    assert "$request.body#/x" in specification.warnings[0]
    rng, bindings = Random(1), Bindings()
    chosen = [bindings.choose(producer, "code", "thing", rng) for _ in range(100)]
    assert chosen.count("/deep/handle") > 80
    assert "/deep/handle" not in [bindings.choose(producer, "other", "thing", rng) for _ in range(100)]
