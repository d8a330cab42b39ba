"""Documents damaged at random: nothing but SchemaError may come out, whatever is at whichever place."""

import copy
import json
from pathlib import Path
from random import Random

import pytest

from wimble.errors import SchemaError
from wimble.oracles.documents.contracts import Contracts
from wimble.spec.loading.document_text import load_file, load_text
from wimble.spec.openapi.openapi_operations import load_openapi

DOCUMENTS = sorted((Path(__file__).parents[2] / "data" / "openapi").iterdir())
ODD = [
    None, True, False, 0, -1, 2**70, 1.5, float("nan"), float("inf"), "", "x", "#", "#/", "#/paths", "#/components/schemas/Node", "(",
    [], {}, [None], [[]], [{}], {"$ref": "#/paths"}, {"$ref": "#"}, {"$ref": None}, {"a": None}, {"type": []}, {"type": {}}, ["string", 5],
    {"allOf": [{"$ref": "#"}]}, {"type": "object", "properties": {"a": 5}}, {"example": {"a": [1]}}, "{}", "a" * 5000,
]  # fmt: skip


def places(value, path=()):
    found = [path] if path else []
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found += places(child, (*path, key))
    return found


def damaged(document, rng):
    """One to four places: replaced by something odd, removed, renamed, or swapped with another."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, 4)):
        every = places(document)
        if not every:
            break
        *parents, key = rng.choice(every)
        holder = document
        for step in parents:
            holder = holder[step]
        kind = rng.randrange(4)
        if kind == 0:
            holder[key] = copy.deepcopy(rng.choice(ODD))
        elif kind == 1:
            del holder[key]
        elif kind == 2 and isinstance(holder, dict):
            holder[rng.choice(["", "x", "$ref", "type", "get", "200", "{id}", "allOf", "nullable", "5"])] = holder.pop(
                key
            )
        else:
            donor = document
            for step in rng.choice(every):
                donor = (
                    donor[step]
                    if (isinstance(donor, dict) and step in donor)
                    or (isinstance(donor, list) and isinstance(step, int) and step < len(donor))
                    else donor
                )
            holder[key] = copy.deepcopy(donor) if len(repr(donor)) < 20_000 else None
    return document


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_damaged_documents_never_break_the_reader(path):
    whole = load_file(path)
    rng = Random(path.name)
    n_loaded = 0
    for _ in range(120):
        broken = damaged(whole, rng)
        try:
            specification = load_openapi(broken, "x")
        except SchemaError:
            continue
        n_loaded += 1
        contracts = Contracts()
        for operation in specification.operations:
            contracts.declared(operation, 200)
            for one in operation.inputs:
                one.template.sampled(rng).phenotype()
        assert contracts.take_warnings() == [], "what the reader lets through, the validator can use"
    assert n_loaded > 60


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_damaged_texts_never_break_the_loader(path):
    text = path.read_text()
    rng = Random(path.name)
    for _ in range(60):
        start = rng.randrange(len(text))
        junk = rng.choice(
            [
                "",
                "{",
                "]",
                ":",
                "\n",
                "\t",
                "&a ",
                "*a",
                "<<: ",
                "- ",
                "\x00",
                "!!python/object:os.system ",
                '"',
                "? ",
                "|\n",
            ]
        )
        broken = text[:start] + junk + text[start + rng.randint(0, 20) :]
        try:
            load_openapi(load_text(broken, "x"), "x")
        except SchemaError:
            continue


def test_json_of_every_shape_is_refused_or_read():
    for odd in ODD:
        for wrapped in (
            odd,
            {"openapi": odd},
            {"openapi": "3.0.0", "paths": odd},
            {"swagger": "2.0", "paths": {"/x": odd}},
        ):
            try:
                load_openapi(json.loads(json.dumps(wrapped)), "x")
            except SchemaError:
                continue
