"""Translates conditions of SQL on numbers, days, enumerations and plain texts to formulas of Z3.

A node without a translation raises Unsupported, and the conjunct that contains it is left out. The distances are
computed for the solution afterwards, so a formula that is too weak costs an attempt but never yields a wrong row.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, TypeAlias

import z3
from sqlglot import exp

from wimble.databases.conditions.stored_values import EPOCH, Value, number_of, to_number, to_time
from wimble.databases.sql.parsing import place_of
from wimble.databases.sql.scope import Unsupported

Term: TypeAlias = Any  # z3 has no types
"""z3.ExprRef."""
Lookup = Callable[[exp.Column], Term]
"""Returns the variable of a column. Raises: Unsupported."""
Parameter = Callable[[int | str], Term]
"""Returns the variable of a placeholder. Raises: Unsupported."""

_COMPARISONS: dict[type[exp.Expr], Callable[[Term, Term], Term]] = {
    exp.EQ: lambda left, right: left == right,
    exp.NEQ: lambda left, right: left != right,
    exp.LT: lambda left, right: left < right,
    exp.LTE: lambda left, right: left <= right,
    exp.GT: lambda left, right: left > right,
    exp.GTE: lambda left, right: left >= right,
}
_ARITHMETIC: dict[type[exp.Expr], Callable[[Term, Term], Term]] = {
    exp.Add: lambda left, right: left + right,
    exp.Sub: lambda left, right: left - right,
    exp.Mul: lambda left, right: left * right,
}


class Formulas:
    """Translates the conditions of one command or table."""

    def __init__(self, column: Lookup, parameter: Parameter, *, divides_exactly: bool) -> None:
        """divides_exactly: whether `1 / 2` is 0.5, as in MySQL, and not 0."""
        self._column = column
        self._parameter = parameter
        self._divides_exactly = divides_exactly
        self.has_order_of_texts = False
        """Whether a translated condition orders texts (`<` and similar), which is hard for Z3."""

    def conjuncts(self, node: exp.Expr) -> list[Term]:
        """Returns the formulas of the condition; conjuncts without a translation are left out."""
        inner = node.unnest()
        if isinstance(inner, exp.And):
            return [*self.conjuncts(inner.this), *self.conjuncts(inner.expression)]
        try:
            return [self._condition(inner)]
        except (Unsupported, z3.Z3Exception):
            return []

    def _condition(self, node: exp.Expr) -> Term:
        """Returns the formula of a condition. Raises: Unsupported, z3.Z3Exception."""
        node = node.unnest()
        match node:
            case exp.And():
                return z3.And(self._condition(node.this), self._condition(node.expression))
            case exp.Or():
                return z3.Or(self._condition(node.this), self._condition(node.expression))
            case exp.Not():
                return z3.Not(self._condition(node.this))
            case exp.Boolean():
                return z3.BoolVal(bool(node.this))
            case exp.Column():
                return self._column(node)
        return self._predicate(node)

    def _predicate(self, node: exp.Expr) -> Term:
        match node:
            case exp.Between():
                value = self._term(node.this)
                low, high = self._aligned(value, node.args["low"]), self._aligned(value, node.args["high"])
                self.has_order_of_texts |= z3.is_string(value)
                return z3.And(low <= value, value <= high)
            case exp.In() if node.expressions and not node.args.get("query"):
                return self._one_of(node.this, node.expressions)
            case exp.Is() if isinstance(node.expression, exp.Null):
                self._term(node.this)
                return z3.BoolVal(False)  # only columns with a value have a variable
        return self._comparison(node)

    def _comparison(self, node: exp.Expr) -> Term:
        compare = _COMPARISONS.get(type(node))
        if compare is None:
            raise Unsupported(type(node).__name__)
        right = node.expression.unnest()
        if isinstance(node, exp.EQ) and isinstance(right, exp.Any):
            listed = right.this.unnest()
            while isinstance(listed, exp.Cast):
                listed = listed.this.unnest()
            if not isinstance(listed, exp.Array):
                raise Unsupported("ANY")
            return self._one_of(node.this, listed.expressions)
        pair = self._pair(node.this, node.expression)
        self.has_order_of_texts |= z3.is_string(pair[0]) and not isinstance(node, (exp.EQ, exp.NEQ))
        return compare(*pair)

    def _one_of(self, node: exp.Expr, listed: list[exp.Expr]) -> Term:
        value = self._term(node)
        return z3.Or(*(value == self._aligned(value, one) for one in listed))

    def _pair(self, left: exp.Expr, right: exp.Expr) -> tuple[Term, Term]:
        if _is_constant(left):
            other = self._term(right)
            return self._aligned(other, left), other
        term = self._term(left)
        return term, self._aligned(term, right)

    def _aligned(self, beside: Term, node: exp.Expr) -> Term:
        """Returns the node's term.

        A constant gets the sort of the term beside it: `'2024-01-01'` beside a date is a number of days.
        """
        constant = _constant(node)
        if constant is None:
            return self._term(node)
        return constant_of(constant, beside.sort())

    def _term(self, node: exp.Expr) -> Term:
        node = node.unnest()
        match node:
            case exp.Column():
                return self._column(node)
            case exp.Literal():
                return z3.StringVal(node.this) if node.is_string else _number(to_number(node.this))
            case exp.Neg():
                return -self._number_term(node.this)
            case exp.Cast():
                return self._term(node.this)
            case exp.Length():
                return z3.Length(self._term(node.this))
            case exp.Abs():
                value = self._number_term(node.this)
                return z3.If(value < 0, -value, value)
        return self._operation(node)

    def _operation(self, node: exp.Expr) -> Term:
        """Returns the term of an arithmetic operation or a parameter. Raises: Unsupported."""
        match node:
            case exp.Mod():
                return self._number_term(node.this) % self._number_term(node.expression)
            case exp.Div() | exp.IntDiv():
                return self._quotient(node)
        if type(node) in _ARITHMETIC:
            return _ARITHMETIC[type(node)](self._number_term(node.this), self._number_term(node.expression))
        place = place_of(node)
        if place is None:
            raise Unsupported(type(node).__name__)
        return self._parameter(place)

    def _quotient(self, node: exp.Expr) -> Term:
        left, right = self._number_term(node.this), self._number_term(node.expression)
        is_whole = z3.is_int(left) and z3.is_int(right)
        if is_whole and (isinstance(node, exp.IntDiv) or not self._divides_exactly):
            size = z3.If(left < 0, -left, left) / z3.If(right < 0, -right, right)
            return z3.If((left < 0) == (right < 0), size, -size)  # towards 0
        return z3.ToReal(left) / right if z3.is_int(left) else left / right

    def _number_term(self, node: exp.Expr) -> Term:
        term = self._term(node)
        if not z3.is_arith(term):
            raise Unsupported("arithmetic on no number")
        return term


def _is_constant(node: exp.Expr) -> bool:
    return _constant(node) is not None


def _constant(node: exp.Expr) -> str | int | float | None:
    """Returns the constant of a literal, which may be negated or cast; None for other nodes."""
    inner = node.unnest()
    while isinstance(inner, exp.Cast):
        inner = inner.this.unnest()
    if isinstance(inner, exp.Neg):
        number = _constant(inner.this)
        return -number if isinstance(number, (int, float)) else None
    if not isinstance(inner, exp.Literal):
        return None
    return str(inner.this) if inner.is_string else to_number(inner.this)


# -- values -------------------------------------------------------------------------------------------------------


def constant_of(value: Value, sort: Any) -> Term:
    """Returns the value as a constant of the Z3 sort. Raises: Unsupported, if it cannot be converted."""
    if sort == z3.StringSort():
        if isinstance(value, str):
            return z3.StringVal(value)
    elif sort == z3.BoolSort():
        if isinstance(value, (bool, int)):
            return z3.BoolVal(bool(value))
    elif isinstance(value, datetime) or (isinstance(value, str) and to_number(value) is None):
        moment = value if isinstance(value, datetime) else to_time(value)
        if moment is not None:
            return z3.IntVal(_days(moment))
    else:
        number = number_of(value)
        if number is not None:
            return _number(number) if sort != z3.RealSort() else z3.RealVal(Fraction(str(number)))
    raise Unsupported("a constant of another type")


def _number(value: float | None) -> Term:
    if value is None:
        raise Unsupported("no number")
    return z3.IntVal(value) if isinstance(value, int) else z3.RealVal(Fraction(str(value)))


def _days(moment: datetime) -> int:
    return (moment - EPOCH).days


def value_of(term: Term, *, is_day: bool) -> Value:
    """Converts a variable's value in a Z3 model. is_day: whether the value is a number of days since 1970."""
    if z3.is_int_value(term):
        return EPOCH + timedelta(days=term.as_long()) if is_day else term.as_long()
    if z3.is_rational_value(term):
        return float(Fraction(term.numerator_as_long(), term.denominator_as_long()))
    if z3.is_string_value(term):
        return term.as_string()
    return z3.is_true(term)
