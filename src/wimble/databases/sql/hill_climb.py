"""Hill climbing over the cells of a plan, guided by the distances of the command and of check constraints.

It starts from the constructed values, which most often satisfy all conditions already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from wimble.databases.conditions.stored_values import Cells, Value, json_value, number_of, of_type
from wimble.databases.sql.compiling import Judged
from wimble.databases.sql.parsing import parse_condition
from wimble.databases.sql.row_plan import Cell, Plan
from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.row_sources import MAX_COMBINATIONS
from wimble.databases.sql.scope import Scope, Tables, Unsupported
from wimble.databases.sql.sql_statements import new_compiler
from wimble.genes import EnumGene, Gene, NullableGene
from wimble.model.database import table_key

MAX_TRIES = 1_000
"""The largest number of evaluations of one climb, of a command that looks at few rows (some 50 µs each)."""
USUAL_COMBINATIONS = 100
"""How many combinations of rows are few. The more an evaluation looks at, the fewer there are, so that a climb takes no
longer: an ORM joins half a dozen tables for one object."""
LEAST_TRIES = MAX_TRIES * USUAL_COMBINATIONS // MAX_COMBINATIONS

BROKEN_CHECK = 10.0
"""Added to the distance for each broken check, since a row that the database refuses is useless."""


def solve(plan: Plan, request: RowRequest, genes: dict[Cell, Gene]) -> float:
    """Changes cells until the command would find rows and no check constraint is broken, or no move is an improvement.

    Returns the remaining distance: 0 if all conditions hold.
    """
    goal = _Goal(plan, request)
    distance = goal.distance()
    tries, most = 0, _most_tries(request) if distance > 0.0 else 0
    while distance > 0.0 and tries < most:
        best: tuple[float, Cell, Value] | None = None
        for cell, value in _moves(plan, goal, genes):
            tries += 1
            before, operand = plan.value(cell), plan.rows[cell[0]].operands.get(cell[1])
            plan.put(cell, value)
            moved = goal.distance()
            plan.put(cell, before, operand)
            if moved < (distance if best is None else best[0]):
                best = (moved, cell, value)
            if moved <= 0.0 or tries >= most:
                break
        if best is None:
            break
        distance = best[0]
        plan.put(best[1], best[2])
    return distance


def _most_tries(request: RowRequest) -> int:
    """Returns how many evaluations a climb may take, by the rows that each of them looks at."""
    numbers = sorted(_n_rows(request.tables, table) for table in request.statement.tree.find_all(exp.Table))
    combinations = numbers[-1] * max(1, sum(numbers[:-1])) if numbers else 0
    return max(LEAST_TRIES, MAX_TRIES * USUAL_COMBINATIONS // max(USUAL_COMBINATIONS, combinations))


def _n_rows(tables: Tables, table: exp.Table) -> int:
    name = table.name.lower()
    return len(tables.get(table_key(name, table.text("db").lower())) or tables.get(name) or ())


def distance_of(plan: Plan, request: RowRequest) -> float:
    """Returns the distance of the plan's rows from the conditions of the command and the checks: 0 if all hold."""
    return _Goal(plan, request).distance()


def _moves(plan: Plan, goal: _Goal, genes: dict[Cell, Gene]) -> Iterator[tuple[Cell, Value]]:
    for cell in _movable(plan, goal.mentioned, genes):
        for value in _candidates(plan, cell, genes[cell], goal.constants):
            yield cell, value


class _Goal:
    """The conditions to satisfy, and the constants in them."""

    def __init__(self, plan: Plan, request: RowRequest) -> None:
        self._plan = plan
        self._statement = request.statement
        self._tables = request.tables
        self._params = request.params
        self._checks: list[tuple[int, Judged]] = []
        dialect = request.database.dialect
        trees: list[exp.Expr] = [request.statement.tree]
        for index, row in enumerate(plan.rows):
            for check in row.table.checks:
                condition = parse_condition(check, dialect)
                if condition is None:
                    continue
                try:
                    self._checks.append((index, new_compiler(dialect).truth(condition)))
                    trees.append(condition)
                except Unsupported:
                    continue
        self.mentioned = {column.name.lower() for tree in trees for column in tree.find_all(exp.Column)}
        literals = [literal for tree in trees for literal in tree.find_all(exp.Literal)]
        found = [literal.this if literal.is_string else number_of(literal.this) for literal in literals]
        self.constants = [*request.params, *found]

    def distance(self) -> float:
        """Returns the distance: 0 if all conditions hold."""
        total = 0.0
        for index, check in self._checks:
            try:
                truth = check(Scope({}, (), aliases={"": self._cells(index)}))
            except Unsupported:
                continue
            # A check that evaluates to NULL is satisfied.
            total += BROKEN_CHECK + truth.to_true if truth.value is False else 0.0
        found = self._statement.truth(self._with_plan(), self._params)
        return total + (0.0 if found is None else found.to_true)

    def _cells(self, index: int) -> Cells:
        row = self._plan.rows[index]
        return {column.name.lower(): row.values.get(column.name.lower()) for column in row.table.columns}

    def _with_plan(self) -> Tables:
        tables = dict(self._tables)
        for key, rows in self._plan.cells().items():
            tables[key] = [*tables.get(key, ()), *rows]
        return tables


def _movable(plan: Plan, mentioned: set[str], genes: dict[Cell, Gene]) -> list[Cell]:
    """Returns the cells whose columns appear in conditions, one for each group of linked cells."""
    cells = [(index, name) for index, row in enumerate(plan.rows) for name in list(row.values) if name in mentioned]
    return [cell for cell in cells if cell in genes and plan.linked(cell)[0] == cell]


def _candidates(plan: Plan, cell: Cell, gene: Gene, constants: Sequence[Value]) -> Iterator[Value]:
    column = next(one for one in plan.rows[cell[0]].table.columns if one.name.lower() == cell[1])
    inner = gene.gene if isinstance(gene, NullableGene) else gene
    current = plan.value(cell)
    others = [row.values[name] for row in plan.rows for name in row.values]
    pool: list[Value] = list(inner.options) if isinstance(inner, EnumGene) else []
    for value in (current, *others, *constants):
        pool.append(value)
        number = number_of(value)
        if number is not None and column.type in ("integer", "decimal", "float"):
            pool += [
                number + 1,
                number - 1,
                number + 10,
                -number,
                number // 2 if isinstance(number, int) else number / 2,
            ]
    seen = {repr(current)}
    for value in pool:
        typed = of_type(column.type, value)
        if typed is not None and repr(typed) not in seen and inner.with_value(json_value(column, typed)) is not None:
            seen.add(repr(typed))
            yield typed
    if isinstance(gene, NullableGene) and current is not None:
        yield None
