"""Turns SDL texts and introspection answers into validated GraphQL schemas. Errors name the place in the document."""

from __future__ import annotations

import re
from typing import Any, cast

from graphql import (
    GraphQLError,
    GraphQLSchema,
    IntrospectionQuery,
    Source,
    build_ast_schema,
    build_client_schema,
    get_introspection_query,
    parse,
    validate_schema,
)

from wimble.errors import SchemaError


def introspection_query() -> str:
    """Returns an introspection query that servers of all versions of GraphQL answer."""
    return re.sub(r"\s+", " ", get_introspection_query(descriptions=False)).strip()


def schema_of_sdl(text: str, source: str) -> GraphQLSchema:
    """Returns the schema. Raises SchemaError with line and column if the text is not a usable schema."""
    try:
        # Directives of one server (`@auth`) need no definition, and only gateways define the types of federation.
        schema = build_ast_schema(parse(Source(text, source), no_location=False), assume_valid_sdl=True)
    except GraphQLError as error:
        raise _broken(source, error) from error
    except (TypeError, ValueError, KeyError, RecursionError) as error:
        raise _unusable(source, str(error) or type(error).__name__) from error
    return _validated(schema, source)


def schema_of_introspection(introspection: dict[str, Any], source: str) -> GraphQLSchema:
    """Returns the schema. Raises SchemaError if the introspection is not a usable schema."""
    try:
        schema = build_client_schema(cast(IntrospectionQuery, introspection), assume_valid=False)
    except (GraphQLError, TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
        raise _unusable(source, str(error) or type(error).__name__) from error
    return _validated(schema, source)


def _validated(schema: GraphQLSchema, source: str) -> GraphQLSchema:
    if schema.query_type is None and schema.mutation_type is None:
        raise _unusable(source, "it has neither a type `Query` nor a type `Mutation`")
    try:
        errors = [error for error in validate_schema(schema) if "Query root type" not in error.message]
    except (GraphQLError, TypeError) as error:
        raise _unusable(source, str(error)) from error
    if errors:
        raise _broken(source, errors[0])
    return schema


def _broken(source: str, error: GraphQLError) -> SchemaError:
    place = "".join(f"line {at.line}, column {at.column}: " for at in (error.locations or [])[:1])
    return _unusable(source, place + error.message)


def _unusable(source: str, reason: str) -> SchemaError:
    return SchemaError(
        "graphql-schema-unusable",
        "the GraphQL schema cannot be used",
        where=source,
        details=(reason,),
        hint="give a schema in SDL (`type Query { ... }`), or the JSON answer to an introspection query",
    )
