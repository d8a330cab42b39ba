"""Builds genes of input types: scalars (custom ones by their names), enums, lists and input objects.

The trees of genes are bounded in depth and size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLNamedType,
    Undefined,
    is_required_argument,
    is_required_input_field,
)
from graphql.type import GraphQLList, GraphQLNonNull

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    ChoiceGene,
    EnumGene,
    Gene,
    IntegerGene,
    NullableGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    SeededGene,
    StringGene,
)
from wimble.spec.schemas.schema_genes import can_hold

MAX_DEPTH = 4
"""Maximum nesting of input objects."""
MAX_GENES = 300
"""Maximum for the arguments of one field. Filters of generated APIs (`AND`, `OR`, `NOT`) contain themselves."""
MAX_LIST_ITEMS = 20
INT_LIMIT = 2**31
"""GraphQL's Int has 32 bits."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FORMATS: dict[str, str] = {
    "date": "date", "localdate": "date", "datetime": "date-time", "timestamp": "date-time",
    "localdatetime": "date-time",
    "isodate": "date-time", "isodatetime": "date-time", "datetimeiso": "date-time", "time": "time", "localtime": "time",
    "uuid": "uuid", "guid": "uuid", "email": "email", "emailaddress": "email", "url": "uri", "uri": "uri",
    "hostname": "hostname", "ipv4": "ipv4", "ip": "ipv4", "ipv6": "ipv6", "byte": "byte", "base64": "byte",
    "base64string": "byte",
}  # fmt: skip
_PATTERNS: dict[str, str] = {
    "phonenumber": r"^\+[1-9]\d{6,13}$", "hexcolorcode": r"^#[0-9a-f]{6}$", "hexcolor": r"^#[0-9a-f]{6}$",
    "objectid": r"^[0-9a-f]{24}$", "currency": r"^(EUR|USD|GBP)$", "countrycode": r"^(DE|FR|US)$",
    "duration": r"^PT[1-9]H$", "locale": r"^(en|de)$",
}  # fmt: skip
_INTEGERS: dict[str, tuple[int | None, int | None]] = {
    "bigint": (None, None), "long": (None, None), "int64": (None, None), "int32": (None, None), "uint": (0, None),
    "positiveint": (1, None), "nonnegativeint": (0, None), "unsignedint": (0, None), "negativeint": (None, -1),
    "nonpositiveint": (None, 0), "port": (1, 65535), "safeint": (None, None), "byteint": (0, 255), "year": (1, 9999),
}  # fmt: skip
_NUMBERS: dict[str, float | None] = {
    "decimal": None, "bigdecimal": None, "money": 0.0, "double": None, "number": None, "numeric": None,
    "positivefloat": 0.001, "nonnegativefloat": 0.0, "unsignedfloat": 0.0, "latitude": None, "longitude": None,
}  # fmt: skip
_ANYTHING = frozenset({"json", "jsonobject", "jsonb", "any", "object", "mixed", "map", "unknown", "mongodocument"})
_STRINGS = frozenset(
    {"upload", "file", "nonemptystring", "string", "text", "html", "markdown", "password", "slug", "jwt"}
)


class _TooLarge(Exception):
    """The tree passed MAX_GENES."""


class InputGenes:
    """Builds the genes of arguments, in trees of at most MAX_GENES genes."""

    def __init__(self) -> None:
        self._max_depth = MAX_DEPTH
        self._n_left = 0

    def arguments(self, given: Mapping[str, GraphQLArgument]) -> ObjectGene:
        """Returns the gene of all arguments of one field. Reduces the tree's depth until it is small enough."""
        for self._max_depth in range(MAX_DEPTH, -1, -1):
            self._n_left = MAX_GENES
            try:
                return ObjectGene(
                    tuple((name, self._member(one, is_required_argument(one), 0)) for name, one in given.items())
                )
            except _TooLarge:
                continue
        return ObjectGene(
            tuple((name, self._member(one, True, 0)) for name, one in given.items() if is_required_argument(one))
        )

    def _member(self, member: GraphQLArgument | GraphQLInputField, is_required: bool, depth: int) -> Gene:
        gene = self._gene(member.type, depth)
        default = member.default_value
        if default is not Undefined and default is not None and can_hold(gene, default):
            gene = SeededGene(gene, (default,))
        return gene if is_required else OptionalGene(gene)

    def _gene(self, kind: GraphQLInputType, depth: int) -> Gene:
        if isinstance(kind, GraphQLNonNull):
            return self._value(kind.of_type, depth)
        return NullableGene(self._value(kind, depth))

    def _value(self, kind: GraphQLInputType, depth: int) -> Gene:
        self._n_left -= 1
        if self._n_left < 0 and self._max_depth > 0:
            raise _TooLarge
        if isinstance(kind, GraphQLList):
            is_cut = depth >= self._max_depth + MAX_DEPTH
            return ArrayGene(self._gene(kind.of_type, depth + 1), max_items=0 if is_cut else MAX_LIST_ITEMS)
        if isinstance(kind, GraphQLInputObjectType):
            return self._object(kind, depth)
        if isinstance(kind, GraphQLEnumType):
            return EnumGene(tuple(kind.values))
        assert isinstance(kind, GraphQLNamedType)
        return scalar_gene(kind.name)

    def _object(self, kind: GraphQLInputObjectType, depth: int) -> Gene:
        """Returns the gene of an input object.

        Beyond the maximum depth, it has only the required members. A cycle of required members passes through a list,
        and lists are empty there.
        """
        members: list[tuple[str, Gene]] = []
        for name, field in kind.fields.items():
            is_required = is_required_input_field(field)
            if kind.is_one_of if hasattr(kind, "is_one_of") else False:
                members.append((name, self._value(getattr(field.type, "of_type", field.type), depth + 1)))
            elif is_required and depth < self._max_depth + 2 * MAX_DEPTH:
                members.append((name, self._member(field, True, depth + 1)))
            elif depth < self._max_depth:
                members.append((name, self._member(field, False, depth + 1)))
        if getattr(kind, "is_one_of", False) and members:
            return ChoiceGene(tuple(ObjectGene((member,)) for member in members))
        return ObjectGene(tuple(members))


def scalar_gene(name: str) -> Gene:
    """Returns the gene of a scalar type, by its name. For an unknown name it is a string, an integer or any value."""
    plain = "".join(_WORDS.findall(name)).lower()
    for known in (plain, plain.removesuffix("scalar"), plain.removesuffix("string")):
        gene = _known_scalar(known)
        if gene is not None:
            return gene
    return ChoiceGene((StringGene(), IntegerGene(), AnyGene()))


def _known_scalar(name: str) -> Gene | None:
    if name == "id":
        return ChoiceGene((StringGene(), IntegerGene(minimum=0, maximum=INT_LIMIT - 1)))
    if name == "int":
        return IntegerGene(minimum=-INT_LIMIT, maximum=INT_LIMIT - 1)
    if name == "boolean":
        return BooleanGene()
    if name == "float" or name in _NUMBERS:
        return NumberGene(minimum=_NUMBERS.get(name))
    if name in _INTEGERS:
        least, most = _INTEGERS[name]
        return IntegerGene(minimum=least, maximum=most)
    if name in _FORMATS:
        return StringGene(format=_FORMATS[name])
    if name in _PATTERNS:
        return StringGene(pattern=_PATTERNS[name])
    if name in _ANYTHING:
        return AnyGene()
    return StringGene() if name in _STRINGS else None
