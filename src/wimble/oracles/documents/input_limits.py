"""The limits that the API declares for numbers that it writes, for rows that tests insert: it writes no other ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from wimble.genes.containers import ObjectGene
from wimble.genes.gene import Gene
from wimble.genes.numbers import IntegerGene, NumberGene
from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.testcase import TestCase
from wimble.types import Json


class Range(NamedTuple):
    """The numbers that an input may have; None for no limit."""

    low: float | None
    high: float | None

    def with_other(self, other: Range) -> Range:
        """Returns a range that allows what either of the two does."""
        return Range(
            None if self.low is None or other.low is None else min(self.low, other.low),
            None if self.high is None or other.high is None else max(self.high, other.high),
        )

    def allows(self, value: float) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


class InputLimits:
    """By plain name: the numbers that inputs of operations that change something may have."""

    def __init__(self, operations: Iterable[Operation] = ()) -> None:
        self._ranges: dict[str, Range] = {}
        for operation in operations:
            if operation.is_safe:
                continue
            for one in operation.inputs:
                if one.role == "subject":
                    continue  # it tells which things are looked for, not what is written
                for name, found in _ranges(one.name, one.template):
                    known = self._ranges.get(plain_name(name))
                    self._ranges[plain_name(name)] = found if known is None else known.with_other(found)

    def forbid_row_of(self, test_case: TestCase) -> bool:
        """Whether the test case inserts a row or document with a number that inputs of that name do not allow."""
        return any(
            self._forbid(column, value)
            for rows in inserted_rows(test_case)
            for row in rows.rows
            for column, value in zip(rows.columns, row, strict=True)
        )

    def _forbid(self, column: str, value: Json) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        known = self._ranges.get(plain_name(column))
        return known is not None and not known.allows(value)


def _ranges(name: str, gene: Gene) -> Iterator[tuple[str, Range]]:
    """Yields the numbers in an input, each with its name or that of the member that it is in."""
    if isinstance(gene, (IntegerGene, NumberGene)):
        yield name, Range(gene.minimum, gene.maximum)
    fields: Sequence[tuple[str, Gene]] = (
        gene.fields if isinstance(gene, ObjectGene) else [(name, child) for child in gene.children()]
    )
    for member, child in fields:
        yield from _ranges(member, child)
