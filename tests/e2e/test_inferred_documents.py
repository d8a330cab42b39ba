"""The inferred document: by `wimble describe`, alone and repeatable, and by a run, with the comparison."""

from __future__ import annotations

import json

import pytest
from openapi_spec_validator import validate

from described_calls import check_examples

pytestmark = pytest.mark.e2e

BUDGET = ("--max-calls", "400", "--seed", "1")


def test_a_description_is_alone_valid_and_repeatable(project):
    (project.folder / "wimble-out").mkdir()
    (project.folder / "wimble-out" / ".wimble-output").write_text("")
    (project.folder / "wimble-out" / "summary.json").write_text("of an earlier run")
    result = project.wimble("describe", *BUDGET, "--", "node", "library.cjs")
    assert result.code == 0, result.stderr
    folder = project.folder / "wimble-out"
    assert {path.name for path in folder.iterdir()} == {".wimble-output", "openapi.json", "sut.log", "summary.json"}
    assert (folder / "summary.json").read_text() == "of an earlier run"
    text = (folder / "openapi.json").read_text()
    document = json.loads(text)
    validate(document)
    check_examples(document)
    assert result.stdout.splitlines()[1:8] == [
        "Not in the document (2 statuses and 3 members of answers)",
        "  GET /loans: members of answers 200 $[].days, 200 $[].note, 200 $[].returned",
        "  POST /loans: status 422",
        "  POST /login: status 400",
        "In the document, never seen (1 status and 1 member of answers)",
        "  GET /loans: member of answers 200 $[].fine",
        "  POST /loans: status 409",
    ]

    paths = document["paths"]
    assert [(path, verb) for path, item in paths.items() for verb in item] == [
        ("/loans", "get"), ("/loans", "post"), ("/login", "post"), ("/openapi.json", "get"),
    ]  # fmt: skip
    loan = document["components"]["schemas"]["Loan"]
    assert loan["properties"]["note"] == {"type": ["string", "null"]}
    assert loan["properties"]["due"] == {"type": "string", "format": "date"}
    assert loan["required"] == ["id", "title", "due", "returned", "note"]
    made = paths["/loans"]["post"]
    assert made["requestBody"]["required"] is True
    media = made["requestBody"]["content"]["application/json"]
    assert media["schema"]["required"] == ["title"]
    assert media["example"].items() <= {"title": "A title", "note": "A short note"}.items()
    assert "title" in media["example"]
    assert paths["/openapi.json"]["get"]["responses"]["200"]["content"] == {
        "application/json": {"schema": {"type": "object"}}
    }
    login = paths["/login"]["post"]["requestBody"]["content"]["application/json"]["example"]
    assert login == {"user": "ada", "password": "***"}
    assert list(made["responses"]["201"]["headers"]) == ["Location"]
    assert "tok_" not in text

    project.wimble("describe", *BUDGET, "--out", "again", "--", "node", "library.cjs")
    assert (project.folder / "again" / "openapi.json").read_text() == text


def test_a_run_compares_the_api_with_its_document(project):
    result = project.run(*BUDGET, "--format", "none", "--", "node", "library.cjs")
    assert "are not in the document" in result.stdout
    assert ("POST /loans", "status", "422") in {
        (one["operation"], one["kind"], one["detail"]) for one in project.summary["comparison"]["undocumented"]
    }
    assert ("POST /loans", "status", "409") in {
        (one["operation"], one["kind"], one["detail"]) for one in project.summary["comparison"]["unseen"]
    }
    validate(json.loads((project.folder / "wimble-out" / "openapi.json").read_text()))
    assert '<h2 id="document">' in (project.folder / "wimble-out" / "report" / "index.html").read_text()


def test_graphql_is_not_described(project):
    project.add("schema.graphql", "type Query { hello(name: String!): String }\n")
    project.add(
        "graphql.cjs",
        """require('http').createServer((request, response) => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ data: { __typename: 'Query' } }));
        }).listen(process.env.PORT, '127.0.0.1');""",
    )
    result = project.wimble("describe", *BUDGET, "--schema", "schema.graphql", "--", "node", "graphql.cjs")
    assert result.code == 2
    assert result.message.startswith("error: schema.graphql: the API takes GraphQL only"), result.message
