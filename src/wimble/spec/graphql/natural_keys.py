"""Arguments that identify a thing by one of its fields: `conference(slug: String!)` returns the one with that slug."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from graphql import (
    GraphQLInterfaceType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    get_named_type,
    is_leaf_type,
    is_list_type,
    is_required_argument,
)

SHARED_NAMES: Final = frozenset(["date", "kind", "name", "state", "status", "text", "title", "type", "value", "year"])
"""Names that arguments have for other things, even where a query looks up by them."""


def naming_arguments(schema: GraphQLSchema) -> frozenset[str]:
    """Returns the names, in lower case, of required scalar arguments that may name a thing by one of its fields.

    Selections have such fields, so that later calls can name the thing.
    """
    roots = [kind for kind in (schema.query_type, schema.mutation_type) if kind]
    arguments = (item for root in roots for field in root.fields.values() for item in field.args.items())
    return frozenset(
        name.lower()
        for name, argument in arguments
        if is_required_argument(argument) and is_leaf_type(get_named_type(argument.type))
    ).difference(SHARED_NAMES)


class NaturalKeys:
    """Which type an argument identifies, by the fields of the types and by the queries that look one up."""

    def __init__(self, schema: GraphQLSchema) -> None:
        roots = {kind.name for kind in (schema.query_type, schema.mutation_type, schema.subscription_type) if kind}
        self._fields = {
            kind.name.lower(): frozenset(
                name.lower() for name, field in kind.fields.items() if is_leaf_type(get_named_type(field.type))
            )
            for kind in schema.type_map.values()
            if isinstance(kind, (GraphQLObjectType, GraphQLInterfaceType))
            and not kind.name.startswith("__")
            and kind.name not in roots
        }
        self._looked_up: dict[str, set[str]] = {}
        for query in schema.query_type.fields.values() if schema.query_type else ():
            required = [name for name, argument in query.args.items() if is_required_argument(argument)]
            noun = get_named_type(query.type).name.lower()
            if len(required) == 1 and not _is_list(query.type) and self.has(noun, required[0]):
                self._looked_up.setdefault(required[0].lower(), set()).add(noun)

    @property
    def nouns(self) -> Collection[str]:
        """The names of all types with fields, in lower case, but for the roots."""
        return self._fields.keys()

    def has(self, noun: str, name: str) -> bool:
        """Whether the type has a scalar field of that name."""
        return name.lower() in self._fields.get(noun, ())

    def looked_up(self, name: str) -> str:
        """Returns the only type that a query looks up by this argument alone; "" if there is none, or another one."""
        nouns = self._looked_up.get(name.lower(), set())
        return next(iter(nouns)) if len(nouns) == 1 and name.lower() not in SHARED_NAMES else ""

    def identified(self, name: str, own: str) -> str:
        """Returns the type that an argument called like an identifier (`id`, `slug`) names in a field about `own`.

        It is `own`, unless that type has no such field and only one other type has.
        """
        if self.has(own, name):
            return own
        owners = [noun for noun, fields in self._fields.items() if name.lower() in fields]
        return self.looked_up(name) or (owners[0] if len(owners) == 1 else own)


def _is_list(kind: GraphQLOutputType) -> bool:
    return is_list_type(kind.of_type if isinstance(kind, GraphQLNonNull) else kind)
