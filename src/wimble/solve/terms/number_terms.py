"""Numbers of JavaScript as terms of Z3: whole numbers as Int, and others as Real.

Numbers are exact here; where rounding of doubles matters, the answer fails when it is run.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeAlias

import z3

from wimble.solve.path_conditions import Unmodelled

Term: TypeAlias = Any  # z3 has no types

MAX_POWER: Final = 8
_BITS: Final = 32
_BIG_BITS: Final = 128


def constant(value: float) -> Term:
    """Returns the term of a number."""
    if isinstance(value, int) or float(value).is_integer():
        return z3.IntVal(int(value))
    return z3.RealVal(Fraction(value))


def is_int(term: Term) -> bool:
    """Whether the term is of whole numbers."""
    return bool(z3.is_int(term))


def aligned(left: Term, right: Term) -> tuple[Term, Term]:
    """Returns two numbers as terms of one sort."""
    if is_int(left) == is_int(right):
        return left, right
    return (z3.ToReal(left) if is_int(left) else left), (z3.ToReal(right) if is_int(right) else right)


def _divided(left: Term, right: Term) -> Term:
    return (z3.ToReal(left) if is_int(left) else left) / (z3.ToReal(right) if is_int(right) else right)


def _remainder(left: Term, right: Term) -> Term:
    """The sign is that of the left operand."""
    if not (is_int(left) and is_int(right)):
        raise Unmodelled("% of fractions")
    size = z3.If(right < 0, -right, right)
    return z3.If(left < 0, -((-left) % size), left % size)


def _power(left: Term, right: Term) -> Term:
    exponent = z3.simplify(right)
    if not z3.is_int_value(exponent) or not 0 <= exponent.as_long() <= MAX_POWER:
        raise Unmodelled("** with a variable exponent")
    result = constant(1)
    for _ in range(exponent.as_long()):
        left_aligned, result_aligned = aligned(left, result)
        result = left_aligned * result_aligned
    return result


def _whole(term: Term) -> Term:
    """Returns the number without its fraction, as bit operators see it."""
    return term if is_int(term) else truncated(term)


def truncated(term: Term) -> Term:
    """Returns `Math.trunc`."""
    return term if is_int(term) else z3.If(term < 0, -z3.ToInt(-term), z3.ToInt(term))


def _signed(term: Term) -> Term:
    """Returns the value modulo 2^32, as a signed number."""
    half = 1 << (_BITS - 1)
    return (term + half) % (1 << _BITS) - half


def _mask_length(term: Term) -> int | None:
    """Returns n if the term is 2^n - 1."""
    value = z3.simplify(term)
    if z3.is_int_value(value) and value.as_long() >= 0 and (value.as_long() + 1).bit_count() == 1:
        return int(value.as_long() + 1).bit_length() - 1
    return None


def _bitwise(operation: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term]:
    def apply(left: Term, right: Term) -> Term:
        bits = operation(z3.Int2BV(_whole(left), _BITS), z3.Int2BV(_whole(right), _BITS))
        return z3.BV2Int(bits, is_signed=True)

    return apply


def _and(left: Term, right: Term) -> Term:
    for one, other in ((left, right), (right, left)):
        n_bits = _mask_length(other)
        if n_bits is not None and n_bits < _BITS:
            return _whole(one) % (1 << n_bits)
    return _bitwise(lambda a, b: a & b)(left, right)


def _or(left: Term, right: Term) -> Term:
    for one, other in ((left, right), (right, left)):
        value = z3.simplify(other)
        if z3.is_int_value(value) and value.as_long() == 0:
            return _signed(_whole(one))
    return _bitwise(lambda a, b: a | b)(left, right)


def _shift(term: Term) -> int:
    value = z3.simplify(term)
    if not z3.is_int_value(value):
        raise Unmodelled("a shift by a variable number of bits")
    return int(value.as_long()) & 31


def _left_shift(left: Term, right: Term) -> Term:
    return _signed(_whole(left) * (1 << _shift(right)))


def _right_shift(left: Term, right: Term) -> Term:
    return _signed(_whole(left)) / (1 << _shift(right))


def _unsigned_shift(left: Term, right: Term) -> Term:
    return (_whole(left) % (1 << _BITS)) / (1 << _shift(right))


def _leading_zeros(term: Term) -> Term:
    """Returns `Math.clz32`."""
    bits, result = _whole(term) % (1 << _BITS), constant(_BITS)
    for length in range(1, _BITS + 1):
        result = z3.If(bits >= 1 << (length - 1), constant(_BITS - length), result)
    return result


def _is_root(power: int) -> Callable[[Term, Term], Term]:
    def write(root: Term, term: Term) -> Term:
        whole = constant(1)
        for _ in range(power):
            whole = whole * root
        one, other = aligned(whole, term)
        return z3.And(root >= 0, one == other) if power % 2 == 0 else one == other

    return write


def _is_logarithm(base: int, most: int) -> Callable[[Term, Term], Term]:
    def write(result: Term, term: Term) -> Term:
        ways = [z3.And(result == power, term == base**power) for power in range(most + 1)]
        return z3.Or(*ways)

    return write


WHOLE_RESULTS: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "sqrt": _is_root(2),
    "cbrt": _is_root(3),
    "log2": _is_logarithm(2, 52),
    "log10": _is_logarithm(10, 15),
}
"""Functions of which only whole results are found: (result, argument) -> what holds between them."""


def _floor(term: Term) -> Term:
    whole = _whole_quotient(term)
    return term if is_int(term) else z3.ToInt(term) if whole is None else whole


def _whole_quotient(term: Term) -> Term | None:
    """Returns the quotient of whole numbers, rounded down, of a term that `_divided` has made; None for others.

    Z3 divides whole numbers much sooner than it rounds the quotients of others.
    """
    parts = _dividend_and_divisor(term)
    return parts[0] / parts[1] if parts is not None and is_int(parts[0]) and is_int(parts[1]) else None


def _dividend_and_divisor(term: Term) -> tuple[Term, Term] | None:
    """Returns both of a term that `_divided` has made with a positive constant, as whole numbers if they are."""
    if not z3.is_real(term) or term.decl().kind() != z3.Z3_OP_DIV:
        return None
    dividend, right = (part.arg(0) if part.decl().kind() == z3.Z3_OP_TO_REAL else part for part in term.children())
    divisor = z3.simplify(right)
    if z3.is_rational_value(divisor) and divisor.denominator_as_long() == 1:
        divisor = divisor.numerator()
    is_known = z3.is_int_value(divisor) or z3.is_rational_value(divisor)
    return (dividend, divisor) if is_known and z3.is_true(z3.simplify(divisor > 0)) else None


def _without_divisor(left: Term, right: Term) -> tuple[Term, Term]:
    """Returns the sides of a comparison times the constant that the left one is divided by, if it is."""
    parts = _dividend_and_divisor(left)
    if parts is None:
        return left, right
    factor, other = aligned(parts[1], right)
    return parts[0], other * factor


def _ceil(term: Term) -> Term:
    return term if is_int(term) else -z3.ToInt(-term)


BINARY: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "%": _remainder,
    "bigDivide": lambda a, b: z3.If((a < 0) == (b < 0), 1, -1) * (z3.If(a < 0, -a, a) / z3.If(b < 0, -b, b)),
    "**": _power,
    "&": _and,
    "|": _or,
    "^": _bitwise(lambda a, b: a ^ b),
    "<<": _left_shift,
    ">>": _right_shift,
    ">>>": _unsigned_shift,
    "imul": lambda a, b: _signed(_whole(a) * _whole(b)),
    "min": lambda a, b: z3.If(a <= b, a, b),
    "max": lambda a, b: z3.If(a >= b, a, b),
}
UNARY: Final[dict[str, Callable[[Term], Term]]] = {
    "negate": lambda a: -a,
    "~": lambda a: -_signed(_whole(a)) - 1,
    "floor": _floor,
    "ceil": _ceil,
    "round": lambda a: a if is_int(a) else z3.ToInt(a + constant(0.5)),
    "trunc": truncated,
    "abs": lambda a: z3.If(a < 0, -a, a),
    "clz32": _leading_zeros,
    "sign": lambda a: z3.If(a < 0, constant(-1), z3.If(a > 0, constant(1), constant(0))),
}


def _big_bits(operation: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term]:
    """Returns an operator on big numbers that are not negative, and not too large."""

    def apply(left: Term, right: Term) -> Term:
        return z3.BV2Int(operation(z3.Int2BV(left, _BIG_BITS), z3.Int2BV(right, _BIG_BITS)))

    return apply


def _big_and(left: Term, right: Term) -> Term:
    for one, other in ((left, right), (right, left)):
        n_bits = _mask_length(other)
        if n_bits is not None:
            return one % (1 << n_bits)
    return _big_bits(lambda a, b: a & b)(left, right)


def _size(term: Term, most: int) -> int:
    """Returns the value of a number of bits. Raises: Unmodelled."""
    value = z3.simplify(term)
    if not z3.is_int_value(value) or not 0 <= value.as_long() <= most:
        raise Unmodelled("a variable number of bits")
    return int(value.as_long())


def _as_signed(value: Term, bits: Term) -> Term:
    size = 1 << _size(bits, _BIG_BITS)
    return (value + size // 2) % size - size // 2


BIG: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "big&": _big_and,
    "big|": _big_bits(lambda a, b: a | b),
    "big^": _big_bits(lambda a, b: a ^ b),
    "big<<": lambda a, b: a * (1 << _size(b, _BIG_BITS)),
    "big>>": lambda a, b: a / (1 << _size(b, _BIG_BITS)),
    "asIntN": _as_signed,
    "asUintN": lambda a, bits: a % (1 << _size(bits, _BIG_BITS)),
}
_KEEPS_SORTS: Final = frozenset(("/", "%", "bigDivide", "**", "&", "|", "^", "<<", ">>", ">>>", "imul"))


def binary(op: str, left: Term, right: Term) -> Term:
    """Returns `left op right`. Raises: Unmodelled."""
    if op not in _KEEPS_SORTS:
        left, right = aligned(left, right)
    return BINARY[op](left, right)


def compared(op: str, left: Term, right: Term) -> Term:
    """Returns the truth of `===`, `<` or `<=`."""
    left, right = _without_divisor(left, right)
    right, left = _without_divisor(right, left)
    left, right = aligned(left, right)
    return left == right if op == "===" else left < right if op == "<" else left <= right
