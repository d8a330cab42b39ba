"""Compiles queries: the rows that they return, and the distances from returning some rows and from returning none.

The distance from returning rows has stages, the furthest first: a table has no rows, no combination of rows matches,
HAVING rejects all groups, there are too few rows for OFFSET. Within a stage, all conditions of WHERE and ON have the
same weight ([WB-JS] §3.4).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from wimble.databases.conditions.stored_values import Value, number_of, text_of
from wimble.databases.conditions.truth import FALSE, FAR, Truth, all_of, any_of, both, graded
from wimble.databases.sql.aggregates import is_aggregate
from wimble.databases.sql.compiling import Compiler, Query, Valued
from wimble.databases.sql.row_sources import (
    Condition,
    Source,
    compile_sources,
    conjuncts,
    iter_matches,
    least_distance,
    not_understood,
)
from wimble.databases.sql.scope import Scope, Unsupported

MAX_RETURNED = 1_000
"""The largest number of matching combinations of rows that are collected."""


class SelectQuery:
    """A SELECT, or the search for rows of an UPDATE or DELETE."""

    def __init__(self, compiler: Compiler, node: exp.Expr) -> None:
        if node.args.get("connect") or node.args.get("pivots"):
            raise Unsupported("hierarchy")
        self._derived = _common_tables(compiler, node)
        self.sources: tuple[Source, ...] = compile_sources(compiler, node)
        where, having, group = node.args.get("where"), node.args.get("having"), node.args.get("group")
        self.conditions: list[Condition] = conjuncts(compiler, where.this) if where is not None else []
        self._is_understood = not_understood not in (*self._join_conditions(), *self.conditions)
        self._having = compiler.truth(having.this) if having is not None else None
        self._group_by = [_grouped(compiler, node, key) for key in group.expressions] if group is not None else []
        self._is_grouped = group is not None or any(is_aggregate(one) for one in node.expressions)
        self._projection = [_projected(compiler, index, one) for index, one in enumerate(node.expressions)]
        self._shown = compiler.truth(node.expressions[0].unalias()) if shows_existence(node) else None
        self._order = _ordering(compiler, node)
        self._limit = _bound(compiler, node, "limit")
        self._offset = _bound(compiler, node, "offset")

    # -- rows -----------------------------------------------------------------------------------------------------

    def rows(self, outer: Scope) -> list[dict[str, Value]]:
        scopes = self._groups(self.matches(outer)) if self._is_grouped else self.matches(outer)
        if self._is_grouped and self._having is not None:
            scopes = [scope for scope in scopes if self._having(scope).value]
        if self._order is not None:
            scopes = _in_order(scopes, self._order)
        start = int(number_of(self._offset(outer)) or 0) if self._offset else 0
        limit = number_of(self._limit(outer)) if self._limit else None
        return [self._project(scope) for scope in scopes[start : None if limit is None else start + int(limit)]]

    def matches(self, outer: Scope) -> list[Scope]:
        """Returns the combinations of rows that meet all conditions, at most MAX_RETURNED."""
        matches: list[Scope] = []
        for joined in iter_matches(self.sources, self._scope(outer)):
            if all(condition(joined).value for condition in self.conditions):
                matches.append(joined)
                if len(matches) >= MAX_RETURNED:
                    break
        return matches

    def _scope(self, outer: Scope) -> Scope:
        if not self._derived:
            return outer.below()
        derived = dict(outer.derived)
        scope = outer.below(derived)
        for name, query, columns in self._derived:
            rows = query.rows(scope)
            derived[name] = [dict(zip(columns, row.values(), strict=False)) for row in rows] if columns else rows
        return scope

    def _groups(self, matches: list[Scope]) -> list[Scope]:
        if not self._group_by:
            return [self._group(matches)] if matches else []
        groups: dict[tuple[str | None, ...], list[Scope]] = {}
        for scope in matches:
            groups.setdefault(tuple(text_of(key(scope)) for key in self._group_by), []).append(scope)
        return [self._group(members) for members in groups.values()]

    @staticmethod
    def _group(members: list[Scope]) -> Scope:
        return members[0].with_group(members)

    def _project(self, scope: Scope) -> dict[str, Value]:
        row: dict[str, Value] = {}
        for name, alias, value in self._projection:
            if value is not None:
                row[name] = value(scope)
            else:
                for one, cells in scope.aliases.items():
                    if not alias or one == alias:
                        row.update(cells)
        return row

    # -- distances ------------------------------------------------------------------------------------------------

    def returning(self, outer: Scope) -> Truth:
        scope = self._scope(outer)
        if self._shown is not None:
            return self._shown(scope)
        matches = self.matches(outer)
        found = self._found(matches) if matches or not self.sources else self._missed(scope)
        if found.value and self._having is not None:
            judged = [self._having(group) for group in self._groups(matches)]
            found = both(found, any_of(judged)) if judged else found
        elif self._having is not None:
            found = Truth(False, (1.0 + found.to_true) / 2, 0.0)
        if not self._is_understood and not found.value:
            return Truth(None, found.to_true, 1.0)
        return self._paged(outer, found, len(matches))

    def _found(self, matches: list[Scope]) -> Truth:
        """Returns the truth of a query with matches; the distance to returning none is the sum over all matches."""
        if not self.sources:
            return (
                all_of([condition(scope) for scope in matches for condition in self.conditions]) if matches else FALSE
            )
        total = 0.0
        for scope in matches:
            truths = [condition(scope) for condition in (*self._join_conditions(), *self.conditions)]
            total += all_of(truths).to_false if truths else 1.0
        return Truth(True, 0.0, total / (total + 1.0))

    def _join_conditions(self) -> list[Condition]:
        return [condition for source in self.sources if not source.is_left for condition in source.conditions]

    def _missed(self, scope: Scope) -> Truth:
        empty = sum(1 for source in self.sources if not source.is_left and not source.rows(scope))
        if empty:
            return Truth(False, 0.5 + 0.5 * empty / len(self.sources), 0.0)
        nearest = least_distance(self.sources, self.conditions, scope)
        return Truth(False, max(min(nearest, FAR), 1e-12) / 2, 0.0)

    def _paged(self, outer: Scope, found: Truth, n_rows: int) -> Truth:
        if self._limit is not None and number_of(self._limit(outer)) == 0:
            return FALSE
        start = int(number_of(self._offset(outer)) or 0) if self._offset is not None else 0
        if not start or self._is_grouped or not found.value:
            return found
        return both(found, graded(n_rows > start, n_rows - start if n_rows > start else start - n_rows + 1))


class Union:
    """UNION, INTERSECT or EXCEPT; the distances of INTERSECT and EXCEPT are rough."""

    def __init__(self, compiler: Compiler, node: exp.SetOperation) -> None:
        self._left, self._right = compiler.query(node.this), compiler.query(node.expression)
        self._kind = type(node)

    def rows(self, scope: Scope) -> list[dict[str, Value]]:
        left, right = self._left.rows(scope), self._right.rows(scope)
        if self._kind is exp.Union:
            names = list(left[0]) if left else []
            return left + [dict(zip(names, row.values(), strict=False)) if names else row for row in right]
        others = {tuple(text_of(value) for value in row.values()) for row in right}
        is_kept = self._kind is exp.Intersect
        return [row for row in left if (tuple(text_of(value) for value in row.values()) in others) == is_kept]

    def returning(self, scope: Scope) -> Truth:
        left, right = self._left.returning(scope), self._right.returning(scope)
        if self._kind is exp.Union:
            return any_of([left, right])
        if self.rows(scope):
            return Truth(True, 0.0, left.to_false or FAR)
        if self._kind is exp.Intersect:
            return Truth(False, max(both(left, right).to_true, 0.25), 0.0)
        return Truth(False, left.to_true or FAR, 0.0)


def shows_existence(node: exp.Expr) -> bool:
    """Returns whether a query is `SELECT EXISTS (...)`, whose outcome is the value in its row."""
    shown = node.expressions
    return len(shown) == 1 and isinstance(shown[0].unalias(), exp.Exists) and node.args.get("from_") is None


def compile_query(compiler: Compiler, node: exp.Expr) -> Query:
    """Compiles a SELECT, UPDATE, DELETE or set operation. Raises: Unsupported."""
    inner = node.unnest()
    if isinstance(inner, exp.SetOperation):
        return Union(compiler, inner)
    if isinstance(inner, (exp.Select, exp.Update, exp.Delete)):
        return SelectQuery(compiler, inner)
    if isinstance(inner, exp.Values):
        raise Unsupported("values")
    raise Unsupported(type(inner).__name__)


def _common_tables(compiler: Compiler, node: exp.Expr) -> list[tuple[str, Query, list[str]]]:
    given = node.args.get("with_")
    if given is None:
        return []
    if given.args.get("recursive"):
        raise Unsupported("recursion")
    return [
        (
            cte.alias.lower(),
            compiler.query(cte.this),
            [column.name.lower() for column in cte.args["alias"].args.get("columns") or ()],
        )
        for cte in given.expressions
    ]


def _projected(compiler: Compiler, index: int, node: exp.Expr) -> tuple[str, str, Valued | None]:
    """Returns (name, alias, value) of a returned expression.

    A value of None stands for all columns, or for all columns of the alias if it is not empty.
    """
    if isinstance(node, exp.Star):
        return "", "", None
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        return "", node.text("table").lower(), None
    name = (node.alias_or_name or f"column{index}").lower()
    return name, "", _lazily(compiler, node)


def _lazily(compiler: Compiler, node: exp.Expr) -> Valued:
    """Compiles a returned expression, and raises Unsupported only when it is evaluated.

    Whether a query returns rows is known even if such an expression is not understood.
    """
    try:
        return compiler.value(node)
    except Unsupported as reason:
        text = str(reason)

        def refuse(scope: Scope) -> Value:
            raise Unsupported(text)

        return refuse


def _grouped(compiler: Compiler, node: exp.Expr, key: exp.Expr) -> Valued:
    """Compiles a key of GROUP BY: an expression, or the position or name of a returned expression."""
    if isinstance(key, exp.Literal) and not key.is_string and str(key.this).isdigit():
        position = int(key.this) - 1
        if position < len(node.expressions):
            return compiler.value(node.expressions[position])
    if isinstance(key, exp.Column) and not key.text("table"):
        for one in node.expressions:
            if isinstance(one, exp.Alias) and one.alias.lower() == key.name.lower():
                return compiler.value(one.this)
    return compiler.value(key)


def _ordering(compiler: Compiler, node: exp.Expr) -> list[tuple[Valued, bool]] | None:
    order = node.args.get("order")
    if order is None or node.args.get("limit") is None:
        return None
    return [(_lazily(compiler, _named(node, one.this)), bool(one.args.get("desc"))) for one in order.expressions]


def _named(node: exp.Expr, key: exp.Expr) -> exp.Expr:
    """Returns the expression that a name or a position in ORDER BY refers to."""
    for index, one in enumerate(node.expressions):
        is_position = isinstance(key, exp.Literal) and str(key.this) == str(index + 1)
        if is_position or (isinstance(one, exp.Alias) and one.alias == key.name):
            shown: exp.Expr = one.this if isinstance(one, exp.Alias) else one
            return shown
    return key


def _in_order(scopes: Sequence[Scope], order: list[tuple[Valued, bool]]) -> list[Scope]:
    ordered = list(scopes)
    for key, is_descending in reversed(order):
        try:
            ordered.sort(key=lambda scope: _sort_key(key(scope)), reverse=is_descending)
        except (TypeError, Unsupported):
            return list(scopes)
    return ordered


def _sort_key(value: Value) -> tuple[bool, Value]:
    return (value is not None, 0 if value is None else value)


def _bound(compiler: Compiler, node: exp.Expr, name: str) -> Valued | None:
    part = node.args.get(name)
    if part is None or not isinstance(part.args.get("expression"), exp.Expr):
        return None
    return compiler.value(part.args["expression"])
