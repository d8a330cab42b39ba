"""Aggregate functions (COUNT, SUM, MIN, MAX, AVG and similar) over the rows of a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from wimble.databases.conditions.stored_values import Value, number_of, text_of
from wimble.databases.sql.compiling import Compiler, Valued, ValueRule
from wimble.databases.sql.scope import Scope, Unsupported


def _rows_of(scope: Scope) -> Iterator[Scope]:
    if scope.group is None:
        raise Unsupported("aggregate")
    return iter(scope.group)


def _counted(compiler: Compiler, node: exp.Expr) -> Valued:
    inner = node.this
    if inner is None or isinstance(inner, exp.Star):
        return lambda scope: sum(1 for _ in _rows_of(scope))
    values = _known_values(compiler, inner)
    return lambda scope: len(values(scope))


def _known_values(compiler: Compiler, node: exp.Expr) -> Callable[[Scope], list[Value]]:
    """Compiles the values of a group's rows, without NULLs; with `DISTINCT`, each value once."""
    is_distinct = isinstance(node, exp.Distinct)
    inner = compiler.value(node.expressions[0] if is_distinct else node)

    def evaluate(scope: Scope) -> list[Value]:
        values = [value for row in _rows_of(scope) if (value := inner(row)) is not None]
        return list({text_of(value): value for value in values}.values()) if is_distinct else values

    return evaluate


def _of_values(compute: Callable[[list[Value]], Value]) -> ValueRule:
    def rule(compiler: Compiler, node: exp.Expr) -> Valued:
        values = _known_values(compiler, node.this)

        def evaluate(scope: Scope) -> Value:
            try:
                return compute(values(scope))
            except (TypeError, OverflowError):
                return None

        return evaluate

    return rule


def _of_numbers(compute: Callable[[list[float]], Value]) -> ValueRule:
    return _of_values(lambda values: compute([number_of(value) or 0 for value in values]) if values else None)


def _filtered(compiler: Compiler, node: exp.Expr) -> Valued:
    """Compiles an aggregate with a filter, such as `COUNT(*) FILTER (WHERE ...)`."""
    aggregate, condition = compiler.value(node.this), compiler.truth(node.expression.this)

    def evaluate(scope: Scope) -> Value:
        kept = [row for row in _rows_of(scope) if condition(row).value]
        return aggregate(Scope(scope.tables, scope.params, scope.outer, scope.aliases, kept))

    return evaluate


def is_aggregate(node: exp.Expr) -> bool:
    """Returns whether the expression contains an aggregate function outside of sub-queries and windows."""
    if isinstance(node, (exp.Subquery, exp.Select, exp.Window)):
        return False
    if isinstance(node, exp.AggFunc):
        return True
    return any(is_aggregate(child) for child in node.iter_expressions())


AGGREGATES: dict[type[exp.Expr], ValueRule] = {
    exp.Count: _counted,
    exp.Sum: _of_numbers(sum),
    exp.Avg: _of_numbers(lambda numbers: sum(numbers) / len(numbers)),
    exp.Min: _of_values(lambda values: min(values, default=None)),
    exp.Max: _of_values(lambda values: max(values, default=None)),
    exp.LogicalOr: _of_values(lambda values: any(values) if values else None),
    exp.LogicalAnd: _of_values(lambda values: all(values) if values else None),
    exp.GroupConcat: _of_values(lambda values: ",".join(text_of(value) or "" for value in values) if values else None),
    exp.ArrayAgg: _of_values(lambda values: values or None),
    exp.Filter: _filtered,
}
