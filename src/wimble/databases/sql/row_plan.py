"""Plans of rows to insert: cells with wished values, and links between cells that must be equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from sqlglot import exp

from wimble.databases.conditions.stored_values import Cells, Value
from wimble.model.database import Table, table_key

Cell: TypeAlias = tuple[int, str]
"""(index of a planned row, column name in lower case)."""


class PlannedRow(msgspec.Struct):
    """A row of a plan, whose columns get their values step by step."""

    table: Table
    values: dict[str, Value] = msgspec.field(default_factory=dict)
    """Values by column name in lower case."""
    operands: dict[str, Value] = msgspec.field(default_factory=dict)
    """For cells whose value comes from an operand of the command: the operand, by column name in lower case."""


class Plan:
    """Planned rows; cells that are linked share their value."""

    def __init__(self) -> None:
        self.rows: list[PlannedRow] = []
        self.conditions: list[tuple[exp.Expr, Callable[[exp.Column], Cell | None]]] = []
        """Conditions that must hold, each with a function that maps its columns to cells."""
        self._parents: dict[Cell, Cell] = {}

    def add(self, table: Table) -> int:
        """Adds a row of the table and returns its index."""
        self.rows.append(PlannedRow(table))
        return len(self.rows) - 1

    def drop_last(self) -> None:
        """Undoes the last `add`."""
        self.rows.pop()
        gone = len(self.rows)
        self._parents = {cell: parent for cell, parent in self._parents.items() if cell[0] != gone}

    def has(self, cell: Cell) -> bool:
        """Returns whether the cell has a value, which may be None for NULL."""
        return cell[1] in self.rows[cell[0]].values

    def value(self, cell: Cell) -> Value:
        """Returns the value of the cell; None for NULL, and if it has none."""
        return self.rows[cell[0]].values.get(cell[1])

    def put(self, cell: Cell, value: Value, operand: Value = None) -> None:
        """Sets the value of the cell and of all cells linked with it."""
        for row, column in self.linked(cell):
            self.rows[row].values[column] = value
            self.rows[row].operands.pop(column, None)
            if operand is not None:
                self.rows[row].operands[column] = operand

    def link(self, one: Cell, other: Cell) -> None:
        """Links two cells. Both get the value wished for the first cell, or else the value wished for the second."""
        known = one if self.has(one) else other
        value, has_value = self.value(known), self.has(known)
        operand = self.rows[known[0]].operands.get(known[1])
        roots = self._root(one), self._root(other)
        if roots[0] != roots[1]:
            # The smallest cell of a group is its root.
            self._parents[max(roots)] = min(roots)
        if has_value:
            self.put(one, value, operand)

    def linked(self, cell: Cell) -> list[Cell]:
        """Returns all cells linked with this one, including itself."""
        root = self._root(cell)
        return sorted({cell, root, *(other for other in self._parents if self._root(other) == root)})

    def _root(self, cell: Cell) -> Cell:
        while cell in self._parents:
            cell = self._parents[cell]
        return cell

    def cells(self) -> dict[str, list[Cells]]:
        """Returns the rows as a query would read them, by `table_key`; columns without a value are NULL."""
        found: dict[str, list[Cells]] = {}
        for row in self.rows:
            cells = {column.name.lower(): row.values.get(column.name.lower()) for column in row.table.columns}
            found.setdefault(key_of(row.table), []).append(cells)
        return found


def key_of(table: Table) -> str:
    """Returns the `table_key` of a table."""
    return table_key(table.name.name, table.name.schema)
