"""Inputs as lists of character codes, and what operations on texts ask of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Final

import z3

from wimble.solve.path_conditions import Expression, Path, Scalar, Unmodelled
from wimble.solve.patterns.automata import State, automaton_of
from wimble.solve.patterns.regex_languages import ANY_TEXT, MAX_CODE, Language, Ranges
from wimble.solve.terms.expression_terms import ExpressionTerms, Term
from wimble.solve.work import Moves

MAX_LENGTH: Final = 120
BYTES_PREFIX: Final = "#bytes "
"""The places of texts that stand for bytes begin with it."""
PRINTABLE: Final = ((0x20, 0x7E),)
WIDE: Final = ((0x09, 0x0A), (0x0D, 0x0D), (0x20, 0x7E), (0xA0, 0xD7FF), (0xE000, 0xFFFD))
"""All but control characters, which texts hardly ever hold, and halves of surrogate pairs."""
BYTES: Final = ((0, 0xFF),)
ALL: Final[Ranges] = ((0, MAX_CODE),)
Codes = list[Term]


class CharacterTerms(ExpressionTerms):
    """The inputs and constants of one path, for inputs of given lengths."""

    def __init__(
        self, path: Path, lengths: Mapping[str, int], *, is_wide: bool = False, has_fractions: bool = False
    ) -> None:
        """lengths: of the inputs that are texts, by place. is_wide: whether they may hold any characters."""
        super().__init__(path, has_fractions=has_fractions)
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
        self.assume(*(in_ranges(code, ranges) for code in codes))
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
        self.assume(z3.Or(*(hit for hit, _ in fitting)))
        texts = [value for _, value in fitting]
        return [
            super(CharacterTerms, self)._chosen(node, [hit for hit, _ in fitting], [text[at] for text in texts])
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

    # ---- what operations ask for ------------------------------------------------------------------------------------

    def codes(self, node: Expression, number: int) -> Codes:
        """Returns the characters of an argument."""
        term = self.term(node.args[number])
        if not isinstance(term, list):
            raise Unmodelled(node.op)
        return term

    def value(self, node: Expression, number: int, default: int = 0) -> int:
        """Returns a position in a text. If it depends on characters, it is assumed to be that of the traced run.

        Raises: Unmodelled.
        """
        if number >= len(node.args):
            return default
        term = self.term(node.args[number])
        value = self.known(term)
        if value is None:
            traced = self._path.nodes[node.args[number]].value
            if isinstance(traced, (str, bool)) or not float(traced).is_integer():
                raise Unmodelled(f"{node.op} at a variable position")
            value = int(traced)
            self.assume(term == self.literal(value))
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

    def fresh(self, below: int) -> Term:
        """Returns a new variable from 0 to `below`, exclusive."""
        self._n_fresh += 1
        variable = z3.Int(f"fresh {self._n_fresh}")
        self.assume(variable >= 0, variable < below)
        return variable


def same(left: Codes, right: Codes) -> Term:
    """Returns whether two texts are equal."""
    if len(left) != len(right):
        return z3.BoolVal(False)
    return z3.And(*(a == b for a, b in zip(left, right, strict=True))) if left else z3.BoolVal(True)


def in_ranges(code: Term, ranges: tuple[tuple[int, int], ...]) -> Term:
    Moves.note(1)
    parts = [code == low if low == high else z3.And(code >= low, code <= high) for low, high in ranges]
    return z3.Or(*parts) if parts else z3.BoolVal(False)


def accepted(language: Language, codes: Codes) -> Term:
    """Returns whether a text belongs to a language: its automaton, unrolled.

    Raises: Unmodelled, if the automaton is large.
    """
    automaton = automaton_of(language)
    useful = automaton.useful_states(len(codes))
    reached: dict[State, Term] = {automaton.start: z3.BoolVal(True)} if automaton.start in useful[0] else {}
    ways_to_end: list[Term] = [reached.pop(ANY_TEXT)] if ANY_TEXT in reached else []
    for code, wanted in zip(codes, useful[1:], strict=True):
        following: dict[State, list[Term]] = {}
        # Many states move by the same ranges, and making terms takes most of the time.
        is_in = cache(partial(in_ranges, code))
        for state, here in reached.items():
            moves = automaton.moves(state)
            for target in [one for one in moves if one in wanted]:
                way = here if moves[target] == ALL else z3.And(here, is_in(moves[target]))
                following.setdefault(target, []).append(way)
        Moves.note(sum(map(len, following.values())))
        ways_to_end += following.pop(ANY_TEXT, [])
        reached = {state: z3.Or(*ways) if len(ways) > 1 else ways[0] for state, ways in following.items()}
    ways_to_end += reached.values()
    return z3.Or(*ways_to_end) if ways_to_end else z3.BoolVal(False)
