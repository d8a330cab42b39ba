"""The usual paths of GraphQL endpoints, requests that probe them, and what the answers say. Sends nothing itself."""

from __future__ import annotations

from typing import Any

from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.texts import json_bytes
from wimble.spec.graphql.schema_texts import introspection_in
from wimble.types import Json

ENDPOINT_PATHS = (
    "/graphql",
    "/api/graphql",
    "/query",
    "/api",
    "/graphql/v1",
    "/v1/graphql",
    "/v1/api/graphql",
    "/gql",
    "/api/gql",
    "/graph",
    "/shop-api",  # Vendure
    "/admin-api",
    "/graphql/api",
    "/",
)
"""Most likely first."""


def question(path: str, query: str = "{ __typename }") -> HttpRequest:
    """Returns the request that asks the endpoint at `path` to execute `query`."""
    headers = (("Accept", "application/json, application/graphql-response+json"), ("Content-Type", "application/json"))
    return HttpRequest("POST", path, headers, json_bytes({"query": query}))


def introspection_request(path: str) -> HttpRequest:
    from wimble.spec.graphql.graphql_schema import introspection_query  # imported as late as in schema_texts.py

    return question(path, introspection_query())


def is_graphql_answer(response: HttpResponse | None) -> bool:
    """Whether the answer to `question` comes from GraphQL: data with a type name, or errors in GraphQL's form."""
    body = response.json() if response is not None else None
    if not isinstance(body, dict):
        return False
    data = body.get("data")
    if isinstance(data, dict) and "__typename" in data:
        return True
    errors = body.get("errors")
    return isinstance(errors, list) and bool(errors) and all(_is_error(error) for error in errors)


def _is_error(error: Json) -> bool:
    return (
        isinstance(error, dict)
        and isinstance(error.get("message"), str)
        and bool({"locations", "extensions"} & error.keys())
    )


def introspection_of(response: HttpResponse | None) -> dict[str, Any] | None:
    """Returns the introspection in an answer, or None."""
    return introspection_in(response.json()) if response is not None else None


def refusal_of(response: HttpResponse | None) -> str:
    """Returns why there was no introspection: the first error's message, else the status, else "no answer"."""
    if response is None:
        return "no answer"
    body = response.json()
    errors = body.get("errors") if isinstance(body, dict) else None
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        return str(errors[0].get("message", ""))[:300]
    return f"status {response.status}"
