"""An endpoint that refuses introspection: the project's only schema in SDL takes its place."""

import json

import pytest

from wimble.engine.boot.graphql_endpoint import discover_graphql
from wimble.errors import SchemaError
from wimble.http.http_messages import HttpResponse

SCHEMA = "type Query { book(id: ID!): String }"


class Silent:
    """Answers as GraphQL does, but for introspection."""

    base_url = "http://127.0.0.1:1"
    ports = (1,)

    def use_port(self, port):
        raise AssertionError

    def ask(self, request, port=None):
        body = {"data": {"__typename": "Query"}}
        if "__schema" in (request.body or b"").decode():
            body = {"errors": [{"message": "introspection has been disabled"}]}
        return HttpResponse(200, (("content-type", "application/json"),), json.dumps(body).encode())


def test_the_only_schema_of_the_project_is_taken_and_queries_of_clients_are_none(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "api.graphqls").write_text(SCHEMA)
    (tmp_path / "query.graphql").write_text("query Book { book(id: 1) }")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "other.graphql").write_text(SCHEMA)
    found = discover_graphql(Silent(), "", tmp_path)
    assert found is not None
    assert [operation.id for operation in found.operations] == ["query book"]
    assert found.source.endswith("src/api.graphqls")


@pytest.mark.parametrize("names", [(), ("a.graphql", "b.graphql")])
def test_without_one_or_with_several_the_user_has_to_say(tmp_path, names):
    for name in names:
        (tmp_path / name).write_text(SCHEMA)
    with pytest.raises(SchemaError, match="refuses introspection"):
        discover_graphql(Silent(), "", tmp_path)
