"""Texts of a fixed length as lists of character codes: the encoding for arithmetic on characters.

Check digits, sums over characters and negated regular expressions are solved in milliseconds that take seconds, or are
not solved, with sequences. What decides the length of a text is taken from the traced run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import z3

from wimble.solve.path_conditions import Expression, Unmodelled
from wimble.solve.patterns.regex_languages import language_accepted_by
from wimble.solve.terms.character_terms import CharacterTerms, Codes, accepted, in_ranges, same
from wimble.solve.terms.expression_terms import Term
from wimble.solve.terms.pattern_terms import PATTERN_TERMS

NUMBER: Final = (
    r"^\s*(?:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?Infinity"
    r"|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)?\s*$"
)
"""What `Number` converts to a number."""
RADIX_PREFIXES: Final = {"0x": 16, "0o": 8, "0b": 2}
MAX_DIGITS: Final = 53
"""Maximum number of digits in the text of a number, in any radix."""
MAX_BIG_DIGITS: Final = 60


class VectorTerms(CharacterTerms):
    """Translates one path for inputs of given lengths."""

    def _text(self, node: Expression) -> Term:
        write = _OPERATIONS.get(node.op)
        if write is None:
            raise Unmodelled(node.op)
        return write(self, node)


def _equal(terms: CharacterTerms, node: Expression) -> Term:
    return same(terms.codes(node, 0), terms.codes(node, 1))


def _less(terms: CharacterTerms, node: Expression) -> Term:
    return _is_less(terms.codes(node, 0), terms.codes(node, 1), or_equal=node.op == "<=")


def _is_less(left: Codes, right: Codes, *, or_equal: bool = False) -> Term:
    result: Term = z3.BoolVal(len(left) < len(right) or (or_equal and len(left) == len(right)))
    for a, b in reversed(list(zip(left, right, strict=False))):
        result = z3.Or(a < b, z3.And(a == b, result))
    return result


def _at(terms: CharacterTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    index = terms.term(node.args[1])
    known = terms.known(index)
    if known is not None:
        position = known + (len(codes) if node.op == "at" and known < 0 else 0)
        return [codes[position]] if 0 <= position < len(codes) else []
    chosen: Term = codes[-1] if codes else terms.literal(0)
    for position in range(len(codes) - 1):
        chosen = z3.If(index == position, codes[position], chosen)
    terms.assume(index >= 0, index < len(codes))
    return [chosen]


def _code(terms: CharacterTerms, node: Expression) -> Term:
    found = _at(terms, node)
    return found[0] if found else terms.literal(-1)


def _slice(terms: CharacterTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    start, end = terms.value(node, 1), terms.value(node, 2, len(codes))
    return codes[start:end]


def _substring(terms: CharacterTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    ends = sorted((max(0, terms.value(node, 1)), max(0, terms.value(node, 2, len(codes)))))
    return codes[ends[0] : ends[1]]


def _substr(terms: CharacterTerms, node: Expression) -> Term:
    codes = terms.codes(node, 0)
    start = terms.value(node, 1)
    start = max(0, len(codes) + start) if start < 0 else start
    return codes[start : start + max(0, terms.value(node, 2, len(codes)))]


def _found(text: Codes, sought: Codes, position: int) -> Term:
    return same(text[position : position + len(sought)], sought)


def _index(terms: CharacterTerms, node: Expression) -> Term:
    text, sought, start = terms.codes(node, 0), terms.codes(node, 1), terms.value(node, 2)
    result: Term = terms.literal(-1)
    for position in reversed(range(max(0, start), len(text) - len(sought) + 1)):
        result = z3.If(_found(text, sought, position), position, result)
    return result


def _last_index(terms: CharacterTerms, node: Expression) -> Term:
    text, sought = terms.codes(node, 0), terms.codes(node, 1)
    result: Term = terms.literal(-1)
    for position in range(len(text) - len(sought) + 1):
        result = z3.If(_found(text, sought, position), position, result)
    return result


def _includes(terms: CharacterTerms, node: Expression) -> Term:
    return _index(terms, node) >= 0


def _starts(terms: CharacterTerms, node: Expression) -> Term:
    return _found(terms.codes(node, 0), terms.codes(node, 1), terms.value(node, 2))


def _ends(terms: CharacterTerms, node: Expression) -> Term:
    text, sought = terms.codes(node, 0), terms.codes(node, 1)
    return _found(text, sought, len(text) - len(sought)) if len(sought) <= len(text) else z3.BoolVal(False)


def _case(first: int, last: int, shift: int) -> Callable[[CharacterTerms, Expression], Term]:
    def write(terms: CharacterTerms, node: Expression) -> Term:
        return [_shifted(code, first, last, shift) for code in terms.codes(node, 0)]

    return write


def _shifted(code: Term, first: int, last: int, shift: int) -> Term:
    return z3.If(z3.And(code >= first, code <= last), code + shift, code)


def _trimmed(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes that there is no white space at the ends."""
    codes = terms.codes(node, 0)
    terms.assume(*(code > 0x20 for code in (codes[:1] + codes[-1:])))
    return codes


def _normal(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes ASCII, which is in its normal form, and its own encoding."""
    codes = terms.codes(node, 0)
    terms.assume(*(code <= 0x7F for code in codes))
    return codes


def _number(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes the sign, the radix and the decimal point of the traced run."""
    codes, traced = terms.codes(node, 0), terms.traced(node, 0)
    radix = terms.value(node, 1) or 10
    is_beginning = node.op in ("parseInt", "parseFloat")
    is_negative = traced[:1] == "-" and len(codes) > 1
    if is_negative:
        terms.assume(codes[0] == ord("-"))
        codes, traced = codes[1:], traced[1:]
    prefix = RADIX_PREFIXES.get(traced[:2].lower()) if len(codes) > 2 else None
    if prefix is not None and (prefix == radix == 16 if is_beginning else not is_negative):
        terms.assume(codes[0] == ord("0"), _same_letter(codes[1], traced[1]))
        radix, codes, traced = prefix, codes[2:], traced[2:]
    if not codes or len(codes) > (MAX_BIG_DIGITS if node.op == "toBig" else 18) or not 2 <= radix <= 36:
        raise Unmodelled(node.op)
    digits = _beginning if is_beginning else _all_digits
    if node.op in ("toNumber", "parseFloat") and 0 < traced.find(".") < len(codes) - 1:
        size = _with_fraction(terms, codes, traced.index("."), digits)
    else:
        size = digits(terms, codes, radix)[0]
    return -size if is_negative else size


def _all_digits(terms: CharacterTerms, codes: Codes, radix: int) -> tuple[Term, Term]:
    """Returns the number, and the power of the radix that has as many digits. All characters have to be digits."""
    total: Term = terms.literal(0)
    for code in codes:
        total = total * radix + _digit(terms, code, radix)
    return total, terms.literal(radix ** len(codes))


def _beginning(terms: CharacterTerms, codes: Codes, radix: int) -> tuple[Term, Term]:
    """The same of the digits that a text begins with."""
    total, power = _digit(terms, codes[0], radix), terms.literal(radix)
    is_digit: Term = z3.BoolVal(True)
    for number, code in enumerate(codes[1:], start=2):
        is_digit = z3.And(is_digit, in_ranges(code, _ranges_of_digits(radix)))
        total = z3.If(is_digit, total * radix + _value_of_digit(code, radix), total)
        power = z3.If(is_digit, terms.literal(radix**number), power)
    return total, power


def _with_fraction(
    terms: CharacterTerms, codes: Codes, point: int, digits: Callable[[CharacterTerms, Codes, int], tuple[Term, Term]]
) -> Term:
    terms.assume(codes[point] == ord("."))
    whole, _ = _all_digits(terms, codes[:point], 10)
    fraction, power = digits(terms, codes[point + 1 :], 10)
    return z3.ToReal(whole) + z3.ToReal(fraction) / z3.ToReal(power)


def _same_letter(code: Term, letter: str) -> Term:
    return z3.Or(code == ord(letter.lower()), code == ord(letter.upper()))


def _digit(terms: CharacterTerms, code: Term, radix: int) -> Term:
    """Returns the value of a digit; the character has to be one."""
    terms.assume(in_ranges(code, _ranges_of_digits(radix)))
    return _value_of_digit(code, radix)


def _ranges_of_digits(radix: int) -> tuple[tuple[int, int], ...]:
    plain = (0x30, min(0x39, 0x2F + radix))
    return (plain, (0x41, 0x36 + radix), (0x61, 0x56 + radix)) if radix > 10 else (plain,)


def _value_of_digit(code: Term, radix: int) -> Term:
    if radix <= 10:
        return code - 0x30
    return z3.If(code <= 0x39, code - 0x30, z3.If(code <= 0x5A, code - 0x37, code - 0x57))


def _to_text(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes as many digits as in the traced run."""
    number = terms.term(node.args[0])
    radix = terms.value(node, 1, 10)
    traced = str(node.value)
    if z3.is_real(number) or traced.startswith("-") or len(traced) > MAX_DIGITS:
        raise Unmodelled(node.op)
    digits = [terms.fresh(radix) for _ in traced]
    total: Term = terms.literal(0)
    for digit in digits:
        total = total * radix + digit
    if len(digits) > 1:
        terms.assume(digits[0] > 0)
    terms.assume(total == number)
    return [z3.If(digit < 10, digit + 0x30, digit + 0x57) if radix > 10 else digit + 0x30 for digit in digits]


def _not_a_number(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes that a number has no exponent."""
    codes = terms.codes(node, 0)
    is_number = accepted(language_accepted_by(NUMBER, ""), codes)
    plain = r"^(?:-?[0-9]+([.][0-9]+)?|0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+)$"
    terms.assume(z3.Or(z3.Not(is_number), accepted(language_accepted_by(plain, ""), codes)))
    return z3.Not(is_number)


def _from_code(terms: CharacterTerms, node: Expression) -> Term:
    return [terms.term(node.args[0])]


def _padded(terms: CharacterTerms, node: Expression) -> Term:
    codes, width, filler = terms.codes(node, 0), terms.value(node, 1), terms.codes(node, 2)
    missing = width - len(codes)
    if not filler or missing <= 0:
        return codes
    padding = (filler * missing)[:missing]
    return padding + codes if node.op == "padStart" else codes + padding


def _part(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes the separators where they were in the traced run; if the text has another length, its last part has."""
    codes, separator, traced = terms.codes(node, 0), terms.traced(node, 1), terms.traced(node, 0)
    *first, last = traced.split(separator)
    n_of_last = len(last) + len(codes) - len(traced)
    if n_of_last < 0 or len(separator) != 1:
        raise Unmodelled("split")
    lengths = [*(len(part) for part in first), n_of_last]
    ends = [sum(lengths[: number + 1]) + number for number in range(len(first))]
    for number, code in enumerate(codes):
        terms.assume(code == ord(separator) if number in ends else code != ord(separator))
    part = terms.value(node, 2)
    start = sum(lengths[:part]) + part
    return codes[start : start + lengths[part]]


def _compared_by_locale(terms: CharacterTerms, node: Expression) -> Term:
    """As `localeCompare` orders letters and digits."""
    texts = [terms.codes(node, number) for number in (0, 1)]
    small = [[_shifted(code, 0x41, 0x5A, 32) for code in text] for text in texts]
    swapped = [[_shifted(code, 0x61, 0x7A, -64) for code in text] for text in texts]
    is_less = z3.Or(_is_less(*small), z3.And(same(*small), _is_less(*swapped)))
    is_same = z3.And(same(*texts))
    return z3.If(is_same, terms.literal(0), z3.If(is_less, terms.literal(-1), terms.literal(1)))


def _parts(terms: CharacterTerms, node: Expression) -> Term:
    codes, separator = terms.codes(node, 0), terms.traced(node, 1)
    if len(separator) != 1:
        raise Unmodelled("split")
    return z3.Sum(
        terms.literal(1), *(z3.If(code == ord(separator), terms.literal(1), terms.literal(0)) for code in codes)
    )


_OPERATIONS: Final[dict[str, Callable[[CharacterTerms, Expression], Term]]] = {
    **PATTERN_TERMS,
    "<": _less,
    "<=": _less,
    "===": _equal,
    "at": _at,
    "charAt": _at,
    "charCodeAt": _code,
    "codePointAt": _code,
    "concat": lambda terms, node: terms.codes(node, 0) + terms.codes(node, 1),
    "endsWith": _ends,
    "fromCharCode": _from_code,
    "fromUtf8": _normal,
    "includes": _includes,
    "indexOf": _index,
    "isNaN": _not_a_number,
    "lastIndexOf": _last_index,
    "length": lambda terms, node: terms.literal(len(terms.codes(node, 0))),
    "localeCompare": _compared_by_locale,
    "normalize": _normal,
    "padEnd": _padded,
    "padStart": _padded,
    "parseFloat": _number,
    "parseInt": _number,
    "part": _part,
    "parts": _parts,
    "repeat": lambda terms, node: terms.codes(node, 0) * max(0, terms.value(node, 1)),
    "slice": _slice,
    "startsWith": _starts,
    "substr": _substr,
    "substring": _substring,
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
