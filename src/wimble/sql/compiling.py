"""Syntax trees to closures: each node is looked at once, and evaluated for thousands of rows.

`Compiler.value` makes what an expression comes to, `Compiler.truth` what a predicate comes to and how far it is from the other outcomes.
Kinds of expression are tables (`expressions.py`, `functions.py`, `predicates.py`): node type -> how it is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from sqlglot import exp

from wimble.model.database import Dialect
from wimble.sql.scope import Scope, Unsupported
from wimble.sql.truth import UNKNOWN, Truth, flag, graded
from wimble.sql.values import Value, as_truth

if TYPE_CHECKING:
    from wimble.sql.select import Query

Valued: TypeAlias = Callable[[Scope], Value]
Judged: TypeAlias = Callable[[Scope], Truth]
ValueRule: TypeAlias = "Callable[[Compiler, exp.Expr], Valued]"
TruthRule: TypeAlias = "Callable[[Compiler, exp.Expr], Judged]"
QueryRule: TypeAlias = "Callable[[Compiler, exp.Expr], Query]"


class Compiler:
    """Compiles one command of one dialect. Raises Unsupported for what nobody has a rule for."""

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
        """Whether `=` between texts does, as with MySQL's usual collations."""
        return self.dialect == "mysql"

    def query(self, node: exp.Expr) -> Query:
        return self._query(self, node)

    def value(self, node: exp.Expr) -> Valued:
        rule = self._values.get(type(node))
        if rule is not None:
            return rule(self, node)
        judge = self._truths.get(type(node))
        if judge is None:
            raise Unsupported(type(node).__name__)
        judged = judge(self, node)
        return lambda scope: judged(scope).value

    def truth(self, node: exp.Expr) -> Judged:
        rule = self._truths.get(type(node))
        if rule is not None:
            return rule(self, node)
        valued = self.value(node)
        return lambda scope: bare_truth(valued(scope))

    def arg(self, node: exp.Expr, name: str) -> Valued:
        """The value of a part that has to be there."""
        part = node.args.get(name)
        if not isinstance(part, exp.Expr):
            raise Unsupported(f"{type(node).__name__} without {name}")
        return self.value(part)


def bare_truth(value: Value) -> Truth:
    """A value as a condition: numbers have a way to 0, everything else is a flag."""
    if value is None:
        return UNKNOWN
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return graded(value != 0, abs(value) or 1.0)
    truth = as_truth(value)
    return UNKNOWN if truth is None else flag(truth)
