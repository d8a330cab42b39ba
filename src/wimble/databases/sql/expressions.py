"""Compiles the values of expressions: columns, constants, arithmetic, CASE, casts, JSON paths, sub-queries."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlglot import exp

from wimble.databases.conditions.stored_values import (
    Value,
    number_of,
    of_type,
    parsed_json,
    text_of,
    to_number,
    to_time,
)
from wimble.databases.sql.compiling import Compiler, Valued, ValueRule
from wimble.databases.sql.parsing import place_of
from wimble.databases.sql.scope import NOW, Scope, Unsupported
from wimble.model.database import ColumnType

CAST_TYPES: dict[str, ColumnType] = {
    **dict.fromkeys(("INT", "BIGINT", "SMALLINT", "TINYINT", "MEDIUMINT", "UBIGINT", "UINT"), "integer"),
    **dict.fromkeys(("DECIMAL", "FLOAT", "DOUBLE", "MONEY"), "float"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMPTZ", "DATETIME", "TIMESTAMPLTZ"), "timestamp"),
    **dict.fromkeys(("TEXT", "VARCHAR", "CHAR", "NCHAR", "NVARCHAR", "NAME"), "text"),
    **dict.fromkeys(("JSON", "JSONB"), "json"),
    "BOOLEAN": "boolean",
    "DATE": "date",
    "UUID": "uuid",
    "INTERVAL": "interval",
    "ARRAY": "array",
}
"""Type name in a cast -> type of the value."""

_UNITS = {
    "MICROSECOND": 1e-6,
    "MILLISECOND": 1e-3,
    "SECOND": 1.0,
    "MINUTE": 60.0,
    "HOUR": 3600.0,
    "DAY": 86_400.0,
    "WEEK": 7 * 86_400.0,
    "MONTH": 30 * 86_400.0,
    "QUARTER": 91 * 86_400.0,
    "YEAR": 365 * 86_400.0,
}
"""Unit -> seconds. Months, quarters and years are approximate, which suffices for distances."""


def _column(compiler: Compiler, node: exp.Expr) -> Valued:
    name, alias = node.name.lower(), node.text("table").lower()
    if name == "*":
        raise Unsupported("*")
    if compiler.dialect == "sqlite" and _is_text_in_double_quotes(node):
        text = node.name

        def column_or_text(scope: Scope) -> Value:
            try:
                return scope.column(name, alias)
            except Unsupported:
                return text

        return column_or_text
    return lambda scope: scope.column(name, alias)


def _is_text_in_double_quotes(node: exp.Expr) -> bool:
    """Returns whether a column is written as "x", which SQLite reads as a text if no column has that name."""
    return isinstance(node.this, exp.Identifier) and bool(node.this.args.get("quoted")) and not node.text("table")


def _literal(compiler: Compiler, node: exp.Expr) -> Valued:
    value: Value = node.this if node.args.get("is_string") else to_number(str(node.this))
    return lambda scope: value


def _boolean(compiler: Compiler, node: exp.Expr) -> Valued:
    value = bool(node.this)
    return lambda scope: value


def _placeholder(compiler: Compiler, node: exp.Expr) -> Valued:
    place = place_of(node)
    if isinstance(place, int):
        index = place
        return lambda scope: scope.param(index)
    if place is None:
        raise Unsupported("placeholder")
    name = place
    return lambda scope: scope.named_param(name)


def _inner(compiler: Compiler, node: exp.Expr) -> Valued:
    return compiler.arg(node, "this")


def _arithmetic(compute: Callable[[float, float], float]) -> ValueRule:
    def rule(compiler: Compiler, node: exp.Expr) -> Valued:
        left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")

        def evaluate(scope: Scope) -> Value:
            return _computed(compute, left(scope), right(scope))

        return evaluate

    return rule


def _computed(compute: Callable[[float, float], float], left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    if isinstance(right, timedelta) and isinstance(left, str):
        left = to_time(left) or left
    if isinstance(left, (datetime, timedelta)) or isinstance(right, (datetime, timedelta)):
        try:
            return compute(left, right)
        except (TypeError, OverflowError):
            return None
    one, other = number_of(left), number_of(right)
    if one is None or other is None:
        return None
    try:
        return compute(one, other)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None


def _division(compiler: Compiler, node: exp.Expr) -> Valued:
    """Compiles a division. The quotient of two integers is an integer, except for `/` in MySQL."""
    left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")
    compute = operator.truediv if compiler.dialect == "mysql" and not isinstance(node, exp.IntDiv) else _divided
    return lambda scope: _computed(compute, left(scope), right(scope))


def _divided(left: float, right: float) -> float:
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


def _remainder(left: float, right: float) -> float:
    """Returns the remainder, which has the sign of the dividend."""
    remainder = abs(left) % abs(right)
    return remainder if left >= 0 else -remainder


def _negative(compiler: Compiler, node: exp.Expr) -> Valued:
    inner = compiler.arg(node, "this")

    def evaluate(scope: Scope) -> Value:
        number = number_of(inner(scope))
        return None if number is None else -number

    return evaluate


def _joined(compiler: Compiler, node: exp.Expr) -> Valued:
    """Compiles the concatenation `||`."""
    left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")

    def evaluate(scope: Scope) -> Value:
        one, other = text_of(left(scope)), text_of(right(scope))
        return None if one is None or other is None else one + other

    return evaluate


def _case(compiler: Compiler, node: exp.Expr) -> Valued:
    ifs = [branch for branch in node.args.get("ifs") or () if isinstance(branch, exp.Expr)]
    subject = node.args.get("this")
    conditions = [
        compiler.truth(branch.this if subject is None else exp.EQ(this=subject.copy(), expression=branch.this.copy()))
        for branch in ifs
    ]
    results = [compiler.arg(branch, "true") for branch in ifs]
    default = node.args.get("default")
    otherwise = compiler.value(default) if isinstance(default, exp.Expr) else _null

    def evaluate(scope: Scope) -> Value:
        for condition, result in zip(conditions, results, strict=True):
            if condition(scope).value:
                return result(scope)
        return otherwise(scope)

    return evaluate


def _if(compiler: Compiler, node: exp.Expr) -> Valued:
    condition, yes = compiler.truth(node.this), compiler.arg(node, "true")
    default = node.args.get("false")
    no = compiler.value(default) if isinstance(default, exp.Expr) else _null
    return lambda scope: yes(scope) if condition(scope).value else no(scope)


def _null(scope: Scope) -> Value:
    return None


def _cast(compiler: Compiler, node: exp.Expr) -> Valued:
    inner = compiler.arg(node, "this")
    name = node.args["to"].this.name if isinstance(node.args.get("to"), exp.DataType) else ""
    wanted = CAST_TYPES.get(name)
    if wanted is None:
        return inner
    kind: ColumnType = wanted
    return lambda scope: cast(inner(scope), kind)


def cast(value: Value, kind: ColumnType) -> Value:
    """Returns `CAST(value AS kind)`, as far as all dialects agree."""
    if value is None:
        return None
    if kind in ("text", "uuid"):
        return text_of(value)
    if kind in ("integer", "float"):
        number = number_of(value)
        if number is None:
            return 0 if isinstance(value, str) else None
        return int(number) if kind == "integer" else float(number)
    if kind == "date":
        moment = to_time(value) if isinstance(value, str) else value
        return datetime(moment.year, moment.month, moment.day) if isinstance(moment, datetime) else None
    if kind == "interval" and isinstance(value, str):
        return interval_of(value, "")
    return of_type(kind, value)


def _interval(compiler: Compiler, node: exp.Expr) -> Valued:
    amount = compiler.arg(node, "this")
    unit = node.text("unit").upper()

    def evaluate(scope: Scope) -> Value:
        given = amount(scope)
        return given if isinstance(given, timedelta) else interval_of(text_of(given) or "", unit)

    return evaluate


def interval_of(text: str, unit: str) -> timedelta | None:
    """Returns the interval of a text such as `7 days`, or such as `7` with the unit in `unit`; None if it is none."""
    number, _, named = text.strip().partition(" ")
    amount = to_number(number)
    seconds = _UNITS.get((named or unit).strip().upper().rstrip("S"))
    if amount is None or seconds is None:
        return None
    try:
        return timedelta(seconds=amount * seconds)
    except OverflowError:
        return None


def _now(compiler: Compiler, node: exp.Expr) -> Valued:
    text = NOW.isoformat(sep=" ")
    return (lambda scope: text) if compiler.dialect == "sqlite" else (lambda scope: NOW)


def _today(compiler: Compiler, node: exp.Expr) -> Valued:
    text = NOW.date().isoformat()
    return (lambda scope: text) if compiler.dialect == "sqlite" else (lambda scope: NOW)


def _tuple(compiler: Compiler, node: exp.Expr) -> Valued:
    parts = [compiler.value(part) for part in node.expressions]
    return lambda scope: [part(scope) for part in parts]


def _scalar_subquery(compiler: Compiler, node: exp.Expr) -> Valued:
    query = compiler.query(node)

    def evaluate(scope: Scope) -> Value:
        rows = query.rows(scope)
        return next(iter(rows[0].values()), None) if rows else None

    return evaluate


# -- JSON ---------------------------------------------------------------------------------------------------------


def json_steps(node: exp.Expr) -> list[str | int] | None:
    """Returns the keys and indexes of a JSON path that is a literal; None for other paths."""
    path = node.args.get("expression")
    if isinstance(path, exp.JSONPath):
        steps: list[str | int] = []
        for part in path.expressions:
            if isinstance(part, (exp.JSONPathKey, exp.JSONPathSubscript)):
                steps.append(part.this)
            elif not isinstance(part, exp.JSONPathRoot):
                return None
        return steps
    if isinstance(path, exp.Literal):
        text = str(path.this)
        if text.startswith("{") and text.endswith("}"):
            return [int(step) if step.isdigit() else step for step in text[1:-1].split(",") if step]
        return [text] if path.is_string else [int(text)]
    return None


def _json_path(compiler: Compiler, node: exp.Expr) -> Valued:
    owner = compiler.arg(node, "this")
    steps = json_steps(node)
    if steps is None:
        key = compiler.arg(node, "expression")
        return lambda scope: _json_at(owner(scope), [key(scope)])
    known = steps
    is_text = isinstance(node, (exp.JSONExtractScalar, exp.JSONBExtractScalar)) and compiler.dialect == "postgres"

    def evaluate(scope: Scope) -> Value:
        found = _json_at(owner(scope), known)
        return text_of(found) if is_text else found

    return evaluate


def _json_at(value: Value, steps: list[str | int]) -> Value:
    if isinstance(value, str):
        value = parsed_json(value)
    for step in steps:
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


EXPRESSIONS: dict[type[exp.Expr], ValueRule] = {
    exp.Column: _column,
    exp.Literal: _literal,
    exp.Boolean: _boolean,
    exp.Null: lambda compiler, node: _null,
    exp.Placeholder: _placeholder,
    exp.Parameter: _placeholder,
    exp.Paren: _inner,
    exp.Alias: _inner,
    exp.Collate: _inner,
    exp.Add: _arithmetic(operator.add),
    exp.Sub: _arithmetic(operator.sub),
    exp.Mul: _arithmetic(operator.mul),
    exp.Mod: _arithmetic(_remainder),
    exp.Div: _division,
    exp.IntDiv: _division,
    exp.BitwiseAnd: _arithmetic(lambda left, right: int(left) & int(right)),
    exp.BitwiseOr: _arithmetic(lambda left, right: int(left) | int(right)),
    exp.Neg: _negative,
    exp.DPipe: _joined,
    exp.Case: _case,
    exp.If: _if,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Interval: _interval,
    exp.CurrentTimestamp: _now,
    exp.CurrentDate: _today,
    exp.CurrentDatetime: _now,
    exp.Tuple: _tuple,
    exp.Array: _tuple,
    exp.Subquery: _scalar_subquery,
    exp.Select: _scalar_subquery,
    exp.JSONExtract: _json_path,
    exp.JSONExtractScalar: _json_path,
    exp.JSONBExtract: _json_path,
    exp.JSONBExtractScalar: _json_path,
}
