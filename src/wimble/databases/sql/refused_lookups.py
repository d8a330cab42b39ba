"""Numbers with which a database refuses to look for rows: PostgreSQL, if an integer column cannot hold them."""

from __future__ import annotations

from sqlglot import exp

from wimble.databases.database_language import LimitedValue
from wimble.databases.sql.operand_values import operand_value
from wimble.databases.sql.parsing import conjuncts, parse, place_of
from wimble.databases.sql.refused_writes import beyond_limit, limited_value
from wimble.model.database import Column, Database, DatabaseCommand

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


def limited_operands_of(command: DatabaseCommand, database: Database) -> list[LimitedValue]:
    """Returns the whole numbers that are compared with integer columns as parameters, which get the column's type.

    An empty list for other databases than PostgreSQL: these find no row, and say nothing.
    """
    tree = parse(command.text, database.dialect) if database.dialect == "postgres" else None
    where = tree.args.get("where") if tree is not None else None
    if tree is None or where is None:
        return []
    found = []
    for node in conjuncts(where.this):
        operand = _operand(node)
        named = _integer_column(node.this, tree, database) if operand is not None else None
        if operand is None or named is None:
            continue
        table, column = named
        value = limited_value(operand_value(operand, command.params), column)
        beyond = beyond_limit(column)
        if value is not None and beyond is not None:
            found.append(LimitedValue(f"{table}.{column.name}", value, beyond))
    return found


def _operand(node: exp.Expr) -> exp.Expr | None:
    """Returns the parameter with which a condition compares; None if there is none, or it has a type of its own."""
    if isinstance(node, _COMPARISONS):
        operand = node.expression
    elif isinstance(node, exp.In) and node.expressions:
        operand = node.expressions[0]
    else:
        return None
    return operand if place_of(operand.unnest()) is not None else None


def _integer_column(node: exp.Expr, tree: exp.Expr, database: Database) -> tuple[str, Column] | None:
    """Returns the table's name, and the column that a node names, if it is one of integers."""
    if not isinstance(node, exp.Column):
        return None
    for named in tree.find_all(exp.Table):
        table = database.table_called(named.name, named.text("db"))
        if table is None or (node.table and node.table != named.alias_or_name):
            continue
        column = table.column(node.name)
        if column is not None:
            return (table.name.name, column) if column.type == "integer" else None
    return None
