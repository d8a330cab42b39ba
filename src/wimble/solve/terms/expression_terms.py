"""What both encodings of expressions as terms of Z3 share: inputs, truth values and numbers."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, Final, TypeAlias

import z3

from wimble.solve.path_conditions import CHOICE, CONSTANT, Expression, NoValue, Path, Scalar, Unmodelled
from wimble.solve.terms import calendar_terms, number_terms
from wimble.solve.values.computed_numbers import to_number, to_text
from wimble.solve.values.node_values import table_entries

Term: TypeAlias = Any  # a term of z3, which has no types, or a list of characters
_COMPARED: Final = frozenset(("===", "<", "<="))
MAX_NUMBER: Final = 2**53
PRINTERS: Final = frozenset(("toText", "toRadix", "toFixed"))
PLAIN_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
PARTS_OF_DATES: Final = ("yearOf", "monthOf", "dayOf")
TABLE_OPERATIONS: Final = frozenset(("chosen", "isKey"))


class ExpressionTerms:
    """Translates the nodes of one path. Subclasses translate what is about texts.

    An operation without a translation raises Unmodelled.
    """

    def __init__(self, path: Path, *, has_fractions: bool = False) -> None:
        """has_fractions: whether inputs that are whole numbers may become others."""
        self._path = path
        self._has_fractions = has_fractions
        self._terms: dict[int, Term | Unmodelled] = {}
        self._uses: dict[int, list[int]] = {}
        self._sides_of: dict[int, list[Term]] = {}
        self._open: list[int] = []
        self._used: set[int] = set()
        self._equalities: dict[tuple[int, int, str], Term] = {}
        self.inputs: dict[str, Term] = {}
        """The variables of the inputs of `condition`, by place."""
        self.assumed: list[Term] = []
        """Formulas that have to hold as well: what the translations of these conditions assume."""
        self.is_narrowed = False
        """Whether they assume something that does not follow from the path."""

    def assume(self, *conditions: Term) -> None:
        """Adds conditions that the translation of the present node assumes."""
        if not self._path.nodes[self._open[-1]].place:
            self.is_narrowed = True
        self._sides_of[self._open[-1]] += conditions

    def term(self, index: int) -> Term:
        """Returns the term of a node. Raises: Unmodelled."""
        if self._open:
            self._uses[self._open[-1]].append(index)
        found = self._terms.get(index)
        if found is None:
            self._uses[index], self._sides_of[index] = [], []
            self._open.append(index)
            try:
                found = self._translated(self._path.nodes[index])
            except Unmodelled as error:
                found = error
            self._open.pop()
            self._terms[index] = found
        if isinstance(found, Unmodelled):
            raise found
        return found

    def condition(self, index: int, *, holds: bool) -> Term:
        """Returns the formula of a truth value. Raises: Unmodelled."""
        for part in sorted(self._path.reachable([index], but=self._terms.keys())):
            with suppress(Unmodelled):  # arguments first, since sums over texts are deep
                self.term(part)
        term = self.term(index)
        self._use(index)
        return term if holds else z3.Not(term)

    def _use(self, index: int) -> None:
        open_nodes = [index]
        while open_nodes:
            part = open_nodes.pop()
            if part in self._used:
                continue
            self._used.add(part)
            self.assumed += self._sides_of[part]
            if place := self._path.nodes[part].place:
                self.inputs[place] = self._terms[part]
            open_nodes += self._uses[part]

    def _translated(self, node: Expression) -> Term:
        if node.op == CONSTANT:
            return self._constant(node.value)
        if node.place:
            return self._input(node)
        if node.op in TABLE_OPERATIONS:
            return self._of_table(node)
        if node.op == CHOICE:
            return self.choice(*(self.term(index) for index in node.args))
        values = [self._path.nodes[index].value for index in node.args]
        if node.op in _COMPARED and isinstance(values[0], str):
            equal = self._equal_to_constant(node) if node.op == "===" else None
            return self._text(node) if equal is None else equal
        if isinstance(node.value, bool):
            truth = self._truth(node)
            if truth is not None:
                return truth
        if node.op == "big":
            return z3.IntVal(int(str(values[0])))
        if node.op == "distinct":
            return self._distinct([self.term(index) for index in node.args])
        return self._operation(node)

    def _operation(self, node: Expression) -> Term:
        op = "bigDivide" if node.op == "big/" else node.op.removeprefix("big")
        if node.op in number_terms.BIG:
            return number_terms.BIG[node.op](self.term(node.args[0]), self.term(node.args[1]))
        if node.op in number_terms.WHOLE_RESULTS:
            return self._whole_result(node)
        if node.op == "days":
            return calendar_terms.days_of(*(self._whole(index) for index in node.args))
        if node.op in PARTS_OF_DATES:
            return self._date(node.args[0])[PARTS_OF_DATES.index(node.op)]
        if node.op == "bigToNumber" or (node.op == "toBig" and not self._is_of_text(node)):
            return self.term(node.args[0])
        if op in number_terms.BINARY:
            return number_terms.binary(op, self.term(node.args[0]), self.term(node.args[1]))
        if node.op in number_terms.UNARY:
            return number_terms.UNARY[node.op](self.term(node.args[0]))
        return self._text(node)

    def _is_of_text(self, node: Expression) -> bool:
        return isinstance(self._path.nodes[node.args[0]].value, str)

    def _whole_result(self, node: Expression) -> Term:
        """Returns a variable for the result, which is a whole number."""
        argument, result = self.term(node.args[0]), z3.Int(f"result {len(self._terms)} of {node.op}")
        self.assume(number_terms.WHOLE_RESULTS[node.op](result, argument))
        return result

    def _whole(self, index: int) -> Term:
        """Returns the term of a whole number. Raises: Unmodelled."""
        term = self.term(index)
        if not number_terms.is_int(term):
            raise Unmodelled("a date of fractions")
        return term

    def _date(self, days: int) -> tuple[Term, Term, Term]:
        """Returns the year, month and day of a number of days, as variables."""
        year, month, day, relation = calendar_terms.date_of(self._whole(days), f"days {days}")
        self.assume(relation)
        return year, month, day

    def _equal_to_constant(self, node: Expression) -> Term | None:
        """Returns the equality of a constant and a number's text, as one of numbers, or a text that was chosen.

        Returns None for other equalities.
        """
        for number, other in (node.args, node.args[::-1]):
            text, constant = self._path.nodes[number], self._path.nodes[other]
            if constant.op != CONSTANT:
                continue
            if text.op == CHOICE or text.op == "chosen":
                return self._is_this_text(number, str(constant.value))
            if text.op in PRINTERS:
                return self._is_printed_as(text, str(constant.value))
            if text.op == "padStart" and self._path.nodes[text.args[0]].op in PRINTERS:
                return self._is_padded_as(text, str(constant.value))
        return None

    def _is_this_text(self, index: int, wanted: str) -> Term:
        """Returns whether a text is a constant, as of the states of a machine, whose names differ in length."""
        key = (self._open[-1], index, wanted)  # what a node uses is noted for it
        if key not in self._equalities:
            self._equalities[key] = self._is_this_text_now(self._path.nodes[index], index, wanted)
        return self._equalities[key]

    def _is_this_text_now(self, node: Expression, index: int, wanted: str) -> Term:
        if node.op == CONSTANT:
            return z3.BoolVal(node.value == wanted)
        if node.op == CHOICE:
            condition, one, other = node.args
            return z3.If(self.term(condition), self._is_this_text(one, wanted), self._is_this_text(other, wanted))
        if node.op == "chosen":
            hits = [(self._is_key(node.args[0], one), value) for one, value in self._entries(node)]
            self.assume(z3.Or(*(hit for hit, _ in hits)))
            return z3.Or(*(hit for hit, value in hits if value == wanted))
        return self.same(self.term(index), self.literal(wanted))

    def _is_key(self, key: int, wanted: Scalar) -> Term:
        if isinstance(wanted, str) and isinstance(self._path.nodes[key].value, str):
            return self._is_this_text(key, wanted)
        return self.same(self.term(key), self.literal(wanted))

    def _entries(self, node: Expression) -> list[tuple[Scalar, Scalar]]:
        """Returns the keys and values of a node's table."""
        return table_entries(str(self._path.nodes[node.args[1]].value))

    def _constants(self, text: Expression) -> list[Scalar]:
        """Returns the arguments after the first, which have to be constants. Raises: Unmodelled."""
        rest = [self._path.nodes[arg] for arg in text.args[1:]]
        if any(one.op != CONSTANT for one in rest):
            raise Unmodelled(f"{text.op} with a variable argument")
        return [one.value for one in rest]

    def _is_padded_as(self, padded: Expression, wanted: str) -> Term:
        width, filler = self._constants(padded)
        number = self._path.nodes[padded.args[0]]
        padding = (str(filler) * len(wanted))[: len(wanted)]
        lengths = range(len(wanted)) if len(wanted) == width else range(1 if len(wanted) > float(width) else 0)
        starts = [at for at in lengths if wanted.startswith(padding[:at])]
        return z3.Or(*(self._is_printed_as(number, wanted[at:]) for at in starts)) if starts else z3.BoolVal(False)

    def _is_printed_as(self, text: Expression, wanted: str) -> Term:
        number, rest = self.term(text.args[0]), self._constants(text)
        size = int(float(rest[0])) if rest else 10
        if text.op == "toFixed":
            if PLAIN_NUMBER.fullmatch(wanted) is None or len(wanted.partition(".")[2]) != size:
                return z3.BoolVal(False)
            scaled = number_terms.aligned(number, z3.RealVal(1))[0] * 10**size
            digits = int(wanted.replace(".", ""))
            return z3.And(2 * scaled >= 2 * digits - 1, 2 * scaled < 2 * digits + 1)
        try:
            value = to_number(wanted) if size == 10 else int(wanted, size)
            is_printed = to_text(value, size) == wanted
        except (NoValue, ValueError):
            is_printed = False
        return number_terms.compared("===", number, number_terms.constant(value)) if is_printed else z3.BoolVal(False)

    def _of_table(self, node: Expression) -> Term:
        """Returns whether a table has a key, or the value that it has under it."""
        entries = self._entries(node)
        if node.op == "isKey" and all(key == number for number, (key, _) in enumerate(entries)):
            index = self.term(node.args[0])
            return z3.And(index >= 0, index < len(entries))
        hits = [self._is_key(node.args[0], one) for one, _ in entries]
        if node.op == "isKey":
            return z3.Or(*hits)
        self.assume(z3.Or(*hits))
        return self._chosen(node, hits, [self.literal(value) for _, value in entries])

    def _chosen(self, node: Expression, hits: list[Term], values: list[Term]) -> Term:
        result = values[-1]
        for hit, value in reversed(list(zip(hits[:-1], values[:-1], strict=True))):
            result = z3.If(hit, value, result)
        return result

    def choice(self, condition: Term, one: Term, other: Term) -> Term:
        """Returns one of two values. Raises: Unmodelled."""
        if z3.is_arith(one) and z3.is_arith(other):
            one, other = number_terms.aligned(one, other)
        return z3.If(condition, one, other)

    def literal(self, value: Scalar) -> Term:
        """Returns the term of a constant."""
        return self._constant(value)

    def _distinct(self, members: list[Term]) -> Term:
        """Returns how many different ones there are."""
        count: Term = z3.IntVal(0)
        for number, one in enumerate(members):
            earlier = [self.same(one, other) for other in members[:number]]
            count = count + z3.If(z3.Or(*earlier), 0, 1) if earlier else count + 1
        return count

    def same(self, one: Term, other: Term) -> Term:
        """Returns whether two terms are equal."""
        return one == other

    def _truth(self, node: Expression) -> Term | None:
        terms = [self.term(index) for index in node.args] if node.op in _TRUTHS else []
        match node.op:
            case "!":
                return z3.Not(terms[0])
            case "||":
                return z3.Or(*terms)
            case "isInteger":
                return z3.BoolVal(True) if number_terms.is_int(terms[0]) else z3.IsInt(terms[0])
            case "===" if z3.is_bool(terms[0]) and z3.is_bool(terms[1]):
                return terms[0] == terms[1]
            case "===" | "<" | "<=":
                return number_terms.compared(node.op, terms[0], terms[1])
        return None

    def _input(self, node: Expression) -> Term:
        place, value = node.place, node.value
        if isinstance(value, bool):
            variable = z3.Bool(place)
        elif isinstance(value, str):
            variable = self._text_input(place, value)
        elif float(value).is_integer() and not self._has_fractions:
            variable = z3.Int(place)
            self.assume(variable >= -MAX_NUMBER, variable <= MAX_NUMBER)
        else:
            variable = z3.Real(place)
        return variable

    def _constant(self, value: Scalar) -> Term:
        if isinstance(value, bool):
            return z3.BoolVal(value)
        return self._text_constant(value) if isinstance(value, str) else number_terms.constant(value)

    def _text(self, node: Expression) -> Term:
        """Returns the term of an operation on texts. Raises: Unmodelled."""
        raise NotImplementedError

    def _text_input(self, place: str, value: str) -> Term:
        raise NotImplementedError

    def _text_constant(self, value: str) -> Term:
        raise NotImplementedError

    def value_of(self, place: str, model: z3.ModelRef) -> Scalar:
        """Returns the value of an input in a model."""
        value = model.eval(self.inputs[place], model_completion=True)
        if z3.is_bool(value):
            return bool(z3.is_true(value))
        if z3.is_int_value(value):
            return int(value.as_long())
        if z3.is_rational_value(value):
            return float(value.as_fraction())
        raise Unmodelled("an irrational number")


_TRUTHS: Final = frozenset(("!", "||", "isInteger", "===", "<", "<="))
