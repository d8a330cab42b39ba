"""Genes for columns, which hold only values that the column accepts ([WB-Advanced] §6)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from wimble.databases.conditions.stored_values import Value
from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    ConstantGene,
    EnumGene,
    Gene,
    IntegerGene,
    MapGene,
    NullableGene,
    NumberGene,
    StringGene,
)
from wimble.model.database import Column, ColumnRules, ColumnType, Dialect, JsonKind

DEFAULT_LENGTH = 60
"""The maximum length of a text whose column has no limit."""
DEFAULT_PRECISION = 12
JSON_TEXTS: Final[dict[JsonKind, tuple[str, ...]]] = {"": ("{}", "[]"), "array": ("[]",), "object": ("{}",)}
MAX_IDENTITY = 1_000_000
"""The largest key in a column that the database numbers itself, so that its numbers can continue above."""
_TIME_PATTERN = r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$"
_FORMATS_BY_NAME = {"email": "email", "mail": "email", "url": "url", "uri": "url", "website": "url"}
"""The last word of a text column's name -> the format of the text, so that rows look realistic."""
_DATES_BY_NAME = {"at": "date-time", "timestamp": "date-time"} | dict.fromkeys(
    ["on", "date", "day", "from", "to", "until", "since", "birthday", "deadline", "due"], "date"
)
"""The same for times. Databases without a type for them keep them as texts, and programs read them by `new Date`."""
_FORMAT_LENGTHS = {"date": 10, "date-time": 24}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TYPES_BY_NAME = {"inet": "127.0.0.1", "cidr": "10.0.0.0/8", "macaddr": "08:00:2b:01:02:03", "year": 2024}


class Limits(msgspec.Struct):
    """The limits of one column, from check constraints on this column alone and from the SUT's models."""

    low: float | None = None
    high: float | None = None
    min_length: int = 0
    max_length: int | None = None
    values: tuple[Value, ...] = ()
    is_not_null: bool = False
    pattern: str | None = None
    format: str | None = None
    json_kind: JsonKind = ""

    def allow_only(self, values: tuple[Value, ...]) -> None:
        """Sets the values that the column may hold; empty if they are not known."""
        self.values = values

    def bound_value(self, *, low: float | None = None, high: float | None = None) -> None:
        """Sets a bound of the value."""
        self.low = self.low if low is None else low
        self.high = self.high if high is None else high

    def bound_length(self, *, low: int | None = None, high: int | None = None) -> None:
        """Sets a bound of the length of a text."""
        self.min_length = self.min_length if low is None else low
        self.max_length = self.max_length if high is None else high


_BOOLEANS: Final[dict[Dialect, Gene]] = {
    "sqlite": EnumGene((0, 1))  # its drivers bind no booleans
}


def gene_of(column: Column, limits: Limits, dialect: Dialect) -> Gene | None:
    """Returns a gene for the column, which is not sampled yet; None if the column's type is not known."""
    gene = _plain_gene(column, limits, dialect)
    if gene is None:
        return None
    is_nullable = column.is_nullable and not limits.is_not_null
    return NullableGene(gene) if is_nullable else gene


def _plain_gene(column: Column, limits: Limits, dialect: Dialect) -> Gene | None:
    values = limits.values or column.enum_values
    if values:
        return EnumGene(tuple(values))
    if column.type == "boolean" and dialect in _BOOLEANS:
        return _BOOLEANS[dialect]
    if column.type == "json" and limits.json_kind:
        return _GENES_OF_KINDS[limits.json_kind]
    fixed = _GENES.get(column.type)
    if fixed is not None:
        return fixed
    limited = _LIMITED_GENES.get(column.type)
    if limited is not None:
        return limited(column, limits)
    known = _TYPES_BY_NAME.get(column.type_name.lower())
    return None if known is None else ConstantGene(known)


def _integer_gene(column: Column, limits: Limits) -> IntegerGene:
    bits = column.bits or 32
    low, high = (0, 2**bits - 1) if column.is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    high = min(high, 2**53 - 1)  # exact in JavaScript
    low = max(low, -high)
    if column.is_identity:
        high = min(high, MAX_IDENTITY)
    if column.is_identity or column.name.lower() == "id" or column.name.endswith(("_id", "Id")):
        low = 1
    if limits.low is not None:
        low = max(low, int(limits.low))
    if limits.high is not None:
        high = min(high, int(limits.high))
    return IntegerGene(minimum=low, maximum=high)


def _number_gene(column: Column, limits: Limits) -> NumberGene:
    precision = column.precision or DEFAULT_PRECISION
    scale = column.scale if column.scale is not None else 2
    largest = 10 ** min(precision - scale, 12) - 1
    low = 0.0 if column.is_unsigned else -float(largest)
    return NumberGene(
        minimum=low if limits.low is None else max(low, limits.low),
        maximum=float(largest) if limits.high is None else min(float(largest), limits.high),
        multiple_of=10**-scale if column.type == "decimal" and 0 < scale <= 6 else 1 if scale == 0 else None,
    )


def _text_gene(column: Column, limits: Limits) -> StringGene:
    lengths = [length for length in (column.length, limits.max_length) if length is not None]
    longest = min(lengths, default=DEFAULT_LENGTH)
    shortest = max(1, limits.min_length) if longest else 0
    if limits.pattern is not None or limits.format is not None:
        return StringGene(min_length=shortest, max_length=longest, pattern=limits.pattern, format=limits.format)
    return StringGene(min_length=shortest, max_length=longest, format=_format_of(column.name, longest))


def _format_of(name: str, longest: int) -> str | None:
    """Returns the format that the name of a column of texts suggests, if the column has room for it."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not words:
        return None
    known = _FORMATS_BY_NAME.get(words[-1])
    if known is None and (len(words) > 1 or words[0] not in ("at", "on", "from", "to")):
        known = _DATES_BY_NAME.get(words[-1])
    return known if known is not None and longest >= _FORMAT_LENGTHS.get(known, DEFAULT_LENGTH // 2) else None


def keeps_limits(gene: Gene) -> bool:
    """Returns whether the gene's constraints allow its value."""
    if isinstance(gene, (IntegerGene, NumberGene)):
        low, high = gene.minimum, gene.maximum
        return (low is None or gene.value >= low) and (high is None or gene.value <= high)
    return gene.is_valid() if isinstance(gene, StringGene) else all(map(keeps_limits, gene.children()))


def limits_of_model(rules: ColumnRules, *, is_text: bool = True) -> Limits:
    """Returns the limits that a model's rules set. is_text: whether the database stores the column's JSON as text."""
    return Limits(
        low=rules.low,
        high=rules.high,
        min_length=rules.min_length or 0,
        max_length=rules.max_length,
        values=JSON_TEXTS[rules.json_kind] if (rules.is_json or rules.json_kind) and is_text else rules.values,
        is_not_null=rules.not_null,
        pattern=rules.pattern,
        format=rules.format,
        json_kind=rules.json_kind,
    )


_GENES: Final[dict[ColumnType, Gene]] = {
    "boolean": BooleanGene(),
    "uuid": StringGene(format="uuid"),
    "date": StringGene(format="date"),
    "timestamp": StringGene(format="date-time"),
    "time": StringGene(pattern=_TIME_PATTERN),
    "interval": EnumGene(("1 day", "1 hour", "30 days")),
    "json": AnyGene({}),
    "array": AnyGene([]),
    "bytes": ConstantGene({"$bytes": "d2ltYmxl"}),
}
"""Genes of the types without limits."""
_GENES_OF_KINDS: Final[dict[JsonKind, Gene]] = {"array": ArrayGene(AnyGene()), "object": MapGene(AnyGene())}
_LIMITED_GENES: Final[dict[ColumnType, Callable[[Column, Limits], Gene]]] = {
    "integer": _integer_gene,
    "decimal": _number_gene,
    "float": _number_gene,
    "text": _text_gene,
}
