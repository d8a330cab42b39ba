"""Texts as sequences of Z3: lengths are free. The encoding for searches, parts and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import z3

from wimble.solve.path_conditions import Expression, Path, Scalar, Unmodelled
from wimble.solve.patterns.regex_languages import Language, language_accepted_by
from wimble.solve.terms.expression_terms import ExpressionTerms, Term
from wimble.solve.terms.vector_terms import NUMBER

MAX_PARTS: Final = 8
"""The number of separators up to which the parts of a split are counted."""
_SPACES: Final = " \t\n\r\v\f"
_ESCAPE = re.compile(r"\\u\{([0-9a-fA-F]+)\}")


# Terms belong to the context of their question, so none is kept here.


def _digits() -> Term:
    return z3.Plus(z3.Range("0", "9"))


def _any() -> Term:
    return z3.Full(z3.ReSort(z3.StringSort()))


def regex_term(language: Language) -> Term:
    """Returns a language as a regular expression of Z3."""
    match language[0]:
        case "none":
            return z3.Empty(z3.ReSort(z3.StringSort()))
        case "empty":
            return z3.Re("")
        case "set":
            ranges = [z3.Range(_character(low), _character(high)) for low, high in language[1]]
            return z3.Union(*ranges) if len(ranges) > 1 else ranges[0] if ranges else regex_term(("none",))
        case "cat":
            return z3.Concat(regex_term(language[1]), regex_term(language[2]))
        case "or":
            return z3.Union(*(regex_term(one) for one in language[1]))
        case "and":
            return z3.Intersect(*(regex_term(one) for one in language[1]))
        case "not":
            return z3.Complement(regex_term(language[1]))
    return z3.Star(regex_term(language[1]))


def _character(code: int) -> Term:
    return z3.StringVal(chr(code) if 0x20 <= code < 0x7F and code != 0x5C else f"\\u{{{code:x}}}")


def text_constant(value: str) -> Term:
    """Returns the term of a text."""
    plain = "".join(char if " " <= char <= "~" and char != "\\" else f"\\u{{{ord(char):x}}}" for char in value)
    return z3.StringVal(plain)


class SequenceTerms(ExpressionTerms):
    """Translates one path."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._n_fresh = 0

    def _text_input(self, place: str, value: str) -> Term:
        return z3.String(place)

    def _text_constant(self, value: str) -> Term:
        return text_constant(value)

    def value_of(self, place: str, model: z3.ModelRef) -> Scalar:
        """Returns the value of an input in a model."""
        variable = self.inputs[place]
        if not z3.is_string(variable):
            return super().value_of(place, model)
        value = model.eval(variable, model_completion=True)
        if not z3.is_string_value(value):
            raise Unmodelled("a text that is no value")
        return _ESCAPE.sub(lambda match: chr(int(match.group(1), 16)), value.as_string())

    def _text(self, node: Expression) -> Term:
        if node.op == "===":
            return self._equal(node)
        write = _OPERATIONS.get(node.op)
        if write is None:
            raise Unmodelled(node.op)
        return write(self, node, [self.term(index) for index in node.args])

    def _equal(self, node: Expression) -> Term:
        """Returns the equality of two texts; a text whose case was changed is compared without case."""
        nodes = self._path.nodes
        for one, other in (node.args, node.args[::-1]):
            cased, known = nodes[one], nodes[other]
            if cased.op in ("toLowerCase", "toUpperCase") and known.op == "k" and isinstance(known.value, str):
                changed = known.value.lower() if cased.op == "toLowerCase" else known.value.upper()
                if changed != known.value:
                    return z3.BoolVal(False)
                characters = [z3.Union(z3.Re(a), z3.Re(b)) for a, b in ((c.lower(), c.upper()) for c in known.value)]
                whole = z3.Concat(*characters) if len(characters) > 1 else (characters or [z3.Re("")])[0]
                return z3.InRe(self.term(cased.args[0]), whole)
        return self.term(node.args[0]) == self.term(node.args[1])

    def fresh(self) -> Term:
        """Returns a new variable."""
        self._n_fresh += 1
        return z3.String(f"part {self._n_fresh}")

    def constant_of(self, node: Expression, number: int) -> str:
        """Returns an argument that has to be a constant text. Raises: Unmodelled."""
        argument = self._path.nodes[node.args[number]]
        if argument.op != "k" or not isinstance(argument.value, str):
            raise Unmodelled(f"{node.op} with a variable argument")
        return argument.value

    def number_of(self, node: Expression, number: int) -> int:
        """Returns an argument that has to be a constant number. Raises: Unmodelled."""
        argument = self._path.nodes[node.args[number]]
        if argument.op != "k" or isinstance(argument.value, str):
            raise Unmodelled(f"{node.op} with a variable argument")
        return int(argument.value)


def _clamped(index: Term, length: Term) -> Term:
    """Returns a start or end as `slice` reads it: negative from the end."""
    value = z3.simplify(index)
    if z3.is_int_value(value) and value.as_long() >= 0:
        return index
    return z3.If(index < 0, z3.If(length + index < 0, 0, length + index), index)


def _between(text: Term, start: Term, end: Term) -> Term:
    return z3.SubString(text, start, end - start)


def _slice(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    text, length = args[0], z3.Length(args[0])
    end = _clamped(args[2], length) if len(args) > 2 else length
    return _between(text, _clamped(args[1], length), end)


def _substring(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    text, length = args[0], z3.Length(args[0])
    start, end = args[1], args[2] if len(args) > 2 else length
    low, high = z3.If(start < end, start, end), z3.If(start < end, end, start)
    return _between(text, z3.If(low < 0, 0, low), high)


def _substr(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    length = z3.Length(args[0])
    return z3.SubString(args[0], _clamped(args[1], length), args[2] if len(args) > 2 else length)


def _at(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    return z3.SubString(args[0], _clamped(args[1], z3.Length(args[0])), 1)


def _starts(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    value = z3.simplify(args[2])
    if z3.is_int_value(value) and value.as_long() == 0:
        return z3.PrefixOf(args[1], args[0])
    return z3.SubString(args[0], args[2], z3.Length(args[1])) == args[1]


def _unchanged_case(first: str, last: str) -> Callable[[SequenceTerms, Expression, list[Term]], Term]:
    """Assumes that no letter changes: such a text exists for most conditions."""

    def write(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
        terms.assume(z3.Not(z3.InRe(args[0], z3.Concat(_any(), z3.Range(first, last), _any()))))
        return args[0]

    return write


def _trimmed(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    """Returns the middle of a text between white space."""
    inner, blank = terms.fresh(), z3.Union(*(z3.Re(_character(ord(char))) for char in _SPACES))
    pieces = []
    for side in ("Start", "End"):
        outer = terms.fresh()
        is_cut = node.op in ("trim", f"trim{side}")
        terms.assume(z3.InRe(outer, z3.Star(blank)) if is_cut else outer == text_constant(""))
        if is_cut:
            pattern = z3.Concat(blank, _any()) if side == "Start" else z3.Concat(_any(), blank)
            terms.assume(z3.Not(z3.InRe(inner, pattern)))
        pieces.append(outer)
    terms.assume(args[0] == z3.Concat(pieces[0], inner, pieces[1]))
    return inner


def _repeated(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    count = terms.number_of(node, 1)
    if not 0 <= count <= 64:
        raise Unmodelled("a long repeat")
    return z3.Concat(*([args[0]] * count)) if count > 1 else args[0] if count else text_constant("")


def _padded(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    width, filler = terms.number_of(node, 1), terms.constant_of(node, 2)
    if len(filler) != 1:
        raise Unmodelled(node.op)
    result = args[0]
    for length in range(min(width, 32)):
        padding = text_constant(filler * (width - length))
        joined = z3.Concat(padding, args[0]) if node.op == "padStart" else z3.Concat(args[0], padding)
        result = z3.If(z3.Length(args[0]) == length, joined, result)
    return result


def _number(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    """Returns the value of a text of decimal digits, with or without a sign; others are left out."""
    text = args[0]
    if node.op == "parseInt" and terms.number_of(node, 1) not in (0, 10):
        raise Unmodelled("parseInt with a radix")
    terms.assume(
        z3.InRe(
            text, z3.Concat(z3.Option(z3.Re("-")), z3.Loop(z3.Range("0", "9"), 1, 40 if node.op == "toBig" else 15))
        )
    )
    rest = z3.SubString(text, 1, z3.Length(text))
    return z3.If(z3.PrefixOf("-", text), -z3.StrToInt(rest), z3.StrToInt(text))


def _not_a_number(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    """Assumes that a number is a decimal one without an exponent."""
    fraction = z3.Concat(z3.Option(z3.Re("-")), _digits(), z3.Option(z3.Concat(z3.Re("."), _digits())))
    is_number = z3.InRe(args[0], regex_term(language_accepted_by(NUMBER, "")))
    terms.assume(z3.Or(z3.Not(is_number), z3.InRe(args[0], fraction)))
    return z3.Not(is_number)


def _to_text(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    number = args[0]
    if not z3.is_int(number):
        raise Unmodelled("the text of a fraction")
    return z3.If(number < 0, z3.Concat("-", z3.IntToStr(-number)), z3.IntToStr(number))


def _positions(text: Term, separator: Term, count: int) -> list[Term]:
    """Returns the positions of the first separators; -1 from the first that is missing on."""
    positions = [z3.IndexOf(text, separator, 0)]
    while len(positions) < count:
        last = positions[-1]
        positions.append(z3.If(last < 0, -1, z3.IndexOf(text, separator, last + z3.Length(separator))))
    return positions


def _part(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    number = terms.number_of(node, 2)
    if number >= MAX_PARTS:
        raise Unmodelled("a late part of a split")
    text, separator = args[0], args[1]
    positions = _positions(text, separator, number + 1)
    start = positions[number - 1] + z3.Length(separator) if number else z3.IntVal(0)
    if number:
        terms.assume(positions[number - 1] >= 0)
    end = positions[number]
    return _between(text, start, z3.If(end < 0, z3.Length(text), end))


def _parts(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    count: Term = z3.IntVal(1)
    for position in _positions(args[0], args[1], MAX_PARTS):
        count = count + z3.If(position >= 0, 1, 0)
    return count


def _tested(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    language = language_accepted_by(terms.constant_of(node, 1), terms.constant_of(node, 2).replace("g", ""))
    return z3.InRe(_from(terms, node, args[0], 3), regex_term(language))


def _took_part(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    flags = terms.constant_of(node, 2).replace("g", "")
    language = language_accepted_by(terms.constant_of(node, 1), flags, terms.number_of(node, 3))
    return z3.InRe(_from(terms, node, args[0], 4), regex_term(language))


def _from(terms: SequenceTerms, node: Expression, text: Term, number: int) -> Term:
    """Returns the text from the position on that is an argument, if it is given."""
    if number >= len(node.args):
        return text
    start = terms.number_of(node, number)
    return z3.SubString(text, start, z3.Length(text) - start)


def _unmatched(terms: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    """Assumes that nothing is replaced."""
    language = language_accepted_by(terms.constant_of(node, 1), terms.constant_of(node, 2).replace("g", ""))
    terms.assume(z3.Not(z3.InRe(args[0], regex_term(language))))
    return args[0]


def _less(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    return args[0] < args[1]


def _less_or_equal(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    return args[0] <= args[1]


def _code(_: SequenceTerms, node: Expression, args: list[Term]) -> Term:
    return z3.StrToCode(z3.SubString(args[0], args[1], 1))


_OPERATIONS: Final[dict[str, Callable[[SequenceTerms, Expression, list[Any]], Term]]] = {
    "<": _less,
    "<=": _less_or_equal,
    "at": _at,
    "captured": _took_part,
    "charAt": lambda _, node, args: z3.SubString(args[0], args[1], 1),
    "charCodeAt": _code,
    "codePointAt": _code,
    "concat": lambda _, node, args: z3.Concat(args[0], args[1]),
    "endsWith": lambda _, node, args: z3.SuffixOf(args[1], args[0]),
    "fromCharCode": lambda _, node, args: z3.StrFromCode(args[0]),
    "includes": lambda _, node, args: z3.Contains(args[0], args[1]),
    "indexOf": lambda _, node, args: z3.IndexOf(args[0], args[1], args[2]),
    "isNaN": _not_a_number,
    "lastIndexOf": lambda _, node, args: z3.LastIndexOf(args[0], args[1]),
    "length": lambda _, node, args: z3.Length(args[0]),
    "fromUtf8": lambda _, node, args: args[0],
    "normalize": lambda _, node, args: args[0],
    "padEnd": _padded,
    "padStart": _padded,
    "parseFloat": _number,
    "parseInt": _number,
    "part": _part,
    "parts": _parts,
    "repeat": _repeated,
    "replace": lambda _, node, args: z3.Replace(args[0], args[1], args[2]),
    "replaceMatches": _unmatched,
    "slice": _slice,
    "startsWith": _starts,
    "substr": _substr,
    "substring": _substring,
    "test": _tested,
    "toBig": _number,
    "toLowerCase": _unchanged_case("A", "Z"),
    "toNumber": _number,
    "toText": _to_text,
    "toUpperCase": _unchanged_case("a", "z"),
    "trim": _trimmed,
    "trimEnd": _trimmed,
    "trimStart": _trimmed,
}
