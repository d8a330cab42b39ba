"""Numbers as 64 bits: the encoding for hashes, which shift, mask and multiply what they have read of a text.

Sums and products are exact as long as they fit. What they become beyond 53 bits, where doubles are rounded, is wrong
here; running the answer shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

import z3

from wimble.solve.path_conditions import CONSTANT, Expression, Path, Scalar, Unmodelled
from wimble.solve.terms import number_terms
from wimble.solve.terms.character_terms import BYTES, PRINTABLE, WIDE
from wimble.solve.terms.expression_terms import PARTS_OF_DATES, Term
from wimble.solve.terms.number_ranges import Range, ranges_of
from wimble.solve.terms.vector_terms import VectorTerms

BITS: Final = 64
MAX_INPUT: Final = 2**31
LEAST_LINEAR: Final = 4
"""Entries of a table that is read as a sum of bits."""
MAX_SUBTRACTIONS: Final = 3
"""How often a divisor may go into a dividend whose remainder is computed without a division."""
MAX_REMAINDERS: Final = 2
"""Maximum number of remainders and quotients by divisors that are no powers of two."""
BIT_OPERATORS: Final = frozenset(
    ("&", "|", "^", "~", "<<", ">>", ">>>", "imul", "big&", "big|", "big^", "asIntN", "asUintN")
)


class BitTerms(VectorTerms):
    """Translates one path for inputs of given lengths."""

    _n_remainders = 0

    @cached_property
    def _ranges(self) -> list[Range | None]:
        of_inputs = (WIDE if self._is_wide else PRINTABLE, BYTES)
        greatest = max(high for ranges in of_inputs for _, high in ranges)
        return ranges_of(self._path, of_inputs=(-MAX_INPUT, MAX_INPUT - 1), greatest_code=greatest)

    def new_code(self, name: str) -> Term:
        """Returns the variable of a character, with no more bits than it needs: those beyond are known to be 0."""
        n_bits = 16 if self._is_wide else 8
        return z3.ZeroExt(BITS - n_bits, z3.BitVec(name, n_bits))

    def fresh(self, below: int) -> Term:
        """Returns a new variable from 0 to `below`, exclusive."""
        self._n_fresh += 1
        n_bits = (below - 1).bit_length()
        variable = z3.ZeroExt(BITS - n_bits, z3.BitVec(f"fresh {self._n_fresh}", n_bits))
        self.assume(variable < below)
        return variable

    def known(self, term: Term) -> int | None:
        """Returns the value of a term that depends on no input."""
        value = z3.simplify(term)
        return int(value.as_signed_long()) if z3.is_bv_value(value) else super().known(term)

    def value_of(self, place: str, model: z3.ModelRef) -> Scalar:
        """Returns the value of an input in a model."""
        term = self.inputs[place]
        if isinstance(term, list):
            codes = (model.eval(code, model_completion=True) for code in term)
            return "".join(chr(code.as_signed_long()) for code in codes)
        if z3.is_bv(term):
            return int(model.eval(term, model_completion=True).as_signed_long())
        return super().value_of(place, model)

    def literal(self, value: Scalar) -> Term:
        """Returns the term of a constant."""
        if isinstance(value, (str, bool)):
            return super().literal(value)
        if not float(value).is_integer():
            raise Unmodelled("a fraction in bits")
        return z3.BitVecVal(int(value), BITS)

    def _of_table(self, node: Expression) -> Term:
        basis = basis_of_table(self._entries(node)) if node.op == "chosen" else None
        if basis is None:
            return super()._of_table(node)
        key = self.term(node.args[0])
        first, powers = basis
        self.assume(key >= 0, key < 1 << len(powers))
        result = self.literal(first)
        for number, value in enumerate(powers):
            is_set = z3.Extract(number, number, key) == 1
            result = result ^ z3.If(is_set, self.literal(value), self.literal(0))
        return result

    def _translated(self, node: Expression) -> Term:
        try:
            term = self._number(node)
            found = super()._translated(node) if term is None else term
        except z3.Z3Exception as error:  # whole numbers and bits do not mix
            raise Unmodelled(node.op) from error
        if not isinstance(found, list) and z3.is_arith(found):
            value = self.known(found)
            if value is None:
                raise Unmodelled(node.op)
            return z3.BitVecVal(value, BITS)
        return found

    def _number(self, node: Expression) -> Term | None:
        """Returns the term of an operation on numbers; None for others."""
        if node.op == "big":
            return z3.BitVecVal(int(str(self._path.nodes[node.args[0]].value)), BITS)
        is_numeric = bool(node.args) and not any(self._is_text(arg) for arg in node.args)
        if is_numeric and node.op in _OPERATIONS:
            terms = [self.term(arg) for arg in node.args]
            remainder = self._small_remainder(node, terms) if node.op == "%" else None
            if remainder is not None:
                return remainder
            self._bound_cost(node.op, terms)
            return _OPERATIONS[node.op](*terms)
        if is_numeric and (node.op in number_terms.BINARY or node.op in number_terms.UNARY or node.op in _ONLY_WHOLE):
            raise Unmodelled(f"{node.op} in bits")
        if isinstance(node.value, (bool, str)) or (node.op != CONSTANT and not node.place):
            return None
        if node.op == CONSTANT:
            return self.literal(node.value)
        if not float(node.value).is_integer():
            raise Unmodelled("a fraction in bits")
        n_bits = self._bits_of_inputs.get(node.place, BITS)
        if n_bits < BITS:
            return z3.ZeroExt(BITS - n_bits, z3.BitVec(node.place, n_bits))
        variable = z3.BitVec(node.place, BITS)
        self.assume(variable >= -MAX_INPUT, variable < MAX_INPUT)
        return variable

    @cached_property
    def _bits_of_inputs(self) -> dict[str, int]:
        """How many bits inputs have that are numbers between 0 and a bound, as the path says, by place."""
        least, greatest = set[str](), dict[str, int]()
        for entry in self._path.entries[:-1]:
            condition = self._path.nodes[entry.node]
            if condition.op not in ("<", "<=") or not entry.is_taken:
                continue
            left, right = (self._path.nodes[arg] for arg in condition.args)
            if left.op == CONSTANT and right.place and not isinstance(left.value, str) and left.value >= 0:
                least.add(right.place)
            elif right.op == CONSTANT and left.place and not isinstance(right.value, str):
                greatest[left.place] = min(int(right.value), greatest.get(left.place, MAX_INPUT))
        return {place: bound.bit_length() for place, bound in greatest.items() if place in least and bound > 0}

    def _small_remainder(self, node: Expression, terms: list[Term]) -> Term | None:
        """Returns the remainder of a dividend that is not negative, in as few bits as it needs.

        If it is less than a few times the divisor, without a division.
        """
        dividend, divisor = self._ranges[node.args[0]], self._ranges[node.args[1]]
        if dividend is None or divisor is None or divisor[0] != divisor[1] or dividend[0] < 0 or divisor[0] <= 0:
            return None
        n_subtractions = dividend[1] // divisor[0]
        if n_subtractions > MAX_SUBTRACTIONS:
            n_bits = max(dividend[1], divisor[0]).bit_length()
            if n_bits >= BITS:
                return None
            self._bound_cost(node.op, terms)
            low, by = (z3.Extract(n_bits - 1, 0, term) for term in terms)
            return z3.ZeroExt(BITS - n_bits, z3.URem(low, by))
        result = terms[0]
        for times in range(1, n_subtractions + 1):
            result = z3.If(terms[0] >= times * divisor[0], terms[0] - times * divisor[0], result)
        return result

    def _bound_cost(self, op: str, terms: list[Term]) -> None:
        """Refuses what becomes circuits that take longer than Z3's limit of resources says. Raises: Unmodelled."""
        if op in ("*", "big*") and all(self.known(term) is None for term in terms):
            raise Unmodelled("a product of inputs in bits")
        if op in ("%", "big%", "big/"):
            divisor = self.known(terms[1])
            self._n_remainders += divisor is None or divisor.bit_count() != 1
            if self._n_remainders > MAX_REMAINDERS:
                raise Unmodelled("many remainders in bits")

    def _is_text(self, index: int) -> bool:
        return isinstance(self._path.nodes[index].value, (str, bool))


def basis_of_table(entries: Sequence[tuple[Scalar, Scalar]]) -> tuple[int, list[int]] | None:
    """Returns the value under 0, and by how much each bit of a key changes it, if bits change nothing but that.

    So it is in the tables of cyclic redundancy checks, which are long, and easily inverted in this form.
    """
    values = [value for number, (key, value) in enumerate(entries) if key == number and _is_whole(value)]
    size = len(entries)
    if len(values) < size or size < LEAST_LINEAR or size.bit_count() != 1:
        return None
    numbers = [int(value) for value in values]
    powers = [numbers[1 << bit] ^ numbers[0] for bit in range(size.bit_length() - 1)]
    for key, value in enumerate(numbers):
        expected = numbers[0]
        for bit, power in enumerate(powers):
            expected ^= power if key >> bit & 1 else 0
        if value != expected:
            return None
    return numbers[0], powers


def _is_whole(value: Scalar) -> bool:
    return not isinstance(value, (str, bool)) and float(value).is_integer()


def uses_bits(path: Path) -> bool:
    """Whether a condition of a path is about bits."""
    roots = [entry.node for entry in path.entries]
    return any(path.nodes[index].op in BIT_OPERATORS for index in path.reachable(roots))


def _low(term: Term) -> Term:
    """Returns the 32 bits that bit operators see."""
    return z3.Extract(31, 0, term)


def _signed(term: Term) -> Term:
    return z3.SignExt(BITS - 32, term)


def _shift(term: Term) -> Term:
    return _low(term) & 31


def _wrapped(term: Term, bits: Term, *, is_signed: bool) -> Term:
    size = z3.simplify(bits).as_long()
    if size >= BITS:
        return term
    low = z3.Extract(size - 1, 0, term) if size else z3.BitVecVal(0, 1)
    return z3.SignExt(BITS - size, low) if is_signed else z3.ZeroExt(BITS - max(size, 1), low)


_ONLY_WHOLE: Final = frozenset((*number_terms.BIG, *number_terms.WHOLE_RESULTS, *PARTS_OF_DATES, "days", "big**"))
_OPERATIONS: Final[dict[str, Callable[..., Term]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "%": z3.SRem,
    "&": lambda a, b: _signed(_low(a) & _low(b)),
    "|": lambda a, b: _signed(_low(a) | _low(b)),
    "^": lambda a, b: _signed(_low(a) ^ _low(b)),
    "<<": lambda a, b: _signed(_low(a) << _shift(b)),
    ">>": lambda a, b: _signed(_low(a) >> _shift(b)),
    ">>>": lambda a, b: z3.ZeroExt(BITS - 32, z3.LShR(_low(a), _shift(b))),
    "imul": lambda a, b: _signed(_low(a) * _low(b)),
    "min": lambda a, b: z3.If(a <= b, a, b),
    "max": lambda a, b: z3.If(a >= b, a, b),
    "negate": lambda a: -a,
    "~": lambda a: ~_signed(_low(a)),
    "abs": lambda a: z3.If(a < 0, -a, a),
    "floor": lambda a: a,
    "ceil": lambda a: a,
    "round": lambda a: a,
    "trunc": lambda a: a,
    "big+": lambda a, b: a + b,
    "big-": lambda a, b: a - b,
    "big*": lambda a, b: a * b,
    "big/": z3.UDiv,
    "big%": z3.URem,
    "big&": lambda a, b: a & b,
    "big|": lambda a, b: a | b,
    "big^": lambda a, b: a ^ b,
    "big<<": lambda a, b: a << b,
    "big>>": z3.LShR,
    "toBig": lambda a: a,
    "bigToNumber": lambda a: a,
    "asIntN": lambda a, bits: _wrapped(a, bits, is_signed=True),
    "asUintN": lambda a, bits: _wrapped(a, bits, is_signed=False),
    "===": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "isInteger": lambda a: z3.BoolVal(True),
}
"""Without a quotient of numbers, all are whole ones. Big ones are not negative, and wrap at 64 bits."""
