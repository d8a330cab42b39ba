"""Rows and documents to insert."""

from __future__ import annotations

import msgspec

from wimble.databases.conditions.stored_values import Value
from wimble.genes import Gene
from wimble.model.database import Column, Table

RULE_VIOLATION_PROBABILITY = 0.02
"""Probability of a value that keeps the database's constraints and breaks the rules of the SUT's models."""


class NewCell(msgspec.Struct, frozen=True):
    """One value of a new row."""

    column: Column
    gene: Gene
    operand: Value = None
    """The operand of the command that is equal to the value; None if there is none."""
    link: tuple[int, int] | None = None
    """(index of an earlier row, index of its cell) whose value this cell shares; None if it has its own."""


class NewRow(msgspec.Struct, frozen=True):
    """A row, or a document, to be inserted."""

    table: Table
    cells: tuple[NewCell, ...]
