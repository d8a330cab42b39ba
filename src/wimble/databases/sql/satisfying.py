"""Solves with Z3 the conditions that construction and hill climbing do not satisfy: relations of columns, arithmetic.

The variables are the cells of a plan, one for each group of linked cells, and the parameters of the command. Checks and
conditions are hard constraints. Soft constraints keep the present values; those of parameters have a larger weight,
since a changed parameter requires a changed input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import z3
from sqlglot import exp

from wimble.databases.conditions.stored_values import Value
from wimble.databases.sql.formulas import Formulas, Lookup, Term, constant_of, value_of
from wimble.databases.sql.parsing import parse_condition
from wimble.databases.sql.row_plan import Cell, Plan
from wimble.databases.sql.scope import Unsupported
from wimble.genes import EnumGene, Gene, IntegerGene, NullableGene, NumberGene, StringGene
from wimble.model.database import Column, Database

EFFORT = 3_000_000
"""The limit of Z3's own count of steps (about a second); a limit in time would make runs differ. A tenth of it suffices
for most problems, but with a tenth two of the guards on data were passed with two of three seeds instead of all."""
EFFORT_WITH_ORDER_OF_TEXTS = EFFORT // 10
"""The limit for conditions that compare texts by their order, as optional filters of an API do. Problems that Z3 does
not solve within it are rarely solved with more. On platformatic's API, such conditions took a fifth of the time of a
search."""
PARAMETER_WEIGHT = 20
"""Weight of the soft constraint that keeps a parameter; that of a cell is 1."""
FIRST_DAY, LAST_DAY = -25_000, 50_000
"""From 1901 to 2106, in days since 1970."""
MAX_TEXT = 100
"""The largest length of a solved text, in characters."""


class Solved(msgspec.Struct, frozen=True):
    """Values that satisfy the problem."""

    cells: dict[Cell, Value]
    params: tuple[Value, ...]


class Unsolved(msgspec.Struct, frozen=True, eq=False):
    """A plan whose conditions, or the checks of whose rows, do not hold yet."""

    plan: Plan
    database: Database
    params: Sequence[Value]
    genes: dict[Cell, Gene]
    """The genes of the cells, with the limits of their values."""
    kept: frozenset[Cell] = frozenset()
    """Cells that must not change."""
    kept_params: frozenset[int] = frozenset()
    """Indexes of parameters that must not change."""


def satisfied(unsolved: Unsolved) -> Solved | None:
    """Returns values that satisfy the checks of all planned rows and the conditions of the plan.

    None if Z3 finds none.
    """
    try:
        return _Problem(unsolved).solved()
    except (z3.Z3Exception, OverflowError):
        return None


class _Problem:
    def __init__(self, unsolved: Unsolved) -> None:
        self._kept = unsolved.kept
        self._kept_params = unsolved.kept_params
        self._plan = unsolved.plan
        self._database = unsolved.database
        self._params = unsolved.params
        self._genes = unsolved.genes
        self._optimizer = z3.Optimize()
        self._cells: dict[Cell, tuple[Term, Column]] = {}
        self._places: dict[int, Term] = {}

    def solved(self) -> Solved | None:
        is_exact = self._database.dialect == "mysql"
        n_conditions, effort = 0, EFFORT
        for index, row in enumerate(self._plan.rows):
            formulas = Formulas(self._in_row(index), self._parameter, divides_exactly=is_exact)
            for check in row.table.checks:
                condition = parse_condition(check, self._database.dialect)
                if condition is not None:
                    n_conditions += self._add(formulas.conjuncts(condition))
        for condition, cell_of in self._plan.conditions:
            formulas = Formulas(
                lambda column, cell_of=cell_of: self._column(cell_of(column)),  # type: ignore[misc]
                self._parameter,
                divides_exactly=is_exact,
            )
            n_conditions += self._add(formulas.conjuncts(condition))
            if formulas.has_order_of_texts:
                effort = EFFORT_WITH_ORDER_OF_TEXTS
        self._optimizer.set("rlimit", effort)
        if n_conditions == 0 or self._optimizer.check() != z3.sat:
            return None
        return self._read(self._optimizer.model())

    def _add(self, conjuncts: list[Term]) -> int:
        self._optimizer.add(*conjuncts)
        return len(conjuncts)

    def _read(self, model: Any) -> Solved:
        cells = {}
        for cell, (variable, column) in self._cells.items():
            value = model.eval(variable, model_completion=True)
            cells[cell] = value_of(value, is_day=column.type in ("date", "timestamp"))
        params = list(self._params)
        for place, variable in self._places.items():
            before = params[place]
            after = value_of(model.eval(variable, model_completion=True), is_day=False)
            params[place] = str(after) if isinstance(before, str) and not isinstance(after, str) else after
        return Solved(cells, tuple(params))

    # -- variables ------------------------------------------------------------------------------------------------

    def _in_row(self, index: int) -> Lookup:
        def look_up(column: exp.Column) -> Term:
            return self._column((index, column.name.lower()))

        return look_up

    def _column(self, cell: Cell | None) -> Term:
        """Returns the variable of a cell. Raises: Unsupported, if the cell has no value or its type no variables."""
        if cell is None or not self._plan.has(cell) or self._plan.value(cell) is None:
            raise Unsupported("no cell")
        root = self._plan.linked(cell)[0]
        known = self._cells.get(root)
        if known is not None:
            return known[0]
        gene = self._genes.get(root) or self._genes.get(cell)
        table = self._plan.rows[cell[0]].table
        column = next(one for one in table.columns if one.name.lower() == cell[1])
        variable = self._variable(f"{root[0]}.{root[1]}", column)
        if gene is not None:
            self._bound(variable, gene.gene if isinstance(gene, NullableGene) else gene, column)
        if cell in self._kept:
            self._optimizer.add(variable == constant_of(self._plan.value(cell), variable.sort()))
        else:
            self._prefer(variable, self._plan.value(root), 1)
        self._cells[root] = variable, column
        return variable

    def _variable(self, name: str, column: Column) -> Term:
        match column.type:
            case "integer" | "date":
                return z3.Int(name)
            case "decimal" | "float":
                return z3.Real(name)
            case "boolean":
                return z3.Bool(name)
            case "text" | "enum":
                return z3.String(name)
        raise Unsupported(column.type)

    def _bound(self, variable: Term, gene: Gene, column: Column) -> None:
        """Adds the limits of the column as hard constraints."""
        if column.type == "date":
            self._optimizer.add(variable >= FIRST_DAY, variable <= LAST_DAY)
        if isinstance(gene, EnumGene):
            self._optimizer.add(z3.Or(*(variable == constant_of(one, variable.sort()) for one in gene.options)))
        elif isinstance(gene, (IntegerGene, NumberGene)):
            for limit, is_low in ((gene.minimum, True), (gene.maximum, False)):
                if limit is not None:
                    bound = constant_of(limit, variable.sort())
                    self._optimizer.add(bound <= variable if is_low else variable <= bound)
            if column.type == "decimal":
                self._optimizer.add(z3.IsInt(variable * 10 ** (column.scale or 0)))
        elif isinstance(gene, StringGene) and z3.is_string(variable):
            self._optimizer.add(z3.Length(variable) <= min(gene.max_length or MAX_TEXT, MAX_TEXT))

    def _parameter(self, place: int | str) -> Term:
        if not isinstance(place, int) or place >= len(self._params):
            raise Unsupported("a parameter by name")
        known = self._places.get(place)
        if known is None:
            value = self._params[place]
            name = f"parameter {place}"
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                raise Unsupported("a parameter of another type")
            known = (
                z3.Int(name)
                if isinstance(value, int)
                else z3.Real(name)
                if isinstance(value, float)
                else z3.String(name)
            )
            if place in self._kept_params:
                self._optimizer.add(known == constant_of(value, known.sort()))
            else:
                self._prefer(known, value, PARAMETER_WEIGHT)
            self._places[place] = known
        return known

    def _prefer(self, variable: Term, value: Value, weight: int) -> None:
        try:
            self._optimizer.add_soft(variable == constant_of(value, variable.sort()), weight)
        except Unsupported:
            return
