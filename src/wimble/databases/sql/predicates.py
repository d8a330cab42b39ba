"""Compiles predicates to their truth, with the distances to both outcomes."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from wimble.databases.conditions.stored_values import Value, aligned, parsed_json
from wimble.databases.conditions.truth import FALSE, UNKNOWN, Truth, all_of, any_of, both, either, flag, graded, negated
from wimble.databases.conditions.value_distance import equal, ordered, same
from wimble.databases.sql.compiling import Compiler, Judged, TruthRule, Valued
from wimble.databases.sql.parsing import place_of
from wimble.databases.sql.pattern_predicates import glob, like, regex, similar
from wimble.databases.sql.scope import Scope, Unsupported

MAX_LISTED = 200
"""The largest number of values of a list that are compared."""


def _and(compiler: Compiler, node: exp.Expr) -> Judged:
    """Compiles a chain of ANDs, whose members all have the same weight, however they are bracketed."""
    parts = [compiler.truth(part) for part in _flattened(node, exp.And)]
    return lambda scope: all_of([part(scope) for part in parts])


def _or(compiler: Compiler, node: exp.Expr) -> Judged:
    parts = [compiler.truth(part) for part in _flattened(node, exp.Or)]
    return lambda scope: any_of([part(scope) for part in parts])


def _flattened(node: exp.Expr, kind: type[exp.Expr]) -> list[exp.Expr]:
    inner = node.unnest()
    if not isinstance(inner, kind):
        return [node]
    return [*_flattened(inner.this, kind), *_flattened(inner.expression, kind)]


def _not(compiler: Compiler, node: exp.Expr) -> Judged:
    inner = compiler.truth(node.this)
    return lambda scope: negated(inner(scope))


def _paren(compiler: Compiler, node: exp.Expr) -> Judged:
    return compiler.truth(node.this)


def _maybe_negated(node: exp.Expr, judged: Judged) -> Judged:
    if not node.args.get("negate"):
        return judged
    return lambda scope: negated(judged(scope))


# -- comparisons --------------------------------------------------------------------------------------------------


def _comparison(operator: str) -> TruthRule:
    def rule(compiler: Compiler, node: exp.Expr) -> Judged:
        compare = _comparer(operator, compiler.ignores_case)
        quantified = _quantified(compiler, node, compare)
        if quantified is not None:
            return quantified
        left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")

        def judge(scope: Scope) -> Truth:
            return compare(left(scope), right(scope))

        return judge

    return rule


def _comparer(operator: str, ignores_case: bool) -> Callable[[Value, Value], Truth]:
    def compare(left: Value, right: Value) -> Truth:
        if isinstance(left, list) and isinstance(right, list) and operator in ("=", "<>"):
            truth = _lists_equal(left, right, ignores_case)
            return truth if operator == "=" else negated(truth)
        if operator == "=":
            return equal(left, right, ignores_case=ignores_case)
        if operator == "<>":
            return negated(equal(left, right, ignores_case=ignores_case))
        return ordered(operator, left, right, ignores_case=ignores_case)

    return compare


def _lists_equal(left: list[Value], right: list[Value], ignores_case: bool) -> Truth:
    """Compares row values or arrays."""
    if len(left) != len(right):
        return graded(False, abs(len(left) - len(right)))
    return all_of([equal(one, other, ignores_case=ignores_case) for one, other in zip(left, right, strict=True)])


def _quantified(compiler: Compiler, node: exp.Expr, compare: Callable[[Value, Value], Truth]) -> Judged | None:
    """Compiles `x = ANY (...)` or `x > ALL (...)` with an array or a sub-query; returns None for other comparisons."""
    right = node.expression.unnest()
    if isinstance(right, exp.Anonymous) and str(right.this).lower() == "all":
        of_all, owner = True, right.expressions[0]
    elif isinstance(right, (exp.Any, exp.All)):
        of_all, owner = isinstance(right, exp.All), right.this
    else:
        return None
    left, values = compiler.arg(node, "this"), _listed(compiler, owner)
    combine = all_of if of_all else any_of

    def judge(scope: Scope) -> Truth:
        one = left(scope)
        listed = values(scope)
        return UNKNOWN if listed is None else combine([compare(one, other) for other in listed[:MAX_LISTED]])

    return judge


def _listed(compiler: Compiler, node: exp.Expr) -> Callable[[Scope], list[Value] | None]:
    """Compiles an array or a one-column sub-query to the list of its values (None for NULL)."""
    inner = node.unnest()
    if isinstance(inner, (exp.Select, exp.SetOperation)):
        query = compiler.query(inner)
        return lambda scope: [_single(row) for row in query.rows(scope)]
    array = compiler.value(inner)

    def of_array(scope: Scope) -> list[Value] | None:
        value = array(scope)
        if isinstance(value, str):
            value = parsed_json(value) if value.startswith("[") else value.strip("{}").split(",")
        return value if isinstance(value, list) else None

    return of_array


def _single(row: dict[str, Value]) -> Value:
    return next(iter(row.values()), None) if len(row) == 1 else list(row.values())


def _same(compiler: Compiler, node: exp.Expr) -> Judged:
    left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")
    ignores_case, is_negated = compiler.ignores_case, isinstance(node, exp.NullSafeNEQ)

    def judge(scope: Scope) -> Truth:
        truth = same(left(scope), right(scope), ignores_case=ignores_case)
        return negated(truth) if is_negated else truth

    return judge


def _is(compiler: Compiler, node: exp.Expr) -> Judged:
    """Compiles `IS NULL` and `IS TRUE`. Between two values (SQLite), `IS` is the same as `IS NOT DISTINCT FROM`."""
    if isinstance(node.expression, exp.Null):
        value = compiler.arg(node, "this")
        return lambda scope: flag(value(scope) is None)
    if isinstance(node.expression, exp.Boolean):
        wanted, judged = bool(node.expression.this), compiler.truth(node.this)
        return lambda scope: _known(judged(scope), wanted)
    return _same(compiler, node)


def _known(truth: Truth, wanted: bool) -> Truth:
    if truth.value is None:
        return FALSE
    return truth if wanted else negated(truth)


def _between(compiler: Compiler, node: exp.Expr) -> Judged:
    value, low, high = (compiler.arg(node, name) for name in ("this", "low", "high"))
    ignores_case = compiler.ignores_case

    def judge(scope: Scope) -> Truth:
        given = value(scope)
        return both(
            ordered(">=", given, low(scope), ignores_case=ignores_case),
            ordered("<=", given, high(scope), ignores_case=ignores_case),
        )

    return judge


def _in(compiler: Compiler, node: exp.Expr) -> Judged:
    left = compiler.arg(node, "this")
    compare = _comparer("=", compiler.ignores_case)
    values = _in_values(compiler, node)

    def judge(scope: Scope) -> Truth:
        listed = values(scope)
        if not listed:
            return FALSE
        one = left(scope)
        return any_of([compare(one, other) for other in listed[:MAX_LISTED]])

    return judge


def _in_values(compiler: Compiler, node: exp.Expr) -> Callable[[Scope], list[Value]]:
    query = node.args.get("query")
    if isinstance(query, exp.Expr):
        listed = _listed(compiler, query)
        return lambda scope: listed(scope) or []
    parts: list[Valued] = [compiler.value(part) for part in node.expressions]
    # Drivers of MySQL expand one placeholder to a list of values.
    may_be_list = len(parts) == 1 and place_of(node.expressions[0]) is not None

    def evaluate(scope: Scope) -> list[Value]:
        values = [part(scope) for part in parts]
        return values[0] if may_be_list and isinstance(values[0], list) else values

    return evaluate


def _exists(compiler: Compiler, node: exp.Expr) -> Judged:
    return compiler.query(node.this).returning


# -- patterns -----------------------------------------------------------------------------------------------------


def _like(compiler: Compiler, node: exp.Expr) -> Judged:
    return _like_with(compiler, node, None if compiler.dialect == "sqlite" else "\\")


def _escaped_like(compiler: Compiler, node: exp.Expr) -> Judged:
    if not isinstance(node.this, (exp.Like, exp.ILike)):
        raise Unsupported("escape")
    return _like_with(compiler, node.this, str(node.expression.name) or None)


def _like_with(compiler: Compiler, node: exp.Expr, escape: str | None) -> Judged:
    left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")
    ignores_case = isinstance(node, exp.ILike) or compiler.dialect != "postgres"

    def judge(scope: Scope) -> Truth:
        return like(left(scope), right(scope), ignores_case=ignores_case, escape=escape)

    return _maybe_negated(node, judge)


def _pattern(match: Callable[[Value, Value], Truth]) -> TruthRule:
    def rule(compiler: Compiler, node: exp.Expr) -> Judged:
        left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")
        return _maybe_negated(node, lambda scope: match(left(scope), right(scope)))

    return rule


def _regex(compiler: Compiler, node: exp.Expr) -> Judged:
    left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")
    ignores_case = isinstance(node, exp.RegexpILike) or compiler.dialect == "mysql"
    return _maybe_negated(node, lambda scope: regex(left(scope), right(scope), ignores_case=ignores_case))


# -- JSON and arrays ----------------------------------------------------------------------------------------------


def _containment(turned: bool) -> TruthRule:
    """Compiles `@>` or, with its operands swapped (`turned`), `<@`."""

    def rule(compiler: Compiler, node: exp.Expr) -> Judged:
        left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")

        def judge(scope: Scope) -> Truth:
            outer, inner = left(scope), right(scope)
            if turned:
                outer, inner = inner, outer
            if outer is None or inner is None:
                return UNKNOWN
            outer, inner = aligned(outer, inner)
            return _contains(
                parsed_json(outer) if isinstance(outer, str) else outer,
                parsed_json(inner) if isinstance(inner, str) else inner,
            )

        return judge

    return rule


def _contains(outer: Value, inner: Value) -> Truth:
    if isinstance(inner, dict):
        if not isinstance(outer, dict):
            return FALSE
        return all_of([_contains(outer[key], item) if key in outer else FALSE for key, item in inner.items()])
    if isinstance(inner, list):
        if not isinstance(outer, list):
            return FALSE
        return all_of([any_of([_contains(element, item) for element in outer]) for item in inner])
    if isinstance(outer, list):
        return any_of([equal(element, inner) for element in outer])
    return FALSE if isinstance(outer, dict) else same(outer, inner)


def _overlaps(compiler: Compiler, node: exp.Expr) -> Judged:
    left, right = _listed(compiler, node.this), _listed(compiler, node.expression)

    def judge(scope: Scope) -> Truth:
        ours, theirs = left(scope), right(scope)
        if ours is None or theirs is None:
            return UNKNOWN
        return any_of([equal(one, other) for one in ours for other in theirs[:MAX_LISTED]])

    return judge


def _has_key(compiler: Compiler, node: exp.Expr) -> Judged:
    left, right = compiler.arg(node, "this"), compiler.arg(node, "expression")

    def judge(scope: Scope) -> Truth:
        owner, key = left(scope), right(scope)
        owner = parsed_json(owner) if isinstance(owner, str) else owner
        if owner is None or key is None:
            return UNKNOWN
        return any_of([equal(name, key) for name in owner]) if isinstance(owner, (dict, list)) else FALSE

    return judge


def _boolean(compiler: Compiler, node: exp.Expr) -> Judged:
    truth = flag(bool(node.this))
    return lambda scope: truth


def _xor(compiler: Compiler, node: exp.Expr) -> Judged:
    left, right = compiler.truth(node.this), compiler.truth(node.expression)

    def judge(scope: Scope) -> Truth:
        one, other = left(scope), right(scope)
        return either(both(one, negated(other)), both(negated(one), other))

    return judge


def _coalesced(compiler: Compiler, node: exp.Expr) -> Judged:
    """Compiles `COALESCE(a, b)` as a condition, which has the truth of the first operand that is not NULL."""
    parts = [(compiler.value(part), compiler.truth(part)) for part in (node.this, *node.expressions)]

    def judge(scope: Scope) -> Truth:
        for valued, judged in parts:
            if valued(scope) is not None:
                return judged(scope)
        return UNKNOWN

    return judge


PREDICATES: dict[type[exp.Expr], TruthRule] = {
    exp.And: _and,
    exp.Or: _or,
    exp.Xor: _xor,
    exp.Not: _not,
    exp.Paren: _paren,
    exp.Boolean: _boolean,
    exp.EQ: _comparison("="),
    exp.NEQ: _comparison("<>"),
    exp.LT: _comparison("<"),
    exp.LTE: _comparison("<="),
    exp.GT: _comparison(">"),
    exp.GTE: _comparison(">="),
    exp.NullSafeEQ: _same,
    exp.NullSafeNEQ: _same,
    exp.Is: _is,
    exp.Between: _between,
    exp.In: _in,
    exp.Exists: _exists,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Escape: _escaped_like,
    exp.Glob: _pattern(glob),
    exp.SimilarTo: _pattern(similar),
    exp.RegexpLike: _regex,
    exp.RegexpILike: _regex,
    exp.ArrayContainsAll: _containment(turned=False),
    exp.ArrayContainedBy: _containment(turned=True),
    exp.ArrayOverlaps: _overlaps,
    exp.JSONBContainsTopKey: _has_key,
    exp.JSONBContains: _has_key,
    exp.Coalesce: _coalesced,
}
