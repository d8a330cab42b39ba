"""The scope in which an expression is evaluated: the current rows, the parameters, and the tables of sub-queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, TypeAlias

from wimble.databases.conditions.stored_values import Cells, Value
from wimble.model.database import table_key

NOW: Final = datetime(2026, 1, 1)
"""The value of `NOW()` and similar functions, fixed so that no decision of the search depends on the clock. It affects
distances only, since the driver reports what a query really found."""

Tables: TypeAlias = Mapping[str, Sequence[Cells]]
"""The existing rows, by `table_key` of model.database. A missing table counts as unknown, not as empty."""


class Unsupported(Exception):
    """Raised for a part of a command that is not understood, so that no distance is known."""


class Scope:
    """The current row of each alias (in lower case). `outer` is the scope of the query around a sub-query."""

    __slots__ = ("aliases", "derived", "group", "outer", "params", "tables")

    def __init__(
        self,
        tables: Tables,
        params: Sequence[Value],
        outer: Scope | None = None,
        aliases: dict[str, Cells] | None = None,
        group: Sequence[Scope] | None = None,
    ) -> None:
        self.tables = tables
        self.params = params
        self.outer = outer
        self.aliases: dict[str, Cells] = aliases if aliases is not None else {}
        self.group = group
        """The rows of the group that aggregate functions are computed over; None outside of a group."""
        self.derived: dict[str, Sequence[Cells]] = outer.derived if outer is not None else {}
        """Rows of common table expressions."""

    def with_alias(self, alias: str, row: Cells) -> Scope:
        """Returns a copy of the scope in which `row` is the current row of `alias`."""
        scope = Scope(self.tables, self.params, self.outer, {**self.aliases, alias: row}, self.group)
        scope.derived = self.derived
        return scope

    def with_group(self, members: Sequence[Scope]) -> Scope:
        """Returns a copy of the scope that stands for a group of rows."""
        scope = Scope(self.tables, self.params, self.outer, self.aliases, members)
        scope.derived = self.derived
        return scope

    def below(self, derived: dict[str, Sequence[Cells]] | None = None) -> Scope:
        """Returns the scope of a query in this one. derived: rows of its common table expressions, if it has any."""
        scope = Scope(self.tables, self.params, self)
        if derived is not None:
            scope.derived = derived
        return scope

    def column(self, name: str, alias: str = "") -> Value:
        """Returns the value of a column, also of the outer query. Raises: Unsupported, for an unknown column."""
        if alias:
            row = self.aliases.get(alias)
            if row is not None and name in row:
                return row[name]
        else:
            for row in self.aliases.values():
                if name in row:
                    return row[name]
        if self.outer is not None:
            return self.outer.column(name, alias)
        raise Unsupported(f"column {alias}.{name}")

    def table(self, name: str, schema: str) -> Sequence[Cells]:
        """Returns the rows of a table, with or without the schema in its key.

        Raises: Unsupported, if the rows of the table were not read.
        """
        if not schema and name in self.derived:
            return self.derived[name]
        rows = self.tables.get(table_key(name, schema))
        if rows is None:
            rows = self.tables.get(name)
        if rows is None:
            raise Unsupported(f"table {table_key(name, schema)}")
        return rows

    def param(self, index: int) -> Value:
        """Returns a parameter by its index. Raises: Unsupported, if it was not reported."""
        if index < len(self.params):
            return self.params[index]
        raise Unsupported(f"parameter {index}")

    def named_param(self, name: str) -> Value:
        """Returns a named parameter, a member of an object among the parameters. Raises: Unsupported."""
        for given in self.params:
            if isinstance(given, dict):
                for key in (name, f":{name}", f"@{name}", f"${name}"):
                    if key in given:
                        return given[key]
        raise Unsupported(f"parameter {name}")
