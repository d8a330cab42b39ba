"""Texts of a fixed length as lists of character codes: the encoding for arithmetic on characters.

Check digits, sums over characters and negated regular expressions are solved in milliseconds that take seconds, or are
not solved, with sequences. What decides the length of a text is taken from the traced run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import z3

from wimble.solve.computed_patterns import match_at
from wimble.solve.ecmascript import compiled
from wimble.solve.expression_terms import ExpressionTerms, Term
from wimble.solve.path_conditions import Expression, Path, Scalar, Unmodelled
from wimble.solve.regex_groups import group_source
from wimble.solve.regex_languages import (
    Language,
    accepts_empty,
    boundaries,
    derivative,
    language_accepted_by,
    part_language,
)
from wimble.solve.regex_spans import has_match

MAX_LENGTH: Final = 120
NUMBER: Final = (
    r"^\s*(?:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?Infinity"
    r"|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)?\s*$"
)
"""What `Number` converts to a number."""
BYTES_PREFIX: Final = "#bytes "
"""Of the places of texts that stand for bytes."""
PRINTABLE: Final = ((0x20, 0x7E),)
WIDE: Final = ((0x09, 0x0A), (0x0D, 0x0D), (0x20, 0x7E), (0xA0, 0xD7FF), (0xE000, 0xFFFD))
"""All but control characters, which texts hardly ever hold, and halves of surrogate pairs."""
BYTES: Final = ((0, 0xFF),)
MAX_STATES: Final = 400
MAX_DIGITS: Final = 53
"""Of the text of a number, in whatever radix."""
MAX_BIG_DIGITS: Final = 60
Codes = list[Term]


class VectorTerms(ExpressionTerms):
    """Translates one path for inputs of given lengths."""

    def __init__(self, path: Path, lengths: Mapping[str, int], *, is_wide: bool = False) -> None:
        """lengths: of the inputs that are texts, by place. is_wide: whether they may hold any characters."""
        super().__init__(path)
        self._lengths = lengths
        self._is_wide = is_wide
        self._n_fresh = 0

    def _text_input(self, place: str, value: str) -> Term:
        length = self._lengths.get(place, len(value))
        if length > MAX_LENGTH:
            raise Unmodelled("a long text")
        codes = [self.new_code(f"{place}[{number}]") for number in range(length)]
        # Printable ASCII, which needs no escapes; bytes that are decoded may be any.
        ranges = BYTES if place.startswith(BYTES_PREFIX) else WIDE if self._is_wide else PRINTABLE
        self.sides += [_in_ranges(code, ranges) for code in codes]
        return codes

    def new_code(self, name: str) -> Term:
        """Returns the variable of a character."""
        return z3.Int(name)

    def known(self, term: Term) -> int | None:
        """Returns the value of a term that depends on no input, if it is a whole number."""
        value = z3.simplify(term)
        if z3.is_rational_value(value) and value.denominator_as_long() == 1:
            return int(value.numerator_as_long())
        return int(value.as_long()) if z3.is_int_value(value) else None

    def _text_constant(self, value: str) -> Term:
        return [self.literal(ord(char)) for char in value]

    def _chosen(self, node: Expression, hits: list[Term], values: list[Term]) -> Term:
        """Assumes the length of the text that was chosen in the traced run."""
        if not isinstance(node.value, str):
            return super()._chosen(node, hits, values)
        fitting = [(hit, value) for hit, value in zip(hits, values, strict=True) if len(value) == len(node.value)]
        self.sides.append(z3.Or(*(hit for hit, _ in fitting)))
        texts = [value for _, value in fitting]
        return [
            super(VectorTerms, self)._chosen(node, [hit for hit, _ in fitting], [text[at] for text in texts])
            for at in range(len(node.value))
        ]

    def choice(self, condition: Term, one: Term, other: Term) -> Term:
        """Returns one of two values. Raises: Unmodelled, for texts of two lengths."""
        if not isinstance(one, list) or not isinstance(other, list):
            return super().choice(condition, one, other)
        if len(one) != len(other):
            raise Unmodelled("one of two texts of different lengths")
        return [z3.If(condition, a, b) for a, b in zip(one, other, strict=True)]

    def value_of(self, place: str, model: z3.ModelRef) -> Scalar:
        """Returns the value of an input in a model."""
        codes = self.inputs[place]
        if not isinstance(codes, list):
            return super().value_of(place, model)
        return "".join(chr(model.eval(code, model_completion=True).as_long()) for code in codes)

    def same(self, one: Term, other: Term) -> Term:
        """Returns whether two terms are equal."""
        return same(one, other) if isinstance(one, list) else one == other

    def _text(self, node: Expression) -> Term:
        write = _OPERATIONS.get(node.op)
        if write is None:
            raise Unmodelled(node.op)
        return write(self, node)

    # ---- what operations ask for ------------------------------------------------------------------------------------

    def codes(self, node: Expression, number: int) -> Codes:
        """Returns the characters of an argument."""
        term = self.term(node.args[number])
        if not isinstance(term, list):
            raise Unmodelled(node.op)
        return term

    def value(self, node: Expression, number: int, default: int = 0) -> int:
        """Returns an argument whose value does not depend on characters. Raises: Unmodelled."""
        if number >= len(node.args):
            return default
        value = self.known(self.term(node.args[number]))
        if value is None:
            raise Unmodelled(f"{node.op} at a variable position")
        return value

    def constant(self, node: Expression, number: int) -> str:
        """Returns an argument that is a constant text. Raises: Unmodelled."""
        argument = self._path.nodes[node.args[number]]
        if argument.op != "k" or not isinstance(argument.value, str):
            raise Unmodelled(f"{node.op} with a variable argument")
        return argument.value

    def traced(self, node: Expression, number: int) -> str:
        """Returns the value of an argument in the traced run."""
        return str(self._path.nodes[node.args[number]].value)

    def fresh(self) -> Term:
        """Returns a new variable."""
        self._n_fresh += 1
        return z3.Int(f"fresh {self._n_fresh}")


def same(left: Codes, right: Codes) -> Term:
    """Returns whether two texts are equal."""
    if len(left) != len(right):
        return z3.BoolVal(False)
    return z3.And(*(a == b for a, b in zip(left, right, strict=True))) if left else z3.BoolVal(True)


def _in_ranges(code: Term, ranges: tuple[tuple[int, int], ...]) -> Term:
    parts = [code == low if low == high else z3.And(code >= low, code <= high) for low, high in ranges]
    return z3.Or(*parts) if parts else z3.BoolVal(False)


def accepted(language: Language, codes: Codes) -> Term:
    """Returns whether a text belongs to a language: its derivatives, as an automaton that is unrolled.

    Raises: Unmodelled, if the automaton is large.
    """
    cuts = sorted(boundaries(language) | {0})
    states: dict[Language, Term] = {language: z3.BoolVal(True)}
    for code in codes:
        following: dict[Language, list[Term]] = {}
        for state, reached in states.items():
            moves: dict[Language, list[tuple[int, int]]] = {}
            for number, low in enumerate(cuts):
                high = (cuts[number + 1] if number + 1 < len(cuts) else 0x10000) - 1
                moves.setdefault(derivative(state, low), []).append((low, high))
            for target, ranges in moves.items():
                is_all = len(moves) == 1
                here = reached if is_all else z3.And(reached, _in_ranges(code, tuple(ranges)))
                following.setdefault(target, []).append(here)
        if len(following) > MAX_STATES:
            raise Unmodelled("a regular expression with many states")
        states = {state: z3.Or(*ways) if len(ways) > 1 else ways[0] for state, ways in following.items()}
    final = [reached for state, reached in states.items() if accepts_empty(state)]
    return z3.Or(*final) if final else z3.BoolVal(False)


def _equal(terms: VectorTerms, node: Expression) -> Term:
    return same(terms.codes(node, 0), terms.codes(node, 1))


def _less(terms: VectorTerms, node: Expression) -> Term:
    return _is_less(terms.codes(node, 0), terms.codes(node, 1), or_equal=node.op == "<=")


def _is_less(left: Codes, right: Codes, *, or_equal: bool = False) -> Term:
    result: Term = z3.BoolVal(len(left) < len(right) or (or_equal and len(left) == len(right)))
    for a, b in reversed(list(zip(left, right, strict=False))):
        result = z3.Or(a < b, z3.And(a == b, result))
    return result


def _at(terms: VectorTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    index = terms.term(node.args[1])
    known = terms.known(index)
    if known is not None:
        position = known + (len(codes) if node.op == "at" and known < 0 else 0)
        return [codes[position]] if 0 <= position < len(codes) else []
    chosen: Term = codes[-1] if codes else terms.literal(0)
    for position in range(len(codes) - 1):
        chosen = z3.If(index == position, codes[position], chosen)
    terms.sides += [index >= 0, index < len(codes)]
    return [chosen]


def _code(terms: VectorTerms, node: Expression) -> Term:
    found = _at(terms, node)
    return found[0] if found else terms.literal(-1)


def _slice(terms: VectorTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    start, end = terms.value(node, 1), terms.value(node, 2, len(codes))
    return codes[start:end]


def _substring(terms: VectorTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    ends = sorted((max(0, terms.value(node, 1)), max(0, terms.value(node, 2, len(codes)))))
    return codes[ends[0] : ends[1]]


def _substr(terms: VectorTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    start = terms.value(node, 1)
    start = max(0, len(codes) + start) if start < 0 else start
    return codes[start : start + max(0, terms.value(node, 2, len(codes)))]


def _found(text: Codes, sought: Codes, position: int) -> Term:
    return same(text[position : position + len(sought)], sought)


def _index(terms: VectorTerms, node: Expression) -> Term:
    text, sought, start = terms.codes(node, 0), terms.codes(node, 1), terms.value(node, 2)
    result: Term = terms.literal(-1)
    for position in reversed(range(max(0, start), len(text) - len(sought) + 1)):
        result = z3.If(_found(text, sought, position), position, result)
    return result


def _last_index(terms: VectorTerms, node: Expression) -> Term:
    text, sought = terms.codes(node, 0), terms.codes(node, 1)
    result: Term = terms.literal(-1)
    for position in range(len(text) - len(sought) + 1):
        result = z3.If(_found(text, sought, position), position, result)
    return result


def _includes(terms: VectorTerms, node: Expression) -> Term:
    return _index(terms, node) >= 0


def _starts(terms: VectorTerms, node: Expression) -> Term:
    return _found(terms.codes(node, 0), terms.codes(node, 1), terms.value(node, 2))


def _ends(terms: VectorTerms, node: Expression) -> Term:
    text, sought = terms.codes(node, 0), terms.codes(node, 1)
    return _found(text, sought, len(text) - len(sought)) if len(sought) <= len(text) else z3.BoolVal(False)


def _case(first: int, last: int, shift: int) -> Callable[[VectorTerms, Expression], Term]:
    def write(terms: VectorTerms, node: Expression) -> Term:
        return [_shifted(code, first, last, shift) for code in terms.codes(node, 0)]

    return write


def _shifted(code: Term, first: int, last: int, shift: int) -> Term:
    return z3.If(z3.And(code >= first, code <= last), code + shift, code)


def _trimmed(terms: VectorTerms, node: Expression) -> Term:
    """Assumes that there is no white space at the ends."""
    codes = terms.codes(node, 0)
    terms.sides += [code > 0x20 for code in (codes[:1] + codes[-1:])]
    return codes


def _normal(terms: VectorTerms, node: Expression) -> Term:
    """Assumes a text in its normal form."""
    codes = terms.codes(node, 0)
    terms.sides += [code <= 0x7F for code in codes]
    return codes


def _number(terms: VectorTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    radix = terms.value(node, 1) or 10
    if not codes or len(codes) > (MAX_BIG_DIGITS if node.op == "toBig" else 18) or not 2 <= radix <= 36:
        raise Unmodelled(node.op)
    total: Term = terms.literal(0)
    for code in codes:
        total = total * radix + _digit(terms, code, radix)
    return total


def _digit(terms: VectorTerms, code: Term, radix: int) -> Term:
    """Returns the value of a digit; the character has to be one."""
    ranges = [(0x30, min(0x39, 0x2F + radix))]
    if radix > 10:
        ranges += [(0x41, 0x36 + radix), (0x61, 0x56 + radix)]
    terms.sides.append(_in_ranges(code, tuple(ranges)))
    if radix <= 10:
        return code - 0x30
    return z3.If(code <= 0x39, code - 0x30, z3.If(code <= 0x5A, code - 0x37, code - 0x57))


def _to_text(terms: VectorTerms, node: Expression) -> Term:
    """Assumes as many digits as in the traced run."""
    number = terms.term(node.args[0])
    radix = terms.value(node, 1, 10)
    traced = str(node.value)
    if not z3.is_int(number) or traced.startswith("-") or len(traced) > MAX_DIGITS:
        raise Unmodelled(node.op)
    digits = [terms.fresh() for _ in traced]
    total: Term = z3.IntVal(0)
    for digit in digits:
        total = total * radix + digit
        terms.sides += [digit >= 0, digit < radix]
    if len(digits) > 1:
        terms.sides.append(digits[0] > 0)
    terms.sides.append(total == number)
    return [z3.If(digit < 10, digit + 0x30, digit + 0x57) if radix > 10 else digit + 0x30 for digit in digits]


def _not_a_number(terms: VectorTerms, node: Expression) -> Term:
    """Assumes that a number is a decimal one without an exponent."""
    codes = terms.codes(node, 0)
    is_number = accepted(language_accepted_by(NUMBER, ""), codes)
    terms.sides.append(z3.Or(z3.Not(is_number), accepted(language_accepted_by(r"^-?[0-9]+([.][0-9]+)?$", ""), codes)))
    return z3.Not(is_number)


def _tested(terms: VectorTerms, node: Expression) -> Term:
    return _has_match(terms, node, start=terms.value(node, 3))


def _took_part(terms: VectorTerms, node: Expression) -> Term:
    return _has_match(terms, node, start=terms.value(node, 4), group=terms.value(node, 3))


def _has_match(terms: VectorTerms, node: Expression, start: int, group: int = 0) -> Term:
    """Asks an automaton, which has few states, where it knows the whole of the expression and the text."""
    source, flags, codes = terms.constant(node, 1), terms.constant(node, 2).replace("g", ""), terms.codes(node, 0)
    if start == 0:
        with suppress(Unmodelled):
            return accepted(language_accepted_by(source, flags, group), codes)
    return has_match(codes, (source, flags), start=start, group=group, in_ranges=_in_ranges)


def _searched(terms: VectorTerms, node: Expression) -> Term:
    """Returns the first position where there is a match."""
    pattern, codes = (terms.constant(node, 1), terms.constant(node, 2).replace("g", "") + "y"), terms.codes(node, 0)
    result: Term = terms.literal(-1)
    for position in reversed(range(len(codes) + 1)):
        is_here = has_match(codes, pattern, start=position, in_ranges=_in_ranges)
        result = z3.If(is_here, terms.literal(position), result)
    return result


def _captured(terms: VectorTerms, node: Expression) -> Term:
    """Assumes the capture where it was in the traced run."""
    source, flags, group = terms.constant(node, 1), terms.constant(node, 2), terms.value(node, 3)
    codes, traced, inner = terms.codes(node, 0), terms.traced(node, 0), group_source(source, group)
    found = match_at(traced, source, flags, terms.value(node, 4)) if len(traced) == len(codes) else None
    if found is None or found.start(group) < 0 or inner is None:
        raise Unmodelled("a capture at another place")
    captured = codes[found.start(group) : found.end(group)]
    terms.sides.append(accepted(part_language(inner, flags.replace("g", "")), captured))
    return captured


def _found_at(terms: VectorTerms, node: Expression) -> Term:
    """Assumes that nothing matches before."""
    start, end = (int(one) for one in terms.constant(node, 4).split("-"))
    language = part_language(terms.constant(node, 1), terms.constant(node, 2).replace("g", ""))
    return accepted(language, terms.codes(node, 0)[start:end])


def _count_of_matches(terms: VectorTerms, node: Expression) -> Term:
    language = part_language(terms.constant(node, 1), terms.constant(node, 2).replace("g", ""))
    if language[0] != "set":
        raise Unmodelled("the number of matches of several characters")
    matches = [z3.If(accepted(language, [code]), terms.literal(1), terms.literal(0)) for code in terms.codes(node, 0)]
    return z3.Sum(terms.literal(0), *matches)


def _replaced(terms: VectorTerms, node: Expression) -> Term:
    """Replaces the characters that were replaced in the traced run, if each match is one character."""
    flags = terms.constant(node, 2) if node.op == "replaceMatches" else "g"
    is_pattern = node.op == "replaceMatches"
    source = terms.constant(node, 1) if is_pattern else re.escape(terms.constant(node, 1))
    replacement = [terms.literal(ord(char)) for char in terms.constant(node, 3 if is_pattern else 2)]
    pattern = compiled(source, flags.replace("g", ""))
    codes, traced = terms.codes(node, 0), terms.traced(node, 0)
    if pattern is None or "g" not in flags or "$" in terms.constant(node, 3 if is_pattern else 2):
        raise Unmodelled(node.op)
    language = language_accepted_by(source, flags.replace("g", ""))
    result: Codes = []
    for number, code in enumerate(codes):
        was_replaced = len(traced) == len(codes) and pattern.fullmatch(traced[number]) is not None
        is_match = accepted(language, [code])
        terms.sides.append(is_match if was_replaced else z3.Not(is_match))
        result += replacement if was_replaced else [code]
    return result


def _from_code(terms: VectorTerms, node: Expression) -> Term:
    return [terms.term(node.args[0])]


def _padded(terms: VectorTerms, node: Expression) -> Term:
    codes, width, filler = terms.codes(node, 0), terms.value(node, 1), terms.codes(node, 2)
    missing = width - len(codes)
    if not filler or missing <= 0:
        return codes
    padding = (filler * missing)[:missing]
    return padding + codes if node.op == "padStart" else codes + padding


def _part(terms: VectorTerms, node: Expression) -> Term:
    """Assumes the separators where they were in the traced run."""
    codes, separator, traced = terms.codes(node, 0), terms.traced(node, 1), terms.traced(node, 0)
    if len(traced) != len(codes) or len(separator) != 1:
        raise Unmodelled("split")
    for number, code in enumerate(codes):
        is_separator = traced[number] == separator
        terms.sides.append(code == ord(separator) if is_separator else code != ord(separator))
    start = 0
    for part in traced.split(separator)[: terms.value(node, 2)]:
        start += len(part) + 1
    return codes[start : start + len(str(node.value))]


def _piece(terms: VectorTerms, node: Expression) -> Term:
    """Assumes the separators where they were in the traced run."""
    source, flags = terms.constant(node, 1), terms.constant(node, 2).replace("g", "")
    codes, traced, pattern = terms.codes(node, 0), terms.traced(node, 0), compiled(source, flags)
    if len(traced) != len(codes) or pattern is None:
        raise Unmodelled("split")
    start, spans = 0, [match.span() for match in pattern.finditer(traced) if match.group()]
    for begin, end in spans[: terms.value(node, 3)]:
        terms.sides.append(accepted(part_language(source, flags), codes[begin:end]))
        start = end
    return codes[start : start + len(str(node.value))]


def _count_of_pieces(terms: VectorTerms, node: Expression) -> Term:
    return _count_of_matches(terms, node) + 1


def _compared_by_locale(terms: VectorTerms, node: Expression) -> Term:
    """As `localeCompare` orders letters and digits."""
    texts = [terms.codes(node, number) for number in (0, 1)]
    small = [[_shifted(code, 0x41, 0x5A, 32) for code in text] for text in texts]
    swapped = [[_shifted(code, 0x61, 0x7A, -64) for code in text] for text in texts]
    is_less = z3.Or(_is_less(*small), z3.And(same(*small), _is_less(*swapped)))
    is_same = z3.And(same(*texts))
    return z3.If(is_same, terms.literal(0), z3.If(is_less, terms.literal(-1), terms.literal(1)))


def _parts(terms: VectorTerms, node: Expression) -> Term:
    codes, separator = terms.codes(node, 0), terms.traced(node, 1)
    if len(separator) != 1:
        raise Unmodelled("split")
    return z3.Sum(
        terms.literal(1), *(z3.If(code == ord(separator), terms.literal(1), terms.literal(0)) for code in codes)
    )


_OPERATIONS: Final[dict[str, Callable[[VectorTerms, Expression], Term]]] = {
    "<": _less,
    "<=": _less,
    "===": _equal,
    "at": _at,
    "capture": _captured,
    "captured": _took_part,
    "charAt": _at,
    "charCodeAt": _code,
    "codePointAt": _code,
    "concat": lambda terms, node: terms.codes(node, 0) + terms.codes(node, 1),
    "endsWith": _ends,
    "foundAt": _found_at,
    "fromCharCode": _from_code,
    "includes": _includes,
    "indexOf": _index,
    "isNaN": _not_a_number,
    "lastIndexOf": _last_index,
    "length": lambda terms, node: terms.literal(len(terms.codes(node, 0))),
    "localeCompare": _compared_by_locale,
    "matches": _count_of_matches,
    "normalize": _normal,
    "padEnd": _padded,
    "padStart": _padded,
    "parseFloat": _number,
    "parseInt": _number,
    "part": _part,
    "partBetween": _piece,
    "parts": _parts,
    "partsBetween": _count_of_pieces,
    "repeat": lambda terms, node: terms.codes(node, 0) * max(0, terms.value(node, 1)),
    "replaceAll": _replaced,
    "replaceMatches": _replaced,
    "search": _searched,
    "slice": _slice,
    "startsWith": _starts,
    "substr": _substr,
    "substring": _substring,
    "test": _tested,
    "toBig": _number,
    "toLowerCase": _case(0x41, 0x5A, 32),
    "toNumber": _number,
    "toRadix": _to_text,
    "toText": _to_text,
    "toUpperCase": _case(0x61, 0x7A, -32),
    "trim": _trimmed,
    "trimEnd": _trimmed,
    "trimStart": _trimmed,
}
