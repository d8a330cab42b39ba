"""Turns a GraphQL schema into operations, one for each field of Query and Mutation.

Subscriptions need another transport and are left out.
"""

from __future__ import annotations

from graphql import GraphQLField, GraphQLSchema, get_named_type

from wimble.errors import SchemaError
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.operation import Operation, Specification
from wimble.spec.graphql.call_gene import CallGene
from wimble.spec.graphql.input_types import InputGenes
from wimble.spec.graphql.natural_keys import naming_arguments
from wimble.spec.graphql.relations import Relations
from wimble.spec.graphql.selections import IDENTIFIERS, Selections, types_of
from wimble.types import OperationId


def load_graphql(schema: GraphQLSchema, source: str, path: str) -> Specification:
    """Returns the operations of a schema; all are sent to `path`. Raises SchemaError if there are none."""
    reader = _Reader(schema, path)
    operations = reader.operations()
    if not operations:
        raise SchemaError(
            "schema-no-operations",
            "the API description has no operations",
            where=source,
            details=("neither `Query` nor `Mutation` has a field",),
        )
    warnings = ()
    if schema.subscription_type is not None:
        names = ", ".join(list(schema.subscription_type.fields)[:5])
        warnings = (f"{source}: subscriptions are not called ({names})",)  # type: ignore[assignment]
    return Specification(
        title="", operations=operations, source=source, kind="graphql", version="GraphQL", warnings=warnings
    )


class _Reader:
    def __init__(self, schema: GraphQLSchema, path: str) -> None:
        self._schema = schema
        self._path = path
        self._inputs = InputGenes()
        self._selections = Selections(schema, self._inputs, IDENTIFIERS | naming_arguments(schema))
        self._relations = Relations(schema)

    def operations(self) -> tuple[Operation, ...]:
        found = []
        for kind, root in (("query", self._schema.query_type), ("mutation", self._schema.mutation_type)):
            for name, field in root.fields.items() if root is not None else ():
                found.append(self._operation(kind, name, field))
        return tuple(found)

    def _operation(self, kind: str, name: str, field: GraphQLField) -> Operation:
        makes = kind == "mutation" and self._relations.is_creator(name, field)
        needs = self._relations.needs(name, field, is_creator=makes)
        return http_operation(
            id=OperationId(f"{kind} {name}"),
            method="POST",
            path=self._path,
            inputs=(
                HttpInput(
                    name="body",
                    location="body",
                    template=CallGene(
                        kind=kind,
                        name=name,
                        arguments=self._inputs.arguments(field.args),
                        argument_types=types_of(field),
                        selection=self._selections.of(get_named_type(field.type)),
                    ),
                    required=True,
                    media_type="application/json",
                ),
            ),
            summary=(field.description or "").split("\n", 1)[0],
            operation_id=name,
            tags=(kind,),
            graphql=kind,  # type: ignore[arg-type]
            resource=self._relations.noun(name, field),
            provides="new" if makes else "existing" if kind == "query" and not needs else "",
            needs=needs,
        )
