"""Calls with answers, and the document that is inferred of them."""

import json

import jsonschema_rs
from openapi_spec_validator import validate

from wimble.describe.call_records import CallRecords
from wimble.describe.inferred_document import Subject, inferred_document
from wimble.genes import AnyGene, Gene, IntegerGene, ObjectGene, OptionalGene, StringGene
from wimble.genes.carried import CarriedGene
from wimble.genes.undeclared import UndeclaredGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput, ResponseSpec
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpResponse
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.types import ABSENT

JSON = "application/json"
BOOK = {"id": 1, "title": "Dune", "author": "Frank Herbert", "pages": 412}


def operation(method, path, *inputs, responses=(), **more):
    return http_operation(id=f"{method} {path}", method=method, path=path, inputs=inputs, responses=responses, **more)


def path_input(name="id"):
    return HttpInput(name=name, location="path", template=StringGene(), required=True)


def query(name, template=None, required=False):
    gene = template or StringGene()
    return HttpInput(name=name, location="query", template=gene if required else OptionalGene(gene), required=required)


def header(name, template=None):
    return HttpInput(name=name, location="header", template=OptionalGene(template or StringGene()))


def room(location):
    return HttpInput(name="", location=location, template=UndeclaredGene(), is_undeclared=True)


def body(template=None, required=False, media_type=JSON):
    gene = template or AnyGene()
    return HttpInput(
        name="body", location="body", template=gene if required else OptionalGene(gene), required=required,
        media_type=media_type,
    )  # fmt: skip


def body_room():
    (one,) = with_undeclared_inputs([operation("POST", "/")])
    return one.binding.inputs[-1]


def answers(status, content=None, **headers):
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    if content is ABSENT or content is None:
        return HttpResponse(status, named, b"")
    if isinstance(content, bytes):
        return HttpResponse(status, named, content)
    return HttpResponse(status, (("content-type", f"{JSON}; charset=utf-8"), *named), json.dumps(content).encode())


def evaluation(operation, values, response, user="", carried=None):
    """values: or genes, by name of the input; the name of a body is `body`, that of a room is its location.

    carried: credentials by place, for an operation with an input for them.
    """
    genes = []
    for given in operation.binding.inputs:
        name = given.location if given.is_undeclared else given.name
        value = values.get(name, ABSENT)
        gene = value if isinstance(value, Gene) else given.template.with_value(value)
        assert gene is not None, given
        genes.append(gene)
    if any(given.role == "credential" for given in operation.inputs):
        genes.append(CarriedGene(tuple((place, StringGene(text)) for place, text in (carried or {}).items())))
    call = Call(operation, tuple(genes), user)
    observation = http_observation(0, build_request(call), response)
    return Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={})


def recorded(evaluations):
    records = CallRecords()
    for one in evaluations:
        records.note(one)
    return records


def document_of(evaluations, **more):
    """Returns the document, after an independent validator has found it valid, with its examples."""
    operations = list(
        {one.test_case.calls[0].operation.id: one.test_case.calls[0].operation for one in evaluations}.values()
    )
    document = inferred_document(Subject(**{"title": "Books", "operations": operations, **more}), recorded(evaluations))
    if document:
        validate(document)
        check_examples(document)
    return document


def check_examples(document):
    """Checks each example of the document against its schema."""
    for item in document["paths"].values():
        for one in item.values():
            media = [*one.get("requestBody", {}).get("content", {}).values(), *one.get("parameters", [])]
            for response in one["responses"].values():
                media += response.get("content", {}).values()
            for holder in media:
                if "example" in holder and "schema" in holder:
                    schema = {**holder["schema"], "components": document.get("components", {})}
                    jsonschema_rs.Draft202012Validator(schema).validate(holder["example"])


GET_BOOKS = operation("GET", "/books", query("limit", IntegerGene(0, minimum=1, maximum=100)))
GET_BOOK = operation("GET", "/books/{id}", path_input())
ADD_BOOK = operation(
    "POST",
    "/books",
    body(
        ObjectGene(
            (
                ("title", StringGene(min_length=1)),
                ("author", OptionalGene(StringGene())),
                ("pages", OptionalGene(IntegerGene(minimum=1))),
            )
        ),
        required=True,
    ),
)
DECLARED = ResponseSpec
