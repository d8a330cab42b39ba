"""What both encodings of expressions as terms of Z3 share: inputs, truth values and numbers."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, TypeAlias

import z3

from wimble.solve import number_terms
from wimble.solve.node_values import table_entries
from wimble.solve.path_conditions import CHOICE, CONSTANT, Expression, Path, Scalar, Unmodelled

Term: TypeAlias = Any  # a term of z3, which has no types, or a list of characters
_COMPARED: Final = frozenset(("===", "<", "<="))
MAX_NUMBER: Final = 2**53
TABLE_OPERATIONS: Final = frozenset(("chosen", "isKey"))


class ExpressionTerms:
    """Translates the nodes of one path. Subclasses translate what is about texts.

    An operation without a translation raises Unmodelled.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._terms: dict[int, Term | Unmodelled] = {}
        self._uses: dict[int, list[int]] = {}
        self._sides_of: dict[int, list[Term]] = {}
        self._open: list[int] = []
        self._used: set[int] = set()
        self.inputs: dict[str, Term] = {}
        """The variables of the inputs of `condition`, by place."""
        self.assumed: list[Term] = []
        """Formulas that have to hold as well: what the translations of these conditions assume."""

    @property
    def sides(self) -> list[Term]:
        """What the translation of the present node assumes."""
        return self._sides_of[self._open[-1]]

    @sides.setter
    def sides(self, value: list[Term]) -> None:
        self._sides_of[self._open[-1]] = value

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
            return self._text(node)
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
        if op in number_terms.BINARY:
            return number_terms.binary(op, self.term(node.args[0]), self.term(node.args[1]))
        if node.op in number_terms.UNARY:
            return number_terms.UNARY[node.op](self.term(node.args[0]))
        return self._text(node)

    def _of_table(self, node: Expression) -> Term:
        """Returns whether a table has a key, or the value that it has under it."""
        entries = table_entries(str(self._path.nodes[node.args[1]].value))
        key = self.term(node.args[0])
        hits = [self.same(key, self.literal(one)) for one, _ in entries]
        if node.op == "isKey":
            return z3.Or(*hits)
        self.sides.append(z3.Or(*hits))
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
        elif float(value).is_integer():
            variable = z3.Int(place)
            self.sides += [variable >= -MAX_NUMBER, variable <= MAX_NUMBER]
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
