"""Repairs rows of a changed test case that break a check constraint: keeps the change and adjusts other columns.

A mutation or an edit of one column may break a check that relates it to others (`net + tax = gross`), and no further
mutation of a single column repairs that.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from wimble.databases.conditions.stored_values import Value, json_value, of_type
from wimble.databases.sql.compiling import Judged
from wimble.databases.sql.parsing import parse_condition
from wimble.databases.sql.row_plan import Cell, Plan
from wimble.databases.sql.scope import Scope, Unsupported
from wimble.databases.sql.sql_statements import new_compiler
from wimble.genes import Gene, LinkedGene
from wimble.model.database import Column, Database, Dialect, Table
from wimble.model.setup import value_of
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import TestCase
from wimble.types import ABSENT


def repaired(changed: TestCase, before: TestCase) -> TestCase:
    """Returns `changed`, which was made from `before`, with the rows repaired that break a check.

    A row for which no repair is found stays as it is.
    """
    for number, action in enumerate(changed.setup):
        if not isinstance(action, InsertRow) or not action.checks:
            continue
        values = _values(changed, action)
        if not _is_broken(action.checks, action.dialect, values):
            continue
        mended = _mended(action, values, _kept(action, values, before, number))
        if mended is not None:
            tried = changed.with_action(number, mended)
            # Repairing a cell also changes the cells linked to it.
            if not _is_broken(action.checks, action.dialect, _values(tried, mended)):
                changed = tried
    return changed


def _values(test_case: TestCase, action: InsertRow) -> dict[str, Value]:
    """Returns the row's values by column name in lower case, without columns that the database fills."""
    return {
        column.name.lower(): of_type(column.type, value)
        for column, gene in zip(action.columns, action.genes, strict=True)
        if (value := value_of(test_case, gene)) is not ABSENT
    }


def _is_broken(checks: tuple[str, ...], dialect: Dialect, values: dict[str, Value]) -> bool:
    scope = Scope({}, (), aliases={"": values})
    for check in checks:
        judged = _judged(check, dialect)
        try:
            if judged is not None and judged(scope).value is False:
                return True
        except (Unsupported, ArithmeticError, TypeError, ValueError):
            continue
    return False


@lru_cache(maxsize=1024)
def _judged(check: str, dialect: Dialect) -> Judged | None:
    condition = parse_condition(check, dialect)
    try:
        return new_compiler(dialect).truth(condition) if condition is not None else None
    except Unsupported:
        return None


def _kept(action: InsertRow, values: dict[str, Value], before: TestCase, number: int) -> frozenset[Cell]:
    """Returns the cells that must not change: those that have just been changed, and those linked to other values."""
    names = {
        column.name.lower()
        for column, gene in zip(action.columns, action.genes, strict=True)
        if isinstance(gene, LinkedGene)
    }
    old = before.setup[number] if number < len(before.setup) else None
    if isinstance(old, InsertRow) and old.table == action.table:
        earlier = _values(before, old)
        names |= {name for name, value in values.items() if earlier.get(name) != value}
    return frozenset((0, name) for name in names)


def _mended(action: InsertRow, values: dict[str, Value], kept: frozenset[Cell]) -> InsertRow | None:
    from wimble.databases.sql.satisfying import (  # Z3 takes a moment to import, and most programs do not need it
        Unsolved,
        satisfied,
    )

    plan = Plan()
    plan.add(Table(name=action.table, columns=action.columns, checks=action.checks))
    genes: dict[Cell, Gene] = {}
    for column, gene in zip(action.columns, action.genes, strict=True):
        cell = (0, column.name.lower())
        if cell[1] in values:
            plan.put(cell, values[cell[1]])
            genes[cell] = gene.fallback if isinstance(gene, LinkedGene) else gene
    solved = satisfied(Unsolved(plan, Database(id=action.database, dialect=action.dialect), (), genes, kept))
    if solved is None:
        return None
    found = {name: value for (_, name), value in solved.cells.items()}
    genes_mended = tuple(
        _with_value(column, gene, found, values) for column, gene in zip(action.columns, action.genes, strict=True)
    )
    return msgspec.structs.replace(action, genes=genes_mended)


def _with_value(column: Column, gene: Gene, found: dict[str, Value], values: dict[str, Value]) -> Gene:
    name = column.name.lower()
    if name not in found or found[name] == values[name]:
        return gene
    return gene.with_value(json_value(column, found[name])) or gene
