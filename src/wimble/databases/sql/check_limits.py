"""Limits of columns from the check constraints of their table."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from wimble.databases.conditions.stored_values import NUMERIC_TYPES, Value, number_of
from wimble.databases.rows.column_genes import Limits, limits_of_model
from wimble.databases.sql.parsing import conjuncts, parse_condition
from wimble.databases.sql.scope import Scope, Unsupported
from wimble.databases.sql.sql_statements import new_compiler
from wimble.model.database import Column, ColumnRules, Dialect, Table


def limits_of(
    table: Table, dialect: Dialect, obeys: Callable[[ColumnRules], bool] = lambda rules: True
) -> dict[str, Limits]:
    """Returns the limits of each column, by name in lower case.

    Checks that relate several columns are ignored here; `hill_climb.py` treats them. obeys: decides whether a column
    keeps its model's rules.
    """
    limits = {
        column.name.lower(): limits_of_model(column.rules, is_text=column.type != "json")
        if column.rules is not None and obeys(column.rules)
        else Limits()
        for column in table.columns
    }
    for check in table.checks:
        condition = parse_condition(check, dialect)
        if condition is not None:
            for part in conjuncts(condition):
                _apply(part, limits, table, dialect)
    return limits


def _apply(node: exp.Expr, limits: dict[str, Limits], table: Table, dialect: Dialect) -> None:
    subject = node.this.unnest() if isinstance(node.args.get("this"), exp.Expr) else None
    is_length = isinstance(subject, exp.Length)
    while isinstance(subject, (exp.Cast, exp.Length, exp.Paren)):
        subject = subject.this
    if not isinstance(subject, exp.Column) or subject.name.lower() not in limits:
        return
    own = limits[subject.name.lower()]
    column = next(column for column in table.columns if column.name.lower() == subject.name.lower())
    if isinstance(node, exp.In) and not is_length:
        own.allow_only(_constants(node.expressions, dialect))
    elif isinstance(node, exp.EQ) and isinstance(node.expression.unnest(), exp.Any):
        array = node.expression.unnest().this.unnest()
        while isinstance(array, exp.Cast):
            array = array.this.unnest()
        own.allow_only(_constants(array.expressions, dialect) if isinstance(array, exp.Array) else ())
    elif isinstance(node, exp.Between):
        _bound(own, ">=", _constant(node.args["low"], dialect), column, is_length)
        _bound(own, "<=", _constant(node.args["high"], dialect), column, is_length)
    elif type(node) in _OPERATORS:
        _bound(own, _OPERATORS[type(node)], _constant(node.expression, dialect), column, is_length)


_OPERATORS: dict[type[exp.Expr], str] = {exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}


def _bound(limits: Limits, operator: str, value: Value, column: Column, is_length: bool) -> None:
    number = number_of(value)
    if number is None or not (is_length or column.type in NUMERIC_TYPES):
        return
    step = 1 if is_length or column.type == "integer" else 10 ** -(column.scale or 2)
    if operator in (">", ">="):
        low = number + step if operator == ">" else number
        if is_length:
            limits.bound_length(low=int(low))
        else:
            limits.bound_value(low=low)
    else:
        high = number - step if operator == "<" else number
        if is_length:
            limits.bound_length(high=int(high))
        else:
            limits.bound_value(high=high)


def _constants(nodes: list[exp.Expr], dialect: Dialect) -> tuple[Value, ...]:
    values = tuple(_constant(node, dialect) for node in nodes)
    return values if None not in values else ()


def _constant(node: exp.Expr, dialect: Dialect) -> Value:
    """Returns the value of a constant expression; None for other expressions."""
    try:
        return new_compiler(dialect).value(node)(Scope({}, ()))
    except Unsupported:
        return None
