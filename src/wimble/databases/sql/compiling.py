"""Compiles syntax trees to closures, since each node is evaluated for thousands of rows.

`Compiler.value` compiles an expression to its value, `Compiler.truth` a predicate to its truth and its distances. The
rules are tables from node type to compiler (`expressions.py`, `sql_functions.py`, `predicates.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from sqlglot import exp

from wimble.databases.conditions.stored_values import Value, as_truth
from wimble.databases.conditions.truth import UNKNOWN, Truth, flag, graded
from wimble.databases.sql.scope import Scope, Unsupported
from wimble.model.database import Dialect

Valued: TypeAlias = Callable[[Scope], Value]
"""A compiled expression."""
Judged: TypeAlias = Callable[[Scope], Truth]
"""A compiled predicate."""
ValueRule: TypeAlias = "Callable[[Compiler, exp.Expr], Valued]"
TruthRule: TypeAlias = "Callable[[Compiler, exp.Expr], Judged]"
QueryRule: TypeAlias = "Callable[[Compiler, exp.Expr], Query]"


class Query(Protocol):
    """A compiled query."""

    def rows(self, scope: Scope) -> list[dict[str, Value]]:
        """Returns the rows of the query, up to a fixed number. scope: the scope of the query around it."""
        ...

    def returning(self, scope: Scope) -> Truth:
        """Returns whether the query returns rows; unknown if no row matches and a condition is not understood.

        For a query that always returns one row (`SELECT COUNT(*)`, `SELECT EXISTS (...)`), returns whether there are
        rows to count.
        """
        ...


class Compiler:
    """Compiles one command of one dialect. Raises Unsupported for nodes without a rule."""

    def __init__(
        self,
        dialect: Dialect,
        values: dict[type[exp.Expr], ValueRule],
        truths: dict[type[exp.Expr], TruthRule],
        query: QueryRule,
    ) -> None:
        self.dialect = dialect
        self._values = values
        self._truths = truths
        self._query = query

    @property
    def ignores_case(self) -> bool:
        """Whether `=` between texts ignores case, as with MySQL's usual collations."""
        return self.dialect == "mysql"

    def query(self, node: exp.Expr) -> Query:
        """Compiles a query. Raises: Unsupported."""
        return self._query(self, node)

    def value(self, node: exp.Expr) -> Valued:
        """Compiles an expression or a predicate to its value. Raises: Unsupported."""
        rule = self._values.get(type(node))
        if rule is not None:
            return rule(self, node)
        judge = self._truths.get(type(node))
        if judge is None:
            raise Unsupported(type(node).__name__)
        judged = judge(self, node)
        return lambda scope: judged(scope).value

    def truth(self, node: exp.Expr) -> Judged:
        """Compiles a predicate, or an expression as a condition, to its truth and distances. Raises: Unsupported."""
        rule = self._truths.get(type(node))
        if rule is not None:
            return rule(self, node)
        valued = self.value(node)
        return lambda scope: bare_truth(valued(scope))

    def arg(self, node: exp.Expr, name: str) -> Valued:
        """Compiles a required part of a node. Raises: Unsupported, if the node lacks it."""
        part = node.args.get(name)
        if not isinstance(part, exp.Expr):
            raise Unsupported(f"{type(node).__name__} without {name}")
        return self.value(part)


def bare_truth(value: Value) -> Truth:
    """Returns the truth of a value as a condition. Numbers have a distance to 0; other values have no gradient."""
    if value is None:
        return UNKNOWN
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return graded(value != 0, abs(value) or 1.0)
    truth = as_truth(value)
    return UNKNOWN if truth is None else flag(truth)
